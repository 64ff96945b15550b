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
  onFailure(error: unknown): void;
}

const LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true } as const;

/**
 * Feeds a session's notification stream from a `subscriptions/listen` of its own. When the watched resources change, the
 * new subscription is acknowledged before the old one ends, so that nothing falls in between.
 */
export class ChangeFeed {
  readonly #source: FeedSource;
  /** In the order they were opened: the last one acknowledged ends those before it. */
  readonly #open = new Set<LazySignal>();

  constructor(source: FeedSource) {
    this.#source = source;
  }

  /** Listens for this filter; resolves with the part that the server honours. */
  async open(watched: readonly string[]): Promise<SubscriptionFilter> {
    const signal = new LazySignal();
    this.#open.add(signal);
    const filter: SubscriptionFilter =
      watched.length === 0 ? LISTS : { ...LISTS, resourceSubscriptions: watched };
    const honoured = await this.#listen(filter, signal);
    if (!this.#open.has(signal)) return honoured; // closed meanwhile, or replaced by a later one
    for (const older of this.#open) {
      if (older === signal) break;
      this.#end(older);
    }
    return honoured;
  }

  close(): void {
    for (const signal of this.#open) this.#end(signal);
  }

  #end(signal: LazySignal): void {
    this.#open.delete(signal);
    signal.abort(new CancelledError('closing', 'the session listens no longer'));
  }

  #listen(filter: SubscriptionFilter, signal: LazySignal): Promise<SubscriptionFilter> {
    const source = this.#source;
    return new Promise((resolve) => {
      const exchange: Exchange = {
        get signal() {
          return signal.signal;
        },
        caller: source.caller,
        async notify(notification) {
          if (notification.method !== 'notifications/subscriptions/acknowledged') {
            // The one after it tells it as well: saying it twice would be wrong for `updated`.
            if (!signal.aborted) await source.onNotification(notification);
            return;
          }
          const { notifications } = notification.params;
          resolve(isJsonObject(notifications) ? notifications : {});
        },
      };
      const params = { ...source.params(), notifications: filter };
      source.handle({ method: 'subscriptions/listen', params }, exchange).then(
        () => resolve({}),
        (error: unknown) => {
          if (!signal.aborted) source.onFailure(error);
          resolve({});
        },
      );
    });
  }
}
