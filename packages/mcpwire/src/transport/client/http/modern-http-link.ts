import { encodeNotification, encodeRequest } from '../../../protocol/encode-message.ts';
import { ErrorCode } from '../../../protocol/error-codes.ts';
import type { Cancellation } from '../../../protocol/handler.ts';
import { isJsonObject } from '../../../protocol/json.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import { MetaKey } from '../../../protocol/meta-keys.ts';
import { methodRow } from '../../../protocol/methods.ts';
import type { Notification } from '../../../protocol/notifications.ts';
import { paramHeaders } from '../../../protocol/param-headers.ts';
import { PeerError } from '../../../protocol/protocol-error.ts';
import { CancelledError } from '../../cancelled.ts';
import { safeReporter } from '../../report.ts';
import type { Reporter } from '../../report.ts';
import { LISTEN } from '../../subscription-tag.ts';
import { ConnectionClosedError, LimitError, ProtocolViolationError, UnreachableError } from '../errors.ts';
import type { Link, LinkRequest } from '../link.ts';
import { EventReader } from './event-reader.ts';
import type { HttpLinkOptions } from './http-options.ts';
import { HttpWire, NEVER } from './http-wire.ts';
import { MirroredHeaders } from './mirrored-headers.ts';
import { ParamMemory } from './param-memory.ts';
import { messagesOf, isResponseTo, resultIn } from './read-answer.ts';
import { mediaType } from './sender.ts';
import type { HttpAnswer, Sender } from './sender.ts';

/**
 * Streamable HTTP of the modern era (basic/transports/streamable-http): every request is a POST of its own, and closing
 * it is its cancellation. What the headers mirror is mirrored here, so that any request has it, however it was made.
 */
export class ModernHttpLink implements Link {
  readonly transport = 'http';
  readonly #wire: HttpWire;
  readonly #sender: Sender;
  readonly #report: Reporter;
  readonly #params: ParamMemory;
  readonly #headers = new MirroredHeaders();
  readonly #open = new Set<OpenRequest>();
  #nextId = 1;
  #isClosed = false;

  constructor(options: HttpLinkOptions) {
    this.#wire = new HttpWire(options);
    this.#sender = options.sender;
    this.#report = safeReporter(options.report);
    this.#params = new ParamMemory(this.#report);
  }

  async request(request: LinkRequest): Promise<JsonObject> {
    try {
      return await this.#send(request);
    } catch (error) {
      // A kept connection may be closed by the server in the very moment in which it is used again.
      if (isSafeToRepeat(error, request)) return this.#send(request);
      if (!this.#isParamMismatch(error, request)) throw error;
      // What is known of the tool may be out of date, or nothing is known of it yet (HTTP-60).
      await this.#relist(request);
      if (this.#params.of(request.params['name']) === undefined) throw error;
      return this.#send(request);
    }
  }

  async notify(notification: Notification): Promise<void> {
    const answer = await this.#wire.send({
      method: 'POST',
      headers: this.#headers.of(notification.method, undefined, undefined),
      body: encodeNotification(notification),
      cancellation: NEVER,
    });
    if (answer.status >= 400) throw await this.#wire.refusal(answer, notification.method);
    answer.discard();
  }

