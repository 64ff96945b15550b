import { encodeError, encodeResult } from '../../protocol/encode-message.ts';
import type { Caller, Handler, McpRequest } from '../../protocol/handler.ts';
import type { NotificationMessage, RequestMessage } from '../../protocol/message.ts';
import { parseMessage, readId } from '../../protocol/parse-message.ts';
import type { ErrorObject } from '../../protocol/protocol-error.ts';
import { internalError, invalidRequest, parseError } from '../../protocol/protocol-error.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import { isRequestId } from '../../protocol/request-id.ts';
import type { Result } from '../../protocol/results.ts';
import type { TextBounds } from '../../protocol/scan-text.ts';
import { admit } from '../admit.ts';
import { CancelledError } from '../cancelled.ts';
import { invoke } from '../invoke.ts';
import type { Reporter } from '../report.ts';
import { toErrorObject } from '../report.ts';
import { LISTEN } from '../subscription-tag.ts';
import { LineCall } from './line-call.ts';
import type { LineSink } from './line-call.ts';

export interface LineServerOptions {
  readonly handle: Handler;
  readonly sink: LineSink;
  readonly caller: Caller;
  readonly bounds: TextBounds;
  /** Requests that run at the same time; more wait in line. */
  readonly maxConcurrent: number;
  /** Open subscriptions; one more is refused with -32603. */
  readonly maxSubscriptions: number;
  readonly report: Reporter;
  /** Called when the number of waiting requests changes, so that the reader can pause. */
  readonly onWaiting?: (waiting: number) => void;
}

/**
 * Serves a handler over lines of JSON-RPC: one message in, answers out as they become ready (basic/transports/stdio).
 * Knows texts, not bytes: framing is the line splitter's business.
 */
export class LineServer {
  readonly #options: LineServerOptions;
  /** Every request that has no answer yet, by id; keys keep the id's type. */
  readonly #calls = new Map<RequestId, LineCall>();
  readonly #waiting: LineCall[] = [];
  #running = 0;
  #subscriptions = 0;
  #idle: (() => void) | undefined;

  constructor(options: LineServerOptions) {
    this.#options = options;
  }

  /** Takes the text of one line. */
  receive(text: string): void {
    const message = parseMessage(text, this.#options.bounds);
    switch (message.kind) {
      case 'request':
        return this.#request(message);
      case 'notification':
        return this.#notification(message);
      case 'invalid':
        if (message.silent) {
          this.#options.report({ kind: 'message-refused', message: message.error.message });
          return;
        }
        return this.#fail(message.id, message.error.toWire());
      default:
        // Clients send no responses in this revision; there is nobody to tell (TRN-03).
        this.#options.report({
          kind: 'response-ignored',
          message: `a ${message.kind} for id ${String(message.id)}`,
        });
    }
  }

  /** Answers bytes that were no text, or a line that was over the bound. */
  refuseLine(problem: 'not-utf8' | 'too-long', head: string, maxBytes: number): void {
    const error =
      problem === 'not-utf8'
        ? parseError('not UTF-8')
        : invalidRequest(`a line holds at most ${maxBytes} bytes`);
    this.#options.report({ kind: `line-${problem}`, message: error.message });
    this.#fail(readId(head), error.toWire());
  }

  /** No more input: ends subscriptions, resolves when every request has its answer. */
  async drain(): Promise<void> {
    for (const call of this.#calls.values()) {
      if (call.request.method === LISTEN) call.cancel(new CancelledError('closing', 'the server is closing'));
    }
    if (this.#calls.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
  }

  /** Aborts everything that still runs. */
  abort(): void {
    for (const call of this.#calls.values())
      call.cancel(new CancelledError('caller', 'the connection is gone'));
  }

  #request(message: RequestMessage): void {
    const { id } = message;
    if (this.#calls.has(id)) {
      return this.#fail(id, invalidRequest('the id belongs to a request that has no answer yet').toWire());
    }
    let request: McpRequest;
    try {
      request = admit(message);
    } catch (error) {
      return this.#fail(id, toErrorObject(error, message.method, this.#options.report));
    }
    const call = new LineCall(id, request, this.#options.sink, this.#options.caller);
    if (request.method === LISTEN) {
      if (this.#subscriptions >= this.#options.maxSubscriptions) {
        return this.#fail(
          id,
          internalError(`at most ${this.#options.maxSubscriptions} subscriptions at once`).toWire(),
        );
      }
      this.#calls.set(id, call);
      this.#subscriptions++;
      return this.#run(call);
    }
    this.#calls.set(id, call);
    if (this.#running < this.#options.maxConcurrent) {
      this.#running++;
      this.#run(call);
    } else {
      this.#waiting.push(call);
      this.#options.onWaiting?.(this.#waiting.length);
    }
  }

  #run(call: LineCall): void {
    invoke(this.#options.handle, call.request, call).then(
      (result) => this.#done(call, result, undefined),
      (error: unknown) => this.#done(call, undefined, error),
    );
  }

  #done(call: LineCall, result: Result | undefined, error: unknown): void {
    this.#forget(call);
    if (!call.isAnswerable()) return;
    if (result !== undefined) {
      try {
        call.succeed(encodeResult(call.id, call.tagResult(result)));
        return;
      } catch (unwritable) {
        error = unwritable; // a cycle or a bigint: the handler's fault, and the harm of its own call only
      }
    }
    call.fail(encodeError(call.id, toErrorObject(error, call.request.method, this.#options.report)));
  }

  #forget(call: LineCall): void {
    this.#calls.delete(call.id);
    if (call.request.method === LISTEN) {
      this.#subscriptions--;
    } else {
      const next = this.#nextWaiting();
      if (next === undefined) this.#running--;
      else this.#run(next);
    }
    if (this.#calls.size === 0) this.#idle?.();
  }

  #nextWaiting(): LineCall | undefined {
    if (this.#waiting.length === 0) return undefined;
    const next = this.#waiting.shift();
    this.#options.onWaiting?.(this.#waiting.length);
    return next;
  }

  #notification(message: NotificationMessage): void {
    if (message.method !== 'notifications/cancelled') {
      this.#options.report({ kind: 'notification-ignored', message: message.method });
      return;
    }
    const { requestId, reason } = message.params;
    const call = isRequestId(requestId) ? this.#calls.get(requestId) : undefined;
    if (call === undefined) return; // unknown or already answered: the race is allowed (CANC-14)
    call.cancel(
      new CancelledError('caller', typeof reason === 'string' ? reason : 'cancelled by the client'),
    );
    const waiting = this.#waiting.indexOf(call);
    if (waiting === -1) return;
    this.#waiting.splice(waiting, 1);
    this.#calls.delete(call.id);
    this.#options.onWaiting?.(this.#waiting.length);
  }

  #fail(id: RequestId | undefined, error: ErrorObject): void {
    this.#options.sink.write(encodeError(id, error));
  }
}
