const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

/** Whether the text is a URI with a scheme in the characters of RFC 3986 (RES-07). */
export function isUri(text: string): boolean {
  return URI.test(text);
}

/** One spelling for URIs that mean the same: what the platform's URL makes of it, or the text itself. */
export function normalizeUri(uri: string): string {
  try {
    return new URL(uri).href;
  } catch {
    return uri;
  }
}
