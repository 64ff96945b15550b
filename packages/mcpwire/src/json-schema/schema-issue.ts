/** One thing that is wrong with a value. */
export interface SchemaIssue {
  /** JSON Pointer into the value; '' is the root. */
  readonly path: string;
  readonly message: string;
}
