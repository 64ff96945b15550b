import type { Slots } from '../../async/slots.ts';
import { encodeError, encodeResult } from '../../protocol/encode-message.ts';
import type { Caller, Handler } from '../../protocol/handler.ts';
import type {
  ErrorMessage,
  NotificationMessage,
  RequestMessage,
  ResultMessage,
} from '../../protocol/message.ts';
import type { InvalidMessage } from '../../protocol/parse-message.ts';
import { invalidRequest } from '../../protocol/protocol-error.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import { CancelledError } from '../../transport/cancelled.ts';
import type { LineSink } from '../../transport/stdio/line-call.ts';
import type { LegacyLineFront } from '../../transport/stdio/lazy-line-front.ts';
import type { Reporter } from '../../transport/report.ts';
import { toErrorObject } from '../../transport/report.ts';
import { deliver, parseBatch } from '../front/deliver.ts';
import { negotiate } from '../front/facts.ts';
import { initializeResult } from '../front/initialize.ts';
import { DEFAULT_SESSION_BOUNDS } from '../front/reply.ts';
import type { LegacyReply, SessionBounds } from '../front/reply.ts';
import { LegacySession } from '../front/session.ts';

export interface LegacyLinesOptions {
  readonly handle: Handler;
  readonly sink: LineSink;
  readonly caller: Caller;
  /** The same slots as the modern requests of this connection. */
  readonly slots: Slots;
  readonly report: Reporter;
  readonly bounds?: Partial<SessionBounds>;
}

/** The legacy era on a line connection: an `initialize` selects it, for this process (versioning, VER-12). */
export class LegacyLines implements LegacyLineFront {
  readonly #options: LegacyLinesOptions;
  readonly #bounds: SessionBounds;
  readonly #send: (text: string) => Promise<void>;
  #session: LegacySession | undefined;
  /** What came after an `initialize` that has no answer yet: scripts send everything at once. */
  #waiting: (() => void)[] | undefined;
  #open = 0;
  #isEnding = false;
  #isAborted = false;
  #idle: (() => void) | undefined;

  constructor(options: LegacyLinesOptions) {
    this.#options = options;
    this.#bounds = { ...DEFAULT_SESSION_BOUNDS, ...options.bounds };
    this.#send = async (text) => {
      options.sink.write(text);
      await options.sink.ready();
    };
  }

  request(message: RequestMessage): boolean {
    if (this.#defer(() => this.request(message), message.id)) return true;
    if (message.method === 'initialize') {
      this.#initialize(message);
      return true;
    }
    const session = this.#session;
    if (session !== undefined) session.request(message, this.#options.caller, this.#reply());
    return session !== undefined;
  }

  notification(message: NotificationMessage): boolean {
    if (this.#waiting !== undefined) {
      this.#waiting.push(() => this.notification(message));
      return true;
    }
    if (this.#session === undefined) return false;
    if (message.method === 'notifications/initialized') this.#listen(this.#session);
    this.#session.notification(message);
    return true;
  }

  response(message: ResultMessage | ErrorMessage | InvalidMessage): boolean {
    if (this.#session?.response(message) !== true) return false;
    if (message.kind === 'invalid') {
      this.#options.report({ kind: 'message-refused', message: message.error.message });
    }
    return true;
  }

  batch(values: readonly unknown[]): boolean {
    if (this.#defer(() => this.batch(values), undefined)) return true;
    const session = this.#session;
    if (session?.facts.version !== '2025-03-26') return false;
    const messages = parseBatch(values);
    if ('kind' in messages) {
      this.#options.sink.write(encodeError(undefined, messages.error.toWire()));
      return true;
    }
    deliver(messages, true, {
      session,
      open: () => ({ caller: this.#options.caller, reply: this.#reply() }),
      unexpected: () => {}, // an answer that nobody waits for: it may have come too late
    });
    return true;
  }

  /** No more input: who asks gets no answer. Resolves when every request has its own. */
  async drain(): Promise<void> {
    this.#isEnding = true;
    this.#session?.endInput();
    if (this.#open > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    this.#session?.unlisten(this.#send);
  }

  abort(): void {
    this.#isAborted = true;
    this.#waiting &&= []; // nobody is there for whom it would run
    this.#session?.close();
  }

  /** Keeps what comes while a handshake is under way; false where none is. */
  #defer(take: () => boolean, id: RequestId | undefined): boolean {
    this.#waiting?.push(() => {
      if (!take()) this.#options.sink.write(encodeError(id, NO_SESSION));
    });
    return this.#waiting !== undefined;
  }

  #initialize(message: RequestMessage): void {
    const { sink, report } = this.#options;
    this.#open++;
    this.#waiting = [];
    void this.#start(message)
      .catch((error: unknown) =>
        this.#isAborted ? '' : encodeError(message.id, toErrorObject(error, 'initialize', report)),
      )
      .then((answer) => {
        if (!this.#isAborted) sink.write(answer);
        const waiting = this.#waiting ?? [];
        this.#waiting = undefined;
        for (const go of waiting) go();
        this.#left();
      });
  }

  async #start(message: RequestMessage): Promise<string> {
    const { handle, caller, report, slots } = this.#options;
    const facts = negotiate(message.params);
    const result = await initializeResult(handle, facts, caller);
    if (this.#isAborted) throw new CancelledError('caller', 'the connection is gone');
    this.#session?.close(); // a second handshake starts afresh
    this.#session = new LegacySession(facts, caller, { handle, bounds: this.#bounds, report, slots });
    if (this.#isEnding) this.#session.endInput();
    return encodeResult(message.id, result);
  }

  #listen(session: LegacySession): void {
    session.listen(this.#send).catch((error: unknown) => {
      this.#options.report({ kind: 'listen-failed', message: 'the session hears of no changes', error });
    });
  }

  #reply(): LegacyReply {
    this.#open++;
    return {
      send: this.#send,
      finish: (answer) => {
        if (answer !== undefined) this.#options.sink.write(answer);
        this.#left();
      },
    };
  }

  #left(): void {
    this.#open--;
    if (this.#open === 0) this.#idle?.();
  }
}

const NO_SESSION = invalidRequest('there is no session: start with initialize').toWire();
