import type { SchemaError } from '../json-schema/schema-problem.ts';
import { shortened } from '../json-schema/schema-problem.ts';

/** A definition that can't be served: which one, where in it, and why. Thrown where it is defined. */
export class DefinitionError extends Error {
  override readonly name: string = 'DefinitionError';
  /** What was defined, such as `tool "place_order"`. */
  readonly subject: string;
  /** JSON Pointer into the schema at fault; empty where the whole definition is. */
  readonly path: string;

  constructor(subject: string, path: string, message: string) {
    const where = path === '' ? '' : ` at ${shortened(path)}`;
    super(`${shortened(subject)}${where}: ${shortened(message)}`);
    this.subject = subject;
    this.path = path;
  }
}

/** A schema that can't be used, as an error of the definition that it belongs to. */
export function schemaRefused(subject: string, member: string, error: SchemaError): DefinitionError {
  return new DefinitionError(subject, `/${member}${error.path}`, error.reason);
}
