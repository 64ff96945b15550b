/** Writes a value in the Base64 form of headers, whatever it is. Made here anew: what is tested must not test itself. */
export function encodeHeaderValue(value: string): string {
  return `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}
