import { isEndOfCall } from '../async/abandoned.ts';
import type { Handler } from '../protocol/handler.ts';
import { refuseReadBody } from '../transport/http/endpoint.ts';
import type { HttpHead, Refusal } from '../transport/http/head.ts';
import type { HttpEndpoint } from '../transport/http/http-endpoint.ts';
import { dualEndpoint } from '../legacy/http/dual-endpoint.ts';
import type { DualHttpOptions } from '../legacy/http/dual-endpoint.ts';
import type { Disconnectable } from '../transport/http/legacy-front.ts';
import { FetchReply } from './fetch-reply.ts';

/** A handler for runtimes that speak `Request` and `Response`. */
export interface FetchHandler {
  (request: Request): Promise<Response>;
  /** Ends subscriptions with their result, refuses new requests, resolves when running ones are answered. */
  close(): Promise<void>;
  /** Cancels what a closed connection does not: requests of the legacy era, whose clients may come back. */
  abort(): void;
}

/**
 * Makes a server into `(Request) => Promise<Response>` for Workers, Bun, Deno, Hono, Next and the like.
 * Routing is theirs: mount it at the path of your MCP endpoint, and name your hosts in `allowedHosts`.
 */
export function toFetchHandler(
  server: { readonly handle: Handler },
  options: DualHttpOptions = {},
): FetchHandler {
  quietEndsOfCalls();
  const endpoint = dualEndpoint(server.handle, options, isOnWorkers());
  const handler = async (request: Request): Promise<Response> => {
    const reply = new FetchReply(endpoint.settings);
    const head = new FetchHead(request);
    const admission = endpoint.admit(head, reply);
    if (admission !== 'body') return watched(admission, request, reply);
    if (request.bodyUsed) {
      refuseReadBody('read a clone of the request', endpoint, reply);
      return reply.response;
    }
    const body = await readBody(endpoint, request);
    if ('status' in body) {
      endpoint.refuse(body, reply);
      return reply.response;
    }
    return watched(endpoint.post(head, body.text, reply), request, reply);
  };
  return Object.assign(handler, { close: () => endpoint.close(), abort: () => endpoint.abort() });
}

let isListening = false;

/** Where the runtime tells of rejections that nobody handles by an event: see `isEndOfCall`. */
function quietEndsOfCalls(): void {
  if (isListening || typeof globalThis.addEventListener !== 'function') return;
  isListening = true;
  globalThis.addEventListener('unhandledrejection', (event) => {
    if (isEndOfCall(event.reason)) event.preventDefault();
  });
}

/** Whether this is Cloudflare's runtime, which ends a request's code when its client leaves. */
function isOnWorkers(): boolean {
  return 'navigator' in globalThis && navigator.userAgent === 'Cloudflare-Workers';
}

/** Tells what answers when the client is gone: by the stream's cancellation, or by the request's signal. */
function watched(call: Disconnectable | undefined, request: Request, reply: FetchReply): Promise<Response> {
  if (call !== undefined) {
    reply.onCancel = () => call.disconnected();
    const { signal } = request;
    const gone = (): void => {
      call.disconnected();
      reply.abandon();
    };
    if (signal.aborted) gone();
    else signal.addEventListener('abort', gone);
  }
  return reply.response;
}

class FetchHead implements HttpHead {
  readonly method: string;
  readonly #request: Request;

  constructor(request: Request) {
    this.method = request.method;
    this.#request = request;
  }

  get target(): string {
    const { pathname, search } = new URL(this.#request.url);
    return pathname + search;
  }

  /** Some runtimes keep `Host` out of the headers: the URL has it then. */
  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? (name === 'host' ? new URL(this.#request.url).host : undefined);
  }
}

/** Reads the body within the bounds of bytes and time. */
async function readBody(
  endpoint: HttpEndpoint,
  request: Request,
): Promise<{ text: string | undefined } | Refusal> {
  if (request.body === null) return { text: '' };
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void reader.cancel('too slow');
  }, endpoint.settings.bodyTimeoutMs);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      const refusal = endpoint.bodies.hold(value.length, size);
      if (refusal !== undefined) {
        void reader.cancel('over the bound');
        return refusal;
      }
      chunks.push(value);
    }
    if (isLate) return { status: 408, message: 'the request body took too long to arrive' };
    return { text: decode(chunks, size) };
  } catch {
    return { status: 400, message: 'the request body broke off' };
  } finally {
    clearTimeout(timer);
    endpoint.bodies.release(size);
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(chunks: readonly Uint8Array[], size: number): string | undefined {
  const [first] = chunks;
  let bytes = first ?? new Uint8Array(0);
  if (chunks.length > 1) {
    bytes = new Uint8Array(size);
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
  }
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}
