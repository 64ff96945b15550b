/** How large a schema may be. Hostile schemas are cheap to write and dear to validate with. */
export interface SchemaBounds {
  /** Schemas inside schemas. Default 32. */
  readonly depth?: number;
  /** Subschemas in the document. Default 2,000. */
  readonly subschemas?: number;
  /** References that follow one another for a single value. Default 64. */
  readonly refHops?: number;
  /** Subschemas that a single value meets once references are unrolled. Default 10,000. */
  readonly unrolled?: number;
}

/** Every bound that the caller left open. */
export const DEFAULT_BOUNDS: Required<SchemaBounds> = {
  depth: 32,
  subschemas: 2_000,
  refHops: 64,
  unrolled: 10_000,
};
