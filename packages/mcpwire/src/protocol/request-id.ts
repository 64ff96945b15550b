/** A JSON-RPC id: a string or an integer, kept with its type and value (`1` is not `"1"`). */
export type RequestId = string | number;

/**
 * Whether the value may be an id. `0` and `""` are ids; null, fractions and integers beyond 2^53 are not:
 * they could not be echoed exactly (BASE-03, BASE-04).
 */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}
