import { encodeError, encodeNotification, encodeResult } from '../../protocol/encode-message.ts';
import type { Caller, Exchange, McpRequest } from '../../protocol/handler.ts';
import type { Notification } from '../../protocol/notifications.ts';
import type { ErrorObject } from '../../protocol/protocol-error.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import type { Result } from '../../protocol/results.ts';
import { CancelledError } from '../cancelled.ts';
import { LazySignal } from '../../async/lazy-signal.ts';
import { LISTEN, tagNotification, tagResult } from '../subscription-tag.ts';
import type { HttpHead } from './head.ts';
import type { OpenStreams } from './open-streams.ts';
import type { HttpReply } from './reply.ts';
import { statusOf } from './status.ts';

/** One request that came in by POST, from its arrival to its answer. It is its own `Exchange` and `Caller`. */
export class HttpCall implements Exchange, Caller {
  readonly id: RequestId;
  readonly request: McpRequest;
  readonly transport = 'http';
  readonly #head: HttpHead;
  readonly #reply: HttpReply;
  readonly #headers: readonly string[];
  readonly #signal = new LazySignal();
  readonly #streams: OpenStreams;
  #state: 'waiting' | 'streaming' | 'done' = 'waiting';

  constructor(
    id: RequestId,
    request: McpRequest,
    wire: { readonly head: HttpHead; readonly reply: HttpReply; readonly headers: readonly string[] },
    streams: OpenStreams,
  ) {
    this.id = id;
    this.request = request;
    this.#head = wire.head;
    this.#reply = wire.reply;
    this.#headers = wire.headers;
    this.#streams = streams;
  }

  get caller(): Caller {
    return this;
  }

  header(name: string): string | undefined {
    return this.#head.header(name);
  }

  paramHeader(name: string): string | undefined {
    return this.#head.header(name);
  }

  get signal(): AbortSignal {
    return this.#signal.signal;
  }

  /** Opens the event stream with the first notification: without one the answer is plain JSON. */
  async notify(notification: Notification): Promise<void> {
    if (this.#state === 'done' || this.#signal.aborted) return;
    const listens = this.request.method === LISTEN;
    // What can't be written throws here, before a stream is opened for it.
    const text = event(encodeNotification(listens ? tagNotification(notification, this.id) : notification));
    if (this.#state === 'waiting') {
      this.#state = 'streaming';
      this.#streams.add(this);
      this.#reply.openStream(this.#headers);
    }
    await this.#reply.write(text);
  }

  /** A comment line, so that nobody between the two ends takes the stream for dead. */
  keepAlive(): void {
    void this.#reply.write(':\n\n');
  }

  /** The client is gone: that is its way to cancel (HTTP-22). Nothing more is sent (HTTP-24). */
  disconnected(): void {
    if (this.#state === 'done') return;
    this.#finish();
    this.#signal.abort(new CancelledError('caller', 'the client closed the connection'));
  }

  /** This side ends: a subscription returns and its result is still sent. */
  close(): void {
    this.#signal.abort(new CancelledError('closing', 'the server is closing'));
  }

  /** Whether anybody waits for the answer. */
  isAnswerable(): boolean {
    return this.#state !== 'done';
  }

  succeed(result: Result): void {
    if (this.#state === 'done') return;
    const tagged = this.request.method === LISTEN ? tagResult(result, this.id) : result;
    this.#answer(200, encodeResult(this.id, tagged));
  }

  fail(error: ErrorObject): void {
    if (this.#state === 'done') return;
    this.#answer(statusOf(error.code), encodeError(this.id, error));
  }

  #answer(status: number, text: string): void {
    const streaming = this.#state === 'streaming';
    this.#finish();
    if (streaming) this.#reply.endStream(event(text));
    else this.#reply.send(status, JSON_TYPE, text, this.#headers);
  }

  #finish(): void {
    if (this.#state === 'streaming') this.#streams.delete(this);
    this.#state = 'done';
  }
}

export const JSON_TYPE = 'application/json';

/** One server-sent event. JSON has no raw line breaks, so one data line is enough. */
function event(json: string): string {
  return `data: ${json}\n\n`;
}
