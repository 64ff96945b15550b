import { onAbort } from '../../async/on-abort.ts';
import type { ServerCapabilities } from '../../protocol/capabilities.ts';
import type { Exchange, Params } from '../../protocol/handler.ts';
import { isJsonObject, jsonType } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Notification, SubscriptionFilter } from '../../protocol/notifications.ts';
import { internalError, invalidParams } from '../../protocol/protocol-error.ts';
import type { Result } from '../../protocol/results.ts';
import type { BackBounds } from './bounds.ts';
import type { WatchSource } from './watched-resources.ts';
import { WatchedResources } from './watched-resources.ts';

export interface ListenHost extends WatchSource {
  readonly bounds: BackBounds;
  readonly capabilities: () => ServerCapabilities;
  /** The result that a subscription ends with. */
  readonly endResult: () => Result;
}

const LISTS = [
  ['toolsListChanged', 'tools'],
  ['promptsListChanged', 'prompts'],
  ['resourcesListChanged', 'resources'],
] as const;

const UPDATED = 'notifications/resources/updated';

/** The `subscriptions/listen` requests that are open, fed with what a legacy server tells unasked. */
export class Listens {
  readonly #host: ListenHost;
  readonly #watched: WatchedResources;
  readonly #open = new Set<Listen>();
  #isClosed = false;

  constructor(host: ListenHost) {
    this.#host = host;
    this.#watched = new WatchedResources(host);
  }

  /**
   * Acknowledges what the server tells of, then passes it on until the caller leaves or the connection ends. Where
   * nothing of the filter is honoured, it ends at once.
   */
  async listen(params: Params, exchange: Exchange): Promise<Result> {
    const { bounds, endResult } = this.#host;
    const filter = readFilter(params['notifications'], bounds.maxWatchedResources);
    if (this.#open.size >= bounds.maxListens) {
      throw internalError(`at most ${bounds.maxListens} subscriptions may be open`);
    }
    const listen = new Listen(exchange);
    this.#open.add(listen);
    try {
      await this.#watch(filter, listen);
      await listen.acknowledge();
      if (!this.#isClosed && !listen.isEmpty) await listen.ended();
      return endResult();
    } finally {
      this.#open.delete(listen);
      for (const uri of listen.uris) this.#watched.leave(uri);
    }
  }

  /** Takes a notification of the server; false where it is none of those that subscriptions are about. */
  hear(method: string, params: JsonObject): boolean {
    const key = keyOf(method, params);
    if (key === undefined) return false;
    for (const listen of this.#open) listen.tell(key, { method, params });
    return true;
  }

  /** A new session: nobody knows what has changed meanwhile, so everything may have. */
  renew(): void {
    this.#watched.renew();
    this.missed();
  }

  /** Notifications may have been lost. */
  missed(): void {
    for (const listen of this.#open) listen.tellAll();
  }

  /** Ends what is open; more may come. */
  end(): void {
    for (const listen of this.#open) listen.end();
  }

  close(): void {
    this.#isClosed = true;
    for (const listen of this.#open) listen.end();
    this.#watched.close();
  }

  /** Finds out what is honoured of the filter: what the server declares, and the resources it takes a subscription to. */
  async #watch(filter: SubscriptionFilter, listen: Listen): Promise<void> {
    const capabilities = this.#host.capabilities();
    for (const [flag, list] of LISTS) {
      if (filter[flag] !== true || capabilities[list]?.listChanged !== true) continue;
      listen.honoured[flag] = true;
      listen.keys.add(list);
    }
    const uris = filter.resourceSubscriptions;
    if (uris === undefined || uris.length === 0 || capabilities.resources?.subscribe !== true) return;
    // What comes while it is found out is kept: the caller hears of it after the acknowledgement.
    const wanted = [...new Set(uris)];
    for (const uri of wanted) listen.keys.add(resourceKey(uri));
    const told = await Promise.all(wanted.map((uri) => this.#watched.watch(uri)));
    const watched = wanted.filter((_uri, at) => told[at] === true);
    for (const uri of wanted) if (!watched.includes(uri)) listen.keys.delete(resourceKey(uri));
    listen.uris = watched;
    if (watched.length > 0) listen.honoured.resourceSubscriptions = watched;
  }
}

/** One subscription. A slow reader costs one entry for each list and each resource, never a growing queue. */
class Listen {
  /** What it hears of: lists by their name, resources by their URI. */
  readonly keys = new Set<string>();
  readonly honoured: { -readonly [flag in keyof SubscriptionFilter]: SubscriptionFilter[flag] } = {};
  uris: readonly string[] = [];
  readonly #exchange: Exchange;
  readonly #pending = new Map<string, Notification>();
  /** Nothing is sent before the acknowledgement (SUB-03). */
  #isSending = true;
  #isOver = false;
  #settle: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  get isEmpty(): boolean {
    return this.keys.size === 0;
  }

  async acknowledge(): Promise<void> {
    await this.#exchange.notify({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: this.honoured },
    });
  }

  /** Resolves when the caller has left or the connection has ended, rejects where the caller can't be told. */
  async ended(): Promise<void> {
    this.#send();
    const ignoreAbort = onAbort(this.#exchange.signal, () => this.end());
    try {
      if (this.#exchange.signal.aborted || this.#isOver) return;
      await new Promise<void>((resolve) => {
        this.#settle = resolve;
      });
      if (this.#failure !== undefined) throw this.#failure.error;
    } finally {
      ignoreAbort();
      this.#isOver = true;
    }
  }

  tell(key: string, notification: Notification): void {
    if (this.#isOver || !this.keys.has(key)) return;
    this.#pending.set(key, notification);
    if (!this.#isSending) this.#send();
  }

  tellAll(): void {
    for (const [, list] of LISTS) {
      this.tell(list, { method: `notifications/${list}/list_changed`, params: {} });
    }
    for (const uri of this.uris) this.tell(resourceKey(uri), { method: UPDATED, params: { uri } });
  }

  end(): void {
    this.#isOver = true;
    this.#settle?.();
  }

  #send(): void {
    this.#isSending = true;
    this.#sendPending().catch((error: unknown) => {
      this.#failure ??= { error };
      this.end();
    });
  }

  async #sendPending(): Promise<void> {
    for (const [key, notification] of this.#pending) {
      this.#pending.delete(key);
      await this.#exchange.notify(notification);
    }
    this.#isSending = false;
  }
}

function keyOf(method: string, params: JsonObject): string | undefined {
  if (method === UPDATED) return resourceKey(String(params['uri']));
  return LISTS.find(([, list]) => method === `notifications/${list}/list_changed`)?.[1];
}

function resourceKey(uri: string): string {
  return `resource ${uri}`;
}

function readFilter(filter: unknown, maxResources: number): SubscriptionFilter {
  if (!isJsonObject(filter)) {
    throw invalidParams(`params.notifications must be an object, got ${jsonType(filter)}`);
  }
  const { resourceSubscriptions: uris } = filter;
  if (uris !== undefined && !(Array.isArray(uris) && uris.every((uri) => typeof uri === 'string'))) {
    throw invalidParams('params.notifications.resourceSubscriptions must be an array of URIs');
  }
  if (uris !== undefined && uris.length > maxResources) {
    throw invalidParams(`params.notifications.resourceSubscriptions holds at most ${maxResources} URIs`);
  }
  return filter;
}
