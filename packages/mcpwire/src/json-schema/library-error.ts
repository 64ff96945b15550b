/** An error as the validator library reports it. */
export interface LibraryError {
  readonly keyword: string;
  /** Where in the schema, as `#/properties/a`; references leave no trace in it. */
  readonly schemaPath: string;
  /** JSON Pointer into the value. */
  readonly instancePath: string;
  readonly params: object;
}

/** A detail of an error, of whatever type the library gave it. */
export function detail(error: LibraryError, name: string): unknown {
  return Reflect.get(error.params, name);
}

/** A detail that is a list of names or numbers; empty if it is not there. */
export function listDetail(error: LibraryError, name: string): readonly unknown[] {
  const list = detail(error, name);
  return Array.isArray(list) ? list : [];
}
