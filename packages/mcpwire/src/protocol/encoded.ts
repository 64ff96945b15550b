/**
 * Results that are sent again and again (lists, discovery) carry their JSON text with them, made once.
 * The property is not enumerable: a copy made by spreading is an ordinary result and is encoded afresh.
 */
const ENCODED = Symbol('encoded');

interface Encoded {
  readonly [ENCODED]?: string;
}

/** Freezes the result (one level) and remembers its JSON text for every later encoding. */
export function withEncoding<R extends object>(result: R): R {
  Object.defineProperty(result, ENCODED, { value: JSON.stringify(result) });
  return Object.freeze(result);
}

/** The JSON text of a result: remembered, or made now. Throws where the value is not written as an object. */
export function encodeValue(value: object): string {
  const text: string | undefined = (value as Encoded)[ENCODED] ?? JSON.stringify(value);
  if (text?.charCodeAt(0) !== 0x7b) throw new TypeError('a result must be a JSON object');
  return text;
}
