/** What is particular to one dated revision of the specification. */
export interface Revision {
  /** The protocol version string: the date. */
  readonly version: string;
  /** Modern revisions carry version and capabilities on every request; legacy ones open with `initialize`. */
  readonly era: 'modern' | 'legacy';
  /** `_meta` fields that every request must carry. */
  readonly requiredMeta: readonly string[];
  /** HTTP request headers that mirror the body: name and where the value comes from. */
  readonly mirroredHeaders: readonly string[];
  /** Whether several messages may travel in one array. */
  readonly hasBatches?: true;
}
