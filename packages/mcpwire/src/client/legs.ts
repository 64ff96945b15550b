import type { Leg } from './leg.ts';

/** Timers can't wait longer. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * The requests of a client that have no answer yet, and one timer for all of them: a timer for each would cost more than
 * everything else that a client does for a call. They are linked to one another, because a table keeps what was taken out
 * of it alive for a while.
 */
export class Legs {
  #first: Leg | undefined;
  #size = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firesAt = Infinity;
  /** How many wait for a user at this moment, and since when anybody does. */
  #waits = 0;
  #waitsSince = 0;

  get size(): number {
    return this.#size;
  }

  add(leg: Leg): void {
    leg.next = this.#first;
    if (this.#first !== undefined) this.#first.previous = leg;
    this.#first = leg;
    this.#size++;
    if (leg.deadline < this.#firesAt) this.#schedule(leg.deadline);
    // While something is open the timer keeps the process alive: a call ends, even if it is by time.
    else if (this.#size === 1) keepsAlive(this.#timer, true);
  }

  delete(leg: Leg): void {
    const { previous, next } = leg;
    if (previous !== undefined) previous.next = next;
    else if (this.#first === leg) this.#first = next;
    else return;
    if (next !== undefined) next.previous = previous;
    leg.previous = undefined;
    leg.next = undefined;
    if (--this.#size === 0) keepsAlive(this.#timer, false);
  }

  cancelAll(reason: unknown): void {
    for (const leg of this.#all()) leg.cancel(reason);
    clearTimeout(this.#timer);
    this.#firesAt = Infinity;
  }

  /** Time doesn't count until the function that comes back is called: a user thinks, and nobody knows for which request. */
  suspend(): () => void {
    if (this.#waits++ === 0) this.#waitsSince = Date.now();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (--this.#waits === 0) this.#resume(Date.now() - this.#waitsSince);
    };
  }

  #resume(ms: number): void {
    let next = Infinity;
    for (const leg of this.#all()) {
      leg.prolong(ms);
      next = Math.min(next, leg.deadline);
    }
    this.#schedule(next);
  }

  #all(): readonly Leg[] {
    const all: Leg[] = [];
    for (let leg = this.#first; leg !== undefined; leg = leg.next) all.push(leg);
    return all;
  }

  #schedule(at: number): void {
    clearTimeout(this.#timer);
    this.#firesAt = at;
    if (at === Infinity) return;
    this.#timer = setTimeout(() => this.#fire(), Math.min(LONGEST_MS, Math.max(0, at - Date.now())));
    if (this.#size === 0) keepsAlive(this.#timer, false);
  }

  #fire(): void {
    this.#firesAt = Infinity;
    if (this.#waits > 0) return;
    const now = Date.now();
    let next = Infinity;
    for (const leg of this.#all()) {
      if (leg.deadline <= now) leg.timeOut();
      else if (leg.deadline < next) next = leg.deadline;
    }
    this.#schedule(next);
  }
}

function keepsAlive(timer: unknown, isWanted: boolean): void {
  const { ref, unref } = (timer ?? {}) as { readonly ref?: () => void; readonly unref?: () => void };
  if (isWanted) ref?.call(timer);
  else unref?.call(timer);
}
