import { LazySignal } from '../../async/lazy-signal.ts';
import { encodeNotification } from '../../protocol/encode-message.ts';
import type { Caller, Exchange } from '../../protocol/handler.ts';
import type { Notification } from '../../protocol/notifications.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import type { Translation } from '../../protocol/revisions/translate.ts';
import { CancelledError } from '../../transport/cancelled.ts';
import type { LegacyReply } from './reply.ts';

/** One legacy request from its arrival to its answer. */
export class SessionCall implements Exchange {
  readonly id: RequestId;
  readonly method: string;
  readonly caller: Caller;
  readonly #reply: LegacyReply;
  readonly #translation: Translation;
  readonly #signal = new LazySignal();
  #finished = false;

  constructor(id: RequestId, method: string, caller: Caller, reply: LegacyReply, translation: Translation) {
    this.id = id;
    this.method = method;
    this.caller = caller;
    this.#reply = reply;
    this.#translation = translation;
  }

  get signal(): AbortSignal {
    return this.#signal.signal;
  }

  /** Whether the client cancelled, or its session ended. */
  get isCancelled(): boolean {
    return this.#signal.aborted;
  }

  async notify(notification: Notification): Promise<void> {
    if (this.#finished) return;
    const { method } = notification;
    const params = this.#translation.notification(method, notification.params);
    await this.#reply.send(encodeNotification({ method, params }));
  }

  async send(text: string): Promise<void> {
    if (!this.#finished) await this.#reply.send(text);
  }

  /** The client cancelled: work stops, no answer follows, and what carried the request ends. Only the first call counts. */
  cancel(reason: string): void {
    this.#signal.abort(new CancelledError('caller', reason));
    this.finish(undefined);
  }

  finish(answer: string | undefined): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#reply.finish(answer);
  }
}
