/** Any JSON object as it comes off the wire: nothing about its members is known yet. */
export type JsonObject = { readonly [key: string]: unknown };

/** True for a JSON object, false for arrays, null and everything else. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a value is, in the words of a JSON author: for messages that say what came instead. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return value === undefined ? 'nothing' : typeof value;
}
