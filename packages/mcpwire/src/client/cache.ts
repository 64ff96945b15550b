import { asError } from '../async/as-error.ts';
import { onAbort } from '../async/on-abort.ts';
import type { JsonObject } from '../protocol/json.ts';
import { methodRow } from '../protocol/methods.ts';
import type { Result } from '../protocol/results.ts';
import type { CacheOptions } from './options.ts';

interface Entry {
  readonly method: string;
  readonly result: Result;
  readonly until: number;
  readonly uri: unknown;
}

/** A request whose result may be kept. */
export interface CachedRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly signal: AbortSignal | undefined;
  /** Whether it may wait for an equal one that is under way: it has no options of its own. */
  readonly isShared: boolean;
  readonly fetch: (signal: AbortSignal) => Promise<Result>;
  /** Whether the result may be used again. */
  readonly mayKeep: (result: Result) => boolean;
}

/**
 * Results that may be used again (server/utilities/caching), of one client and so of one authorization context
 * (CACHE-19). Requests that are equal and under way at the same time share one answer.
 */
export class ResponseCache {
  readonly #entries = new Map<string, Entry>();
  readonly #open = new Map<string, Flight>();
  readonly #maxEntries: number;
  readonly #maxAgeMs: number;

  constructor(options: CacheOptions = {}) {
    this.#maxEntries = options.maxEntries ?? 500;
    this.#maxAgeMs = options.maxAgeMs ?? 3_600_000;
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * The kept result of a request, else that of `fetch`. Whoever waits for the same may leave by its own signal; the
   * request is cancelled once nobody waits any more.
   */
  async through({ method, params, signal, fetch, mayKeep, isShared }: CachedRequest): Promise<Result> {
    signal?.throwIfAborted();
    const key = `${method} ${stableText(params)}`;
    const kept = this.#entries.get(key);
    if (kept !== undefined) {
      if (Date.now() < kept.until) return kept.result;
      this.#entries.delete(key);
    }
    let flight = isShared ? this.#open.get(key) : undefined;
    if (flight === undefined || flight.isLeft) {
      flight = new Flight(fetch);
      const started = flight;
      this.#open.set(key, started);
      const land = (): boolean => this.#open.get(key) === started && this.#open.delete(key);
      started.result.then((result) => {
        // What was said to be stale meanwhile is not kept.
        if (land() && mayKeep(result)) this.#keep(key, method, params, result);
      }, land);
    }
    return flight.join(signal);
  }

  /** A notification says that results are no longer true (CACHE-20). */
  drop(isStale: (method: string, uri: unknown) => boolean): void {
    for (const [key, { method, uri }] of this.#entries) if (isStale(method, uri)) this.#entries.delete(key);
    for (const key of this.#open.keys()) {
      if (isStale(key.slice(0, key.indexOf(' ')), undefined)) this.#open.delete(key);
    }
  }

  #keep(key: string, method: string, params: JsonObject, result: Result): void {
    const { ttlMs } = result;
    // Missing, negative or no number: stale at once (CACHE-12, CACHE-13).
    if (typeof ttlMs !== 'number' || !(ttlMs > 0)) return;
    this.#entries.set(key, {
      method,
      result: frozen(result),
      until: Date.now() + Math.min(ttlMs, this.#maxAgeMs),
      uri: params['uri'],
    });
    if (this.#entries.size > this.#maxEntries) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
  }
}

export function isCacheable(method: string): boolean {
  return methodRow(method)?.cacheable === true;
}

/** Several will read it, so nobody may write to it. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

/** A request under way that several wait for. */
class Flight {
  readonly result: Promise<Result>;
  readonly #controller = new AbortController();
  #waiting = 0;
  /** Nobody waits any more: whoever comes now needs another one. */
  isLeft = false;

  constructor(fetch: (signal: AbortSignal) => Promise<Result>) {
    this.result = fetch(this.#controller.signal);
  }

  join(signal: AbortSignal | undefined): Promise<Result> {
    this.#waiting++;
    if (signal === undefined) return this.result;
    return new Promise((resolve, reject) => {
      const ignore = onAbort(signal, () => {
        ignore();
        reject(asError(signal.reason));
        if (--this.#waiting > 0) return;
        this.isLeft = true;
        this.#controller.abort(signal.reason);
      });
      this.result.then(resolve, reject).finally(ignore);
    });
  }
}

/** The same text for equal params, whatever the order of their members. */
function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${stableText(each)}`).join(',')}}`;
}
