/** A schema that cannot be used as it stands; says what to change and where. */
export class SchemaError extends Error {
  /** JSON Pointer into the schema; '' is the root. */
  readonly path: string;

  constructor(message: string, path: string = '') {
    super(path === '' ? message : `${path}: ${message}`);
    this.name = 'SchemaError';
    this.path = path;
  }
}
