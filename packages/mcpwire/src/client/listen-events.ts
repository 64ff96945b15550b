import { asError } from '../async/as-error.ts';
import type { SubscriptionFilter } from '../protocol/notifications.ts';

/** What a subscription tells (basic/patterns/subscriptions). */
export type ListenEvent =
  /** The server listens on behalf of this client, for this much of what was asked. */
  | { readonly type: 'acknowledged'; readonly honored: SubscriptionFilter }
  | { readonly type: 'toolsListChanged' }
  | { readonly type: 'promptsListChanged' }
  | { readonly type: 'resourcesListChanged' }
  | { readonly type: 'resourceUpdated'; readonly uri: string }
  /** The stream was lost and is open again: what happened meanwhile was not heard. */
  | { readonly type: 'gap' };

/**
 * Events that wait to be read. Equal ones count once, because each only says that something is no longer what it was: a
 * server that floods, or a reader that sleeps, can't make it grow. Beyond the bound it says `gap` instead.
 */
export class EventQueue {
  readonly #max: number;
  readonly #waiting = new Map<string, ListenEvent>();
  #reader: ((event: ListenEvent | undefined) => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;
  #end: { readonly error?: unknown } | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#waiting.size;
  }

  push(event: ListenEvent): void {
    if (this.#end !== undefined) return;
    if (this.#reader !== undefined) {
      const read = this.#reader;
      this.#reader = undefined;
      read(event);
      return;
    }
    if (this.#waiting.size >= this.#max) {
      this.#waiting.clear();
      this.#waiting.set('gap', { type: 'gap' });
      return;
    }
    const key = event.type === 'resourceUpdated' ? `updated ${event.uri}` : event.type;
    this.#waiting.set(key, event);
  }

  /** No more events, because of an error or because it is over. */
  end(error?: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = error === undefined ? {} : { error };
    if (error === undefined) this.#reader?.(undefined);
    else this.#fail?.(error);
  }

  /** The next event; undefined at the end. Rejects with the error that ended it. */
  next(): Promise<ListenEvent | undefined> {
    const [first] = this.#waiting;
    if (first !== undefined) {
      this.#waiting.delete(first[0]);
      return Promise.resolve(first[1]);
    }
    if (this.#end !== undefined) {
      return this.#end.error === undefined
        ? Promise.resolve(undefined)
        : Promise.reject(asError(this.#end.error));
    }
    return new Promise((resolve, reject) => {
      this.#reader = resolve;
      this.#fail = reject;
    });
  }
}
