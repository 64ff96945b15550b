import { Slots } from '../../async/slots.ts';
import { encodeError, encodeResult } from '../../protocol/encode-message.ts';
import type { Caller, Handler, McpRequest } from '../../protocol/handler.ts';
import type { Message, NotificationMessage, RequestMessage } from '../../protocol/message.ts';
import { classify, parseText, readId } from '../../protocol/parse-message.ts';
import type { InvalidMessage } from '../../protocol/parse-message.ts';
import type { ErrorObject } from '../../protocol/protocol-error.ts';
import { internalError, invalidRequest, parseError } from '../../protocol/protocol-error.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import { isRequestId } from '../../protocol/request-id.ts';
import type { Result } from '../../protocol/results.ts';
import type { TextBounds } from '../../protocol/scan-text.ts';
import { admit, hasEnvelope } from '../admit.ts';
import { CancelledError } from '../cancelled.ts';
import { invoke } from '../invoke.ts';
import type { Reporter } from '../report.ts';
import { toErrorObject } from '../report.ts';
import { LISTEN } from '../subscription-tag.ts';
import { LazyLineFront } from './lazy-line-front.ts';
import type { LoadLegacyLines } from './lazy-line-front.ts';
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
  /** Brings the legacy era in; without it only the modern one is served. */
  readonly loadLegacy?: LoadLegacyLines;
}

/**
 * Serves a handler over lines of JSON-RPC: one message in, answers out as they become ready (basic/transports/stdio).
 * Knows texts, not bytes: framing is the line splitter's business.
 */
export class LineServer {
  readonly #options: LineServerOptions;
  /** Every request that has no answer yet, by id; keys keep the id's type. */
  readonly #calls = new Map<RequestId, LineCall>();
  readonly #slots: Slots;
  readonly #legacy: LazyLineFront | undefined;
  #subscriptions = 0;
  #isDraining = false;
  #idle: (() => void) | undefined;

  constructor(options: LineServerOptions) {
    this.#options = options;
    this.#slots = new Slots(options.maxConcurrent, options.onWaiting);
    const { loadLegacy } = options;
    if (loadLegacy !== undefined) {
      this.#legacy = new LazyLineFront(
        () => loadLegacy(this.#slots),
        (text) => options.sink.write(text),
      );
    }
  }

  /** Takes the text of one line. */
  receive(text: string): void {
    const parsed = parseText(text, this.#options.bounds);
    if (parsed.kind === 'value' && this.#legacy !== undefined && Array.isArray(parsed.value)) {
      const { value } = parsed;
      return this.#legacy.batch(value, () => this.#take(classify(value)));
    }
    this.#take(parsed.kind === 'value' ? classify(parsed.value) : parsed);
  }

  #take(message: Message | InvalidMessage): void {
    switch (message.kind) {
      case 'request':
        if (this.#legacy === undefined || hasEnvelope(message)) return this.#request(message);
        return this.#legacy.request(message, () => this.#request(message));
      case 'notification':
        return this.#notification(message);
      case 'invalid':
        if (this.#legacy === undefined || message.isResponse !== true) return this.#refuse(message);
        return this.#legacy.response(message, () => this.#refuse(message));
      default: {
        // In the modern era clients send no responses; there is nobody to tell (TRN-03).
        const ignore = (): void => {
          const what = `a ${message.kind} for id ${String(message.id)}`;
          this.#options.report({ kind: 'response-ignored', message: what });
        };
        if (this.#legacy === undefined) return ignore();
        this.#legacy.response(message, ignore);
      }
    }
  }

  #refuse(message: InvalidMessage): void {
    if (message.silent) this.#options.report({ kind: 'message-refused', message: message.error.message });
    else this.#fail(message.id, message.error.toWire());
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
    this.#isDraining = true;
    for (const call of this.#calls.values()) {
      if (call.request.method === LISTEN) call.cancel(new CancelledError('closing', 'the server is closing'));
    }
    if (this.#calls.size > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    await this.#legacy?.drain();
  }

  /** Aborts everything that still runs. */
  abort(): void {
    for (const call of this.#calls.values()) {
      call.cancel(new CancelledError('caller', 'the connection is gone'));
    }
    this.#legacy?.abort();
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
      if (this.#isDraining) return this.#fail(id, internalError('the server is closing').toWire());
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
    this.#slots.enter(() => {
      // A request that was cancelled while it waited is gone by now.
      if (this.#calls.get(id) === call) this.#run(call);
      else this.#slots.leave();
    });
  }

  #run(call: LineCall): void {
    call.hasStarted = true;
    invoke(this.#options.handle, call.request, call).then(
      (result) => this.#done(call, result, undefined),
      (error: unknown) => this.#done(call, undefined, error),
    );
  }

  #done(call: LineCall, result: Result | undefined, error: unknown): void {
    this.#forget(call);
    if (!call.isAnswerable()) return;
    let failure = error;
    if (result !== undefined) {
      try {
        call.succeed(encodeResult(call.id, call.tagResult(result)));
        return;
      } catch (unwritable) {
        failure = unwritable; // a cycle or a bigint: the handler's fault, and the harm of its own call only
      }
    }
    call.fail(encodeError(call.id, toErrorObject(failure, call.request.method, this.#options.report)));
  }

  #forget(call: LineCall): void {
    this.#calls.delete(call.id);
    if (call.request.method === LISTEN) this.#subscriptions--;
    else this.#slots.leave();
    if (this.#calls.size === 0) this.#idle?.();
  }

  #notification(message: NotificationMessage): void {
    const ignore = (): void => {
      this.#options.report({ kind: 'notification-ignored', message: message.method });
    };
    const { requestId, reason } = message.params;
    const isCancellation = message.method === 'notifications/cancelled';
    const call = isCancellation && isRequestId(requestId) ? this.#calls.get(requestId) : undefined;
    if (call === undefined) {
      // An unknown id belongs to the other era, or to a request that was answered: the race is allowed (CANC-14).
      this.#legacy?.notification(message, isCancellation ? () => {} : ignore);
      if (this.#legacy === undefined && !isCancellation) ignore();
      return;
    }
    call.cancel(
      new CancelledError('caller', typeof reason === 'string' ? reason : 'cancelled by the client'),
    );
    if (!call.hasStarted) this.#calls.delete(call.id);
  }

  #fail(id: RequestId | undefined, error: ErrorObject): void {
    this.#options.sink.write(encodeError(id, error));
  }
}
