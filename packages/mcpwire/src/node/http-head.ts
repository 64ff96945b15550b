import type { IncomingMessage } from 'node:http';
import type { HttpHead } from '../transport/http/head.ts';

/** The head of a Node request, read in place. */
export class NodeHead implements HttpHead {
  readonly method: string;
  readonly target: string;
  readonly #headers: IncomingMessage['headers'];

  constructor(request: IncomingMessage) {
    this.method = request.method ?? 'GET';
    this.target = request.url ?? '/';
    this.#headers = request.headers;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return typeof value === 'string' ? value : undefined;
  }
}

/** Whether the request is ambiguous about its target: two Host headers, or a whole URL in the request line. */
export function isAmbiguous(request: IncomingMessage): boolean {
  if (request.url?.charCodeAt(0) !== 0x2f && request.url !== '*') return true;
  const raw = request.rawHeaders;
  let hosts = 0;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}
