const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;

/** Whether the text is canonical Base64: right alphabet, padding, and no stray bits at the end. */
export function isBase64(text: string): boolean {
  return CANONICAL.test(text);
}

/** Bytes of canonical Base64; undefined for anything else. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (!isBase64(text)) return undefined;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Canonical Base64 of the bytes. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  const step = 0x8000; // keeps the number of arguments small enough for every engine
  for (let at = 0; at < bytes.length; at += step) {
    binary += String.fromCharCode(...bytes.subarray(at, at + step));
  }
  return btoa(binary);
}
