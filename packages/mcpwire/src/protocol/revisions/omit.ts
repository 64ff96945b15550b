import type { JsonObject } from '../json.ts';

/** A copy without the named members; the object itself where it has none of them. */
export function omit(object: JsonObject, ...names: readonly string[]): JsonObject {
  if (!names.some((name) => Object.hasOwn(object, name))) return object;
  const copy: { [key: string]: unknown } = { ...object };
  for (const name of names) delete copy[name];
  return copy;
}
