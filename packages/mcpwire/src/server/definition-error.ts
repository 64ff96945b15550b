/** A definition that can't be served: which one, where in it, and why. Thrown where it is defined. */
export class DefinitionError extends Error {
  override readonly name: string = 'DefinitionError';
  /** What was defined, such as `tool "place_order"`. */
  readonly subject: string;
  /** JSON Pointer into the schema at fault; empty where the whole definition is. */
  readonly path: string;

  constructor(subject: string, path: string, message: string) {
    super(`${subject}${path === '' ? '' : ` at ${path}`}: ${message}`);
    this.subject = subject;
    this.path = path;
  }
}