  respond(): Promise<void> {
    return Promise.reject(new ProtocolViolationError('a modern server sends no requests', 'HTTP-12', ''));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const error = new ConnectionClosedError('the connection was closed by this side');
    for (const open of this.#open) open.abort(error);
    await this.#sender.close();
  }

  async #send(request: LinkRequest): Promise<JsonObject> {
    const { method, cancellation } = request;
    if (this.#isClosed) throw new ConnectionClosedError('the connection was closed by this side');
    if (cancellation.aborted) throw cancellation.reason;
    const { maxPending } = this.#wire.bounds;
    if (this.#open.size >= maxPending) {
      throw new LimitError(`${maxPending} requests wait for their answer already`);
    }
    const id = this.#nextId++;
    const open = new OpenRequest(cancellation);
    this.#open.add(open);
    try {
      const answer = await this.#wire.send({
        method: 'POST',
        headers: this.#headersOf(request),
        body: encodeRequest(id, method, request.params),
        cancellation: open,
        isApart: method === LISTEN,
      });
      if (answer.status < 200 || answer.status >= 300) throw await this.#wire.refusal(answer, method);
      const result = await this.#resultOf(answer, id, request);
      return method === 'tools/list' ? this.#params.learn(result) : result;
    } catch (error) {
      throw open.aborted ? open.reason : error;
    } finally {
      open.done();
      this.#open.delete(open);
    }
  }

  #resultOf(answer: HttpAnswer, id: number, request: LinkRequest): Promise<JsonObject> {
    return mediaType(answer) === 'text/event-stream'
      ? this.#streamed(answer, id, request)
      : resultIn(answer, id, request.method, this.#wire);
  }

  /** Reads the stream up to the response, which ends it (HTTP-19). */
  async #streamed(answer: HttpAnswer, id: number, request: LinkRequest): Promise<JsonObject> {
    const { maxEventBytes } = this.#wire.bounds;
    let response: { readonly result: JsonObject } | { readonly error: unknown } | undefined;
    const reader = new EventReader(maxEventBytes, {
      event: ({ data }) => {
        if (data === '' || response !== undefined) return;
        for (const message of messagesOf(data, this.#wire.textBounds)) {
          if (isResponseTo(message, id)) {
            if (message.kind === 'result') response = { result: message.result };
            else if (message.kind === 'error') {
              response = { error: new PeerError(message.error, answer.status) };
            }
          } else if (message.kind === 'notification' || message.kind === 'request') {
            request.hear(message);
          } else if (message.kind === 'invalid') {
            response = {
              error: new ProtocolViolationError(
                `an event that is no message: ${message.error.message}`,
                'BASE-02',
                data,
              ),
            };
          } else {
            this.#report({
              kind: 'stray-response',
              method: request.method,
              message: `the stream holds a response to ${JSON.stringify(message.id)} [BASE-06]`,
            });
          }
        }
      },
    });
    await answer
      .read((chunk) => {
        reader.push(chunk);
        if (response !== undefined) throw DONE;
      })
      .catch((error: unknown) => {
        if (error !== DONE) throw error;
      });
    if (response === undefined) {
      throw new ConnectionClosedError(
        `the server ended its answer to ${request.method} before the response [HTTP-88]: whether it ran is not known`,
      );
    }
    if ('error' in response) throw response.error;
    return response.result;
  }

  #headersOf({ method, params }: LinkRequest): { readonly [name: string]: string } {
    const meta = params['_meta'];
    const version = isJsonObject(meta) ? meta[MetaKey.protocolVersion] : undefined;
    const nameParam = methodRow(method)?.nameParam;
    const name = nameParam === undefined ? undefined : params[nameParam];
    const headers = this.#headers.of(method, version, name);
    if (method !== 'tools/call') return headers;
    const mirrored = this.#params.of(name);
    const args = params['arguments'];
    return mirrored === undefined || mirrored.length === 0
      ? headers
      : { ...headers, ...paramHeaders(mirrored, isJsonObject(args) ? args : {}) };
  }

  #isParamMismatch(error: unknown, { method }: LinkRequest): boolean {
    return error instanceof PeerError && error.code === ErrorCode.headerMismatch && method === 'tools/call';
  }

  async #relist({ params, cancellation }: LinkRequest): Promise<void> {
    let cursor: unknown;
    for (let page = 0; page < MOST_PAGES; page++) {
      const list: JsonObject =
        cursor === undefined ? { _meta: params['_meta'] } : { _meta: params['_meta'], cursor };
      const { nextCursor } = await this.#send({
        method: 'tools/list',
        params: list,
        cancellation,
        hear: () => {},
      });
      if (typeof nextCursor !== 'string' || nextCursor === cursor) return;
      cursor = nextCursor;
    }
  }
}

/** Lists and reads change nothing, so that it doesn't matter whether the server has seen them. */
function isSafeToRepeat(error: unknown, { method }: LinkRequest): boolean {
  return error instanceof UnreachableError && error.mayHaveArrived && methodRow(method)?.cacheable === true;
}

const MOST_PAGES = 64;

/** Ends the reading of a stream whose response is there. */
const DONE = new CancelledError('closing', 'the response is there');

/** The cancellation of a request: that of its caller, or the end of the link. */
class OpenRequest implements Cancellation {
  readonly #caller: Cancellation;
  #isClosed = false;
  #why: unknown;
  #listener: (() => void) | undefined;

  constructor(caller: Cancellation) {
    this.#caller = caller;
  }

  get aborted(): boolean {
    return this.#isClosed || this.#caller.aborted;
  }

  get reason(): unknown {
    return this.#isClosed ? this.#why : this.#caller.reason;
  }

  onAbort(listener: () => void): void {
    this.#listener = listener;
    this.#caller.onAbort(listener);
  }

  ignore(listener: () => void): void {
    this.#listener = undefined;
    this.#caller.ignore(listener);
  }

  abort(reason: unknown): void {
    this.#isClosed = true;
    this.#why = reason;
    this.#listener?.();
  }

  done(): void {
    if (this.#listener !== undefined) this.ignore(this.#listener);
  }
}
