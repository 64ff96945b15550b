import { Turns } from '../../async/turns.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { SubscriptionFilter } from '../../protocol/notifications.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';
import { ChangeFeed } from './change-feed.ts';
import type { FeedSource } from './change-feed.ts';

export interface WatchedSource extends FeedSource {
  readonly maxWatchedResources: number;
  /** Throws where the server has no resources to subscribe to. */
  checkSupport(): Promise<void>;
  /** Something that the client asked for is not told of. */
  onRefusal(message: string, error: unknown): void;
}

/**
 * The resources that a session subscribed to, and the feed that tells of them and of every list. One change at a time:
 * what is refused to one of them must not be asked for by the next.
 */
export class WatchedChanges {
  readonly #source: WatchedSource;
  readonly #feed: ChangeFeed;
  readonly #turns = new Turns();
  readonly #watched = new Set<string>();
  /** Whether somebody hears what is told; until then resources are only remembered. */
  #isHeard = false;

  constructor(source: WatchedSource) {
    this.#source = source;
    this.#feed = new ChangeFeed(source);
  }

  /** Resolves, when it is listened for, with what the server tells of. */
  start(): Promise<SubscriptionFilter> {
    this.#isHeard = true;
    return this.#turns.take(() => this.#start());
  }

  stop(): void {
    this.#isHeard = false;
    this.#feed.close();
  }

  subscribe(uri: string): Promise<JsonObject> {
    return this.#turns.take(() => this.#subscribe(uri));
  }

  unsubscribe(uri: string): Promise<JsonObject> {
    return this.#turns.take(() => this.#unsubscribe(uri));
  }

  async #start(): Promise<SubscriptionFilter> {
    if (!this.#isHeard) return {};
    try {
      return await this.#feed.open([...this.#watched]);
    } catch (error) {
      if (!this.#isHeard) return {};
      // What was listened for before goes on, for whoever hears it now.
      if (this.#feed.isOpen || this.#watched.size === 0) {
        this.#source.onRefusal('the session hears of no changes but those it heard of before', error);
        return this.#feed.isOpen ? this.#feed.honoured : {};
      }
      // Nobody says which of them is refused. Forgotten, so that the client can subscribe again and is told.
      this.#watched.clear();
      this.#source.onRefusal('the session hears of no changes of resources', error);
      return this.#start();
    }
  }

  async #subscribe(uri: string): Promise<JsonObject> {
    if (this.#watched.has(uri)) return {};
    const { maxWatchedResources } = this.#source;
    if (this.#watched.size >= maxWatchedResources) {
      throw invalidParams(`a session watches at most ${maxWatchedResources} resources`);
    }
    await this.#source.checkSupport();
    this.#watched.add(uri);
    if (!this.#isHeard) return {}; // heard of once somebody listens
    const honoured = await this.#change(`no changes of ${uri} are told`);
    // A stream that ended meanwhile refuses nothing.
    if (!this.#isHeard || honoured?.resourceSubscriptions?.includes(uri) === true) return {};
    this.#watched.delete(uri);
    throw invalidParams(`the server tells of no changes of ${uri}`, { uri });
  }

  async #unsubscribe(uri: string): Promise<JsonObject> {
    if (this.#watched.delete(uri) && this.#isHeard) await this.#change(`changes of ${uri} are still told`);
    return {};
  }

  /** Listens for what is watched now; undefined where that is refused. */
  async #change(otherwise: string): Promise<SubscriptionFilter | undefined> {
    try {
      return await this.#feed.open([...this.#watched]);
    } catch (error) {
      if (this.#isHeard) this.#source.onRefusal(otherwise, error);
      return undefined;
    }
  }
}
