import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { HttpAnswer, HttpRequest, Sender } from '../../transport/client/http/sender.ts';
import {
  ConnectionClosedError,
  ProtocolViolationError,
  UnreachableError,
} from '../../transport/client/errors.ts';
import { asError } from '../../async/as-error.ts';
import { unreachable } from '../../transport/client/http/unreachable.ts';
import { decodeUtf8 } from '../decode-utf8.ts';

export interface UndiciSenderOptions {
  /** Most connections for calls. Default 256; further calls wait. Streams that stay open don't count. */
  readonly maxConnections?: number;
  /** Milliseconds that opening a connection may take. Default 10,000. */
  readonly connectMs?: number;
}

/**
 * Sends through a pool of connections of undici, by its lowest interface: the web's `fetch` costs eight times as much
 * (docs/decisions/0004-http-client.md). Its own time-outs are off; those of the caller rule.
 */
export class UndiciSender implements Sender {
  readonly #pools = new Map<string, Pool>();
  readonly #options: Pool.Options;

  constructor({ maxConnections = 256, connectMs = 10_000 }: UndiciSenderOptions = {}) {
    this.#options = {
      connections: maxConnections,
      pipelining: 1,
      // Many servers close idle connections after five seconds; one that is closing must not be written to.
      keepAliveTimeout: 4000,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: connectMs },
    };
  }

  send(request: HttpRequest): Promise<HttpAnswer> {
    const { origin, path } = split(request.url);
    const key = request.isApart === true ? `${origin} apart` : origin;
    let pool = this.#pools.get(key);
    if (pool === undefined) {
      const { connections: _bound, ...unbounded } = this.#options;
      pool = new Pool(origin, request.isApart === true ? unbounded : this.#options);
      this.#pools.set(key, pool);
    }
    return new UndiciCall(request).start(pool, path);
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }
}

let lastUrl = '';
let lastSplit = { origin: '', path: '' };

/** Nearly always the same URL as the last time. */
function split(url: string): { readonly origin: string; readonly path: string } {
  if (url !== lastUrl) {
    const { origin, pathname, search } = new URL(url);
    lastSplit = { origin, path: pathname + search };
    lastUrl = url;
  }
  return lastSplit;
}

const MOST_DISCARDED = 64 * 1024;

/** One exchange: the handler of the dispatcher and the answer in one object. */
class UndiciCall implements HttpAnswer, Dispatcher.DispatchHandler {
  status = 0;
  readonly #request: HttpRequest;
  #headers: { readonly [name: string]: string | string[] | undefined } = {};
  #controller: Dispatcher.DispatchController | undefined;
  #resolve!: (answer: HttpAnswer) => void;
  #reject!: (error: unknown) => void;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #maxBytes = Infinity;
  #hear: ((bytes: Uint8Array) => void) | undefined;
  #ended: { readonly error?: unknown } | undefined;
  #onEnd: ((error?: unknown) => void) | undefined;

  constructor(request: HttpRequest) {
    this.#request = request;
  }

  start(pool: Pool, path: string): Promise<HttpAnswer> {
    const { method, headers, body, cancellation } = this.#request;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      cancellation.onAbort(this.#cancel);
      pool.dispatch({ path, method, headers, body: body ?? null }, this);
    });
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  async text(maxBytes: number): Promise<string> {
    this.#maxBytes = maxBytes;
    this.#checkSize();
    await this.#end();
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    const text = decodeUtf8(bytes);
    if (text === undefined) {
      throw new ProtocolViolationError(
        'the server sent a body that is not UTF-8',
        'TRN-01',
        Buffer.from(bytes).toString('latin1'),
      );
    }
    return text;
  }

  read(onChunk: (bytes: Uint8Array) => void): Promise<void> {
    this.#hear = onChunk;
    const early = this.#chunks;
    this.#chunks = [];
    for (const chunk of early) this.#tell(chunk);
    return this.#end();
  }

  discard(): void {
    let size = this.#size;
    this.#chunks = [];
    this.#onEnd = () => {};
    // A short rest is read, so that the connection can be used again; a long one isn't worth it.
    this.#hear = (chunk) => {
      size += chunk.length;
      if (size > MOST_DISCARDED) throw new ConnectionClosedError('nobody wants the rest of the body');
    };
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#request.cancellation.aborted) this.#cancel();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: { readonly [name: string]: string | string[] | undefined },
  ): void {
    if (status < 200) return;
    this.status = status;
    this.#headers = headers;
    this.#resolve(this);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#hear !== undefined) {
      this.#tell(chunk);
      return;
    }
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#checkSize();
  }

  onResponseEnd(): void {
    this.#finish({});
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#finish({ error: this.#translate(error) });
  }

  readonly #cancel = (): void => {
    const { reason } = this.#request.cancellation;
    const error = asError(reason);
    if (this.#controller === undefined) this.#finish({ error: reason });
    else this.#controller.abort(error);
  };

  #tell(chunk: Uint8Array): void {
    try {
      this.#hear?.(chunk);
    } catch (error) {
      this.#abort(error);
    }
  }

  #checkSize(): void {
    if (this.#size <= this.#maxBytes) return;
    this.#abort(
      new ProtocolViolationError(
        `the server sent a body of more than ${this.#maxBytes} bytes`,
        undefined,
        '',
      ),
    );
  }

  #abort(error: unknown): void {
    this.#finish({ error });
    this.#controller?.abort(asError(error));
  }

  #finish(end: { readonly error?: unknown }): void {
    if (this.#ended !== undefined) return;
    this.#ended = end;
    this.#request.cancellation.ignore(this.#cancel);
    if (this.status === 0) this.#reject(end.error);
    else this.#onEnd?.(end.error);
  }

  #end(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#onEnd = (error) => (error === undefined ? resolve() : reject(asError(error)));
      if (this.#ended !== undefined) this.#onEnd(this.#ended.error);
    });
  }

  #translate(error: Error): unknown {
    const { cancellation, url } = this.#request;
    if (cancellation.aborted) return cancellation.reason;
    if (error instanceof ProtocolViolationError || error instanceof UnreachableError) return error;
    if (this.status !== 0) {
      return new ConnectionClosedError(`${url} cut its answer off: ${error.message}`, { cause: error });
    }
    return unreachable(url, error);
  }
}
