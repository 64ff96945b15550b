import type { Slots } from '../../async/slots.ts';
import { encodeError, encodeResult } from '../../protocol/encode-message.ts';
import type { Caller, Handler } from '../../protocol/handler.ts';
import type {
  ErrorMessage,
  NotificationMessage,
  RequestMessage,
  ResultMessage,
} from '../../protocol/message.ts';
import { classify } from '../../protocol/parse-message.ts';
import { invalidRequest } from '../../protocol/protocol-error.ts';
import type { LineSink } from '../../transport/stdio/line-call.ts';
import type { LegacyLineFront } from '../../transport/stdio/lazy-line-front.ts';
import type { Reporter } from '../../transport/report.ts';
import { toErrorObject } from '../../transport/report.ts';
import { BatchReply, MAX_BATCH } from '../front/batch.ts';
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
  #open = 0;
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
    if (message.method === 'initialize') {
      this.#initialize(message);
      return true;
    }
    if (this.#session === undefined) {
      return false;
    }
    this.#run(this.#session, message, this.#reply());
    return true;
  }

  notification(message: NotificationMessage): boolean {
    if (this.#session === undefined) return false;
    if (message.method === 'notifications/initialized') this.#listen(this.#session);
    this.#session.notification(message);
    return true;
  }

  response(message: ResultMessage | ErrorMessage): boolean {
    return this.#session?.response(message) ?? false;
  }

  batch(values: readonly unknown[]): boolean {
    const session = this.#session;
    if (session?.facts.version !== '2025-03-26') return false;
    if (values.length === 0 || values.length > MAX_BATCH) {
      const error = invalidRequest(`a batch holds 1 to ${MAX_BATCH} messages`);
      this.#options.sink.write(encodeError(undefined, error.toWire()));
      return true;
    }
    const messages = values.map(classify);
    const answered = messages.filter(
      (message) => message.kind === 'request' || (message.kind === 'invalid' && !message.silent),
    );
    const batch = answered.length === 0 ? undefined : new BatchReply(answered.length, this.#reply());
    for (const message of messages) {
      if (message.kind === 'request') {
        if (batch !== undefined) this.#run(session, message, batch.part());
      } else if (message.kind === 'notification') session.notification(message);
      else if (message.kind !== 'invalid') session.response(message);
      else if (!message.silent) batch?.add(encodeError(message.id, message.error.toWire()));
    }
    return true;
  }

  async drain(): Promise<void> {
    if (this.#open > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    this.#session?.unlisten(this.#send);
  }

  abort(): void {
    this.#session?.close();
  }

  #initialize(message: RequestMessage): void {
    const { handle, caller, sink, report } = this.#options;
    this.#open++;
    const start = async (): Promise<string> => {
      const facts = negotiate(message.params);
      const result = await initializeResult(handle, facts, caller);
      this.#session?.close(); // a second handshake starts afresh
      this.#session = new LegacySession(facts, caller, { handle, bounds: this.#bounds, report });
      return encodeResult(message.id, result);
    };
    start()
      .catch((error: unknown) => encodeError(message.id, toErrorObject(error, 'initialize', report)))
      .then((answer) => {
        sink.write(answer);
        this.#left();
      });
  }

  #listen(session: LegacySession): void {
    session.listen(this.#send).catch((error: unknown) => {
      this.#options.report({ kind: 'listen-failed', message: 'the session hears of no changes', error });
    });
  }

  #run(session: LegacySession, message: RequestMessage, reply: LegacyReply): void {
    const { slots, caller } = this.#options;
    slots.enter(() => {
      session.request(message, caller, {
        send: (text) => reply.send(text),
        finish: (answer) => {
          slots.leave();
          reply.finish(answer);
        },
      });
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
