/** A schema that cannot be used as it stands; says what to change and where. */
export class SchemaError extends Error {
  /** JSON Pointer into the schema; '' is the root. */
  readonly path: string;
  /** What is wrong, without the path. */
  readonly reason: string;

  constructor(message: string, path: string = '') {
    const reason = shortened(message);
    super(path === '' ? reason : `${shortened(path)}: ${reason}`);
    this.name = 'SchemaError';
    this.path = path;
    this.reason = reason;
  }
}

/** Most characters of one part of a message: some vendors print the whole schema that they refuse. */
const MOST = 400;

/** A part of a message as it may be printed: its beginning and its end, where it is long. */
export function shortened(text: string): string {
  if (text.length <= MOST) return text;
  return `${text.slice(0, MOST - 100)} … ${text.slice(-100)} (${text.length} characters)`;
}
