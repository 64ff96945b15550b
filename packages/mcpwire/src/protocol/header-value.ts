import { decodeBase64, encodeBase64 } from './base64.ts';

/** How body values travel in HTTP headers (basic/transports/streamable-http, "Value Encoding"). */

const PREFIX = '=?base64?';
const SUFFIX = '?=';
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_SAFE = /^[\x20-\x7e\t]*$/;

/** Writes a value as a header value: as it is where that is safe, else in the Base64 sentinel form. */
export function encodeHeaderValue(value: string): string {
  if ((value === '' || PLAIN.test(value)) && !isSentinel(value)) return value;
  return PREFIX + encodeBase64(new TextEncoder().encode(value)) + SUFFIX;
}

/**
 * Reads a header value: white space around it is dropped (HTTP-77), the sentinel form decoded (HTTP-53).
 * Undefined where it holds characters that no header may hold, or Base64 that isn't canonical (HTTP-62, HTTP-78).
 */
export function decodeHeaderValue(raw: string): string | undefined {
  const value = readHeaderValue(raw);
  if (value === undefined || !isSentinel(value)) return value;
  const bytes = decodeBase64(value.slice(PREFIX.length, -SUFFIX.length));
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads a header value that is never encoded. Only spaces and tabs are white space around it: U+00A0 is data. */
export function readHeaderValue(raw: string): string | undefined {
  return isHeaderSafe(raw) ? raw.trim() : undefined;
}

/** Whether the text may name a header: an HTTP token. */
export function isHeaderName(text: string): boolean {
  return TOKEN.test(text);
}

/** Whether the text holds nothing but the characters that a header may hold. */
export function isHeaderSafe(text: string): boolean {
  return HEADER_SAFE.test(text);
}

function isSentinel(value: string): boolean {
  return value.startsWith(PREFIX) && value.endsWith(SUFFIX) && value.length >= PREFIX.length + SUFFIX.length;
}
