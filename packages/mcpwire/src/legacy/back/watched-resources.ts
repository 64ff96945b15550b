import { inBackground } from '../../async/background.ts';
import type { Tally } from './tally.ts';

export interface WatchSource {
  readonly lingerMs: number;
  readonly tally: Tally;
  subscribe(uri: string): Promise<unknown>;
  unsubscribe(uri: string): Promise<unknown>;
}

interface Watched {
  watchers: number;
  /** Whether the server tells of it. */
  ready: Promise<boolean>;
  linger: ReturnType<typeof setTimeout> | undefined;
}

/**
 * The resources that the server is asked to tell of: each once, however many watch it, and a little longer than anybody
 * does, because whoever opens a stream anew watches the same.
 */
export class WatchedResources {
  readonly #source: WatchSource;
  readonly #watched = new Map<string, Watched>();
  /** The last request for each URI that is still on its way. */
  readonly #leaving = new Map<string, Promise<void>>();

  constructor(source: WatchSource) {
    this.#source = source;
  }

  /** Resolves with whether the server tells of it. Whoever got `true` calls `leave` once. */
  async watch(uri: string): Promise<boolean> {
    let watched = this.#watched.get(uri);
    if (watched === undefined) {
      watched = { watchers: 0, ready: this.#subscribe(uri), linger: undefined };
      this.#watched.set(uri, watched);
    }
    const own = watched;
    own.watchers++;
    clearTimeout(own.linger);
    const isTold = await own.ready;
    if (!isTold && this.#watched.get(uri) === own) this.#watched.delete(uri);
    return isTold;
  }

  leave(uri: string): void {
    const watched = this.#watched.get(uri);
    if (watched === undefined || --watched.watchers > 0) return;
    watched.linger = inBackground(
      setTimeout(() => {
        this.#watched.delete(uri);
        this.#unsubscribe(uri);
      }, this.#source.lingerMs),
    );
  }

  /** The server has forgotten: what is watched is subscribed to again. */
  renew(): void {
    for (const [uri, watched] of this.#watched) {
      if (watched.watchers > 0) watched.ready = this.#subscribe(uri);
    }
  }

  close(): void {
    for (const { linger } of this.#watched.values()) clearTimeout(linger);
    this.#watched.clear();
  }

  async #subscribe(uri: string): Promise<boolean> {
    await this.#leaving.get(uri);
    try {
      await this.#source.subscribe(uri);
      return true;
    } catch (error) {
      this.#source.tally.count('subscribe-refused', `the server does not tell of changes of ${uri}`, error);
      return false;
    }
  }

  #unsubscribe(uri: string): void {
    const leaving = this.#source
      .unsubscribe(uri)
      .catch((error: unknown) => {
        this.#source.tally.count('unsubscribe-refused', `the server goes on telling of ${uri}`, error);
      })
      .then(() => {
        this.#leaving.delete(uri);
      });
    this.#leaving.set(uri, leaving);
  }
}
