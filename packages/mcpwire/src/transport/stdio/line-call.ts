import { encodeNotification } from '../../protocol/encode-message.ts';
import type { Caller, Exchange, McpRequest } from '../../protocol/handler.ts';
import type { Notification } from '../../protocol/notifications.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import type { Result } from '../../protocol/results.ts';
import type { CancelledError } from '../cancelled.ts';
import { LazySignal } from '../../async/lazy-signal.ts';
import { LISTEN, tagNotification, tagResult } from '../subscription-tag.ts';

/** Where lines go. */
export interface LineSink {
  /** Queues one line (without its line break). */
  write(text: string): void;
  /** Queues one line that leaves apart from those before it. */
  writeApart(text: string): void;
  /** Resolves when the peer can take more; undefined where it already can. */
  ready(): Promise<void> | undefined;
}

/** One request that came in on a line, from its arrival to its answer. */
export class LineCall implements Exchange {
  readonly id: RequestId;
  readonly request: McpRequest;
  readonly caller: Caller;
  readonly #sink: LineSink;
  readonly #signal = new LazySignal();
  /** Whether the handler was called: until then the request waits in line. */
  hasStarted = false;
  #cancelled: CancelledError | undefined;
  #finished = false;
  #hasNotified = false;

  constructor(id: RequestId, request: McpRequest, sink: LineSink, caller: Caller) {
    this.id = id;
    this.request = request;
    this.caller = caller;
    this.#sink = sink;
  }

  get signal(): AbortSignal {
    return this.#signal.signal;
  }

  async notify(notification: Notification): Promise<void> {
    // After the answer, or after a cancellation, nothing more goes out (PROG-08, STDIO-11).
    if (this.#finished || !this.isAnswerable()) return;
    this.#hasNotified = true;
    const listens = this.request.method === LISTEN;
    this.#sink.write(encodeNotification(listens ? tagNotification(notification, this.id) : notification));
    await this.#sink.ready();
  }

  cancel(reason: CancelledError): void {
    // A caller that has cancelled hears nothing more, whatever ends after that.
    if (this.#cancelled?.by !== 'caller') this.#cancelled = reason;
    this.#signal.abort(reason);
  }

  /** Whether anybody waits for the answer. A subscription that the server ends still gets its result. */
  isAnswerable(): boolean {
    return this.#cancelled === undefined || this.#cancelled.by === 'closing';
  }

  tagResult(result: Result): Result {
    return this.request.method === LISTEN ? tagResult(result, this.id) : result;
  }

  /** Writes a result; for a subscription, which the server ended then, the cancellation first (CANC-02). */
  succeed(answer: string): void {
    this.#finished = true;
    if (this.request.method === LISTEN) {
      this.#sink.write(
        encodeNotification({
          method: 'notifications/cancelled',
          params: { requestId: this.id, reason: 'closed' },
        }),
      );
    }
    this.#answer(answer);
  }

  /** Writes an error. */
  fail(answer: string): void {
    this.#finished = true;
    this.#answer(answer);
  }

  #answer(text: string): void {
    if (this.#hasNotified) this.#sink.writeApart(text);
    else this.#sink.write(text);
  }
}
