import { LazySignal } from '../../async/lazy-signal.ts';
import type { Caller, Exchange, Handler, Params } from '../../protocol/handler.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { Notification, SubscriptionFilter } from '../../protocol/notifications.ts';
import { CancelledError } from '../../transport/cancelled.ts';

/** What a legacy session hears of without asking: every list, and the resources it subscribed to. */
export interface FeedSource {
  readonly handle: Handler;
  readonly caller: Caller;
  /** The params of a request without any of its own. */
  params(): Params;
  onNotification(notification: Notification): Promise<void>;
  /** A subscription that was acknowledged has failed. */
  onFailure(error: unknown): void;
}

const LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true } as const;

/**
 * Feeds a session's notification stream from a `subscriptions/listen` of its own. When the watched resources change, the
 * new subscription is acknowledged before the old one ends, so that nothing falls in between; when the new one is
 * refused, the old one stays.
 */
export class ChangeFeed {
  readonly #source: FeedSource;
  /** In the order they were opened: the last one acknowledged ends those before it. */
  readonly #open = new Set<LazySignal>();
  #honoured: SubscriptionFilter = {};

  constructor(source: FeedSource) {
    this.#source = source;
  }

  /** Whether anything is listened for. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** What the server last said it would tell of. */
  get honoured(): SubscriptionFilter {
    return this.#honoured;
  }

  /** Listens for this filter; resolves with the part that the server honours, rejects where it refuses. */
  open(watched: readonly string[]): Promise<SubscriptionFilter> {
    const source = this.#source;
    const signal = new LazySignal();
    this.#open.add(signal);
    return new Promise((resolve, reject) => {
      let isAcknowledged = false;
      const exchange: Exchange = {
        get signal() {
          return signal.signal;
        },
        caller: source.caller,
        notify: async (notification) => {
          if (notification.method !== 'notifications/subscriptions/acknowledged') {
            // The one after it tells it as well: saying it twice would be wrong for `updated`.
            if (!signal.aborted) await source.onNotification(notification);
            return;
          }
          isAcknowledged = true;
          const { notifications } = notification.params;
          const honoured = isJsonObject(notifications) ? notifications : {};
          this.#replace(signal, honoured);
          resolve(honoured);
        },
      };
      const notifications: SubscriptionFilter =
        watched.length === 0 ? LISTS : { ...LISTS, resourceSubscriptions: watched };
      const params = { ...source.params(), notifications };
      source.handle({ method: 'subscriptions/listen', params }, exchange).then(
        () => {
          this.#open.delete(signal);
          resolve({});
        },
        (error: unknown) => {
          this.#open.delete(signal);
          if (isAcknowledged && !signal.aborted) source.onFailure(error);
          else reject(error);
        },
      );
    });
  }

  close(): void {
    for (const signal of this.#open) this.#end(signal);
  }

  /** The acknowledged one takes the place of those before it. */
  #replace(signal: LazySignal, honoured: SubscriptionFilter): void {
    if (!this.#open.has(signal)) return; // closed meanwhile, or replaced by a later one
    this.#honoured = honoured;
    for (const older of this.#open) {
      if (older === signal) break;
      this.#end(older);
    }
  }

  #end(signal: LazySignal): void {
    this.#open.delete(signal);
    signal.abort(new CancelledError('closing', 'the session listens no longer'));
  }
}
