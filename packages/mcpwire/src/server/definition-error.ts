import type { MetaObject } from '../protocol/common-types.ts';
import { checkMetaKeys } from '../protocol/meta-keys.ts';

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

/** Throws where a definition's `_meta` has keys that it may not have. */
export function assertMeta(subject: string, meta: MetaObject | undefined): void {
  const problem = meta === undefined ? undefined : checkMetaKeys(meta);
  if (problem !== undefined) throw new DefinitionError(subject, '/_meta', problem);
}
