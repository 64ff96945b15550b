import { encodeHeaderValue } from '../../../protocol/header-value.ts';

type Headers = { readonly [name: string]: string };

/** Most sets of headers that are kept; URIs may be many. */
const MOST = 1000;

/** The headers that a request of the modern era has (HTTP-25, HTTP-31, HTTP-32, HTTP-33), each set of them made once. */
export class MirroredHeaders {
  readonly #kept = new Map<string, Headers>();

  of(method: string, version: unknown, name: unknown): Headers {
    const key = `${method} ${String(version)} ${typeof name === 'string' ? name : ''}`;
    let headers = this.#kept.get(key);
    if (headers === undefined) {
      headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-method': encodeHeaderValue(method),
        ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
        ...(typeof name === 'string' ? { 'mcp-name': encodeHeaderValue(name) } : {}),
      };
      if (this.#kept.size >= MOST) this.#kept.clear();
      this.#kept.set(key, headers);
    }
    return headers;
  }
}
