import type { Slots } from '../../async/slots.ts';
import { encodeError, encodeResult } from '../../protocol/encode-message.ts';
import type { Caller, Handler } from '../../protocol/handler.ts';
import type { Message } from '../../protocol/message.ts';
import type { InvalidMessage } from '../../protocol/parse-message.ts';
import { invalidRequest } from '../../protocol/protocol-error.ts';
import type { HttpReply } from '../../transport/http/reply.ts';
import type { Reporter } from '../../transport/report.ts';
import type { LineSink } from '../../transport/stdio/line-call.ts';
import type { SessionBounds } from '../front/reply.ts';
import { LegacyLines } from '../lines/legacy-lines.ts';

export interface SseStreamOptions {
  readonly handle: Handler;
  readonly caller: Caller;
  readonly slots: Slots;
  readonly report: Reporter;
  readonly bounds: Partial<SessionBounds>;
}

/** One client's event stream, which carries all that it hears. What it says comes by POST; the stream is its session. */
export class SseStream implements LineSink {
  readonly #reply: HttpReply;
  readonly #options: SseStreamOptions;
  /** The same exchange of messages as on a pipe, on another wire. */
  readonly #lines: LegacyLines;
  #ready: Promise<void> | undefined;
  #isOver = false;

  constructor(reply: HttpReply, options: SseStreamOptions) {
    this.#reply = reply;
    this.#options = options;
    this.#lines = new LegacyLines({ ...options, sink: this });
  }

  /** Tells the client where to post its messages (2024-11-05 basic/transports, "HTTP with SSE"). */
  open(endpoint: string, headers: readonly string[]): void {
    this.#reply.openStream(headers);
    void this.#reply.write(`event: endpoint\ndata: ${endpoint}\n\n`);
  }

  write(text: string): void {
    if (this.#isOver) return;
    const ready = this.#reply.write(`event: message\ndata: ${text}\n\n`);
    if (ready === this.#ready) return;
    this.#ready = ready;
    void ready?.then(() => {
      if (this.#ready === ready) this.#ready = undefined;
    });
  }

  /** Events are read one by one: nothing to keep apart. */
  writeApart(text: string): void {
    this.write(text);
  }

  ready(): Promise<void> | undefined {
    return this.#ready;
  }

  keepAlive(): void {
    void this.#reply.write(':\n\n');
  }

  take(message: Message): void {
    const lines = this.#lines;
    switch (message.kind) {
      case 'request':
        if (lines.request(message)) return;
        this.write(
          message.method === 'ping'
            ? encodeResult(message.id, {})
            : encodeError(message.id, invalidRequest('there is no session: start with initialize').toWire()),
        );
        return;
      case 'notification':
        lines.notification(message);
        return;
      default:
        if (lines.response(message)) return;
        this.#options.report({
          kind: 'response-ignored',
          message: `a ${message.kind} for id ${String(message.id)}`,
        });
    }
  }

  /** Takes what is no message: the answer to a question may be meant by it. */
  takeInvalid(message: InvalidMessage): void {
    if (message.isResponse === true) this.#lines.response(message);
  }

  /** False where the revision has no batches. */
  takeBatch(values: readonly unknown[]): boolean {
    return this.#lines.batch(values);
  }

  /** The stream is over, and with it the session: what runs is cancelled. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#lines.abort();
    this.#reply.endStream('');
  }
}
