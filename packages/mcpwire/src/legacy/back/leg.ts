import { onAbort } from '../../async/on-abort.ts';
import type { LoggingLevel, ProgressToken } from '../../protocol/common-types.ts';
import { isLoggingLevel } from '../../protocol/common-types.ts';
import type { Exchange, RequestMeta } from '../../protocol/handler.ts';
import { MetaKey } from '../../protocol/meta-keys.ts';
import type { Notification } from '../../protocol/notifications.ts';
import { isRequestId } from '../../protocol/request-id.ts';
import type { BackBounds } from './bounds.ts';
import type { Tally } from './tally.ts';

/**
 * One modern request while it is answered: a call that asks takes several. Its notifications reach the caller one after
 * the other and before its result; none is sent once that is out.
 */
export class Leg {
  readonly exchange: Exchange;
  /** The least severe level that the caller wants to hear of. */
  readonly level: LoggingLevel | undefined;
  readonly progressToken: ProgressToken | undefined;
  readonly #bounds: BackBounds;
  readonly #tally: Tally;
  #pending = 0;
  #sent: Promise<void> | undefined;
  #isOver = false;

  constructor(meta: RequestMeta, exchange: Exchange, bounds: BackBounds, tally: Tally) {
    this.exchange = exchange;
    const level = meta[MetaKey.logLevel];
    this.level = isLoggingLevel(level) ? level : undefined;
    const token = meta[MetaKey.progressToken];
    this.progressToken = isRequestId(token) ? token : undefined;
    this.#bounds = bounds;
    this.#tally = tally;
  }

  notify(notification: Notification): void {
    if (this.#isOver) return;
    if (this.#pending >= this.#bounds.maxPendingNotifications) {
      this.#tally.count('notification-dropped', 'a caller takes its notifications too slowly');
      return;
    }
    this.#pending++;
    this.#sent =
      this.#sent === undefined ? this.#send(notification) : this.#sent.then(() => this.#send(notification));
  }

  /**
   * No more notifications. Resolves when the caller has taken those there are, or has left; undefined where there is
   * nothing to wait for.
   */
  end(): Promise<void> | undefined {
    this.#isOver = true;
    const { signal } = this.exchange;
    const sent = this.#sent;
    if (this.#pending === 0 || sent === undefined || signal.aborted) return undefined;
    return new Promise((resolve) => {
      const ignoreAbort = onAbort(signal, resolve);
      void sent.then(() => {
        ignoreAbort();
        resolve();
      });
    });
  }

  async #send(notification: Notification): Promise<void> {
    try {
      if (!this.exchange.signal.aborted) await this.exchange.notify(notification);
    } catch (error) {
      this.#tally.count('notification-failed', 'a caller could not be told', error);
    } finally {
      this.#pending--;
    }
  }
}
