import { tooLarge } from './admit-head.ts';
import type { Refusal } from './head.ts';
import type { HttpSettings } from './options.ts';

/** Counts the bytes of request bodies that are held, each and all together. */
export class BodyBudget {
  readonly #settings: HttpSettings;
  #held = 0;

  constructor(settings: HttpSettings) {
    this.#settings = settings;
  }

  /** Counts body bytes as they arrive; a refusal where this body, or all bodies together, are over the bound. */
  hold(bytes: number, bodySoFar: number): Refusal | undefined {
    this.#held += bytes;
    if (bodySoFar > this.#settings.maxBodyBytes) return tooLarge(this.#settings);
    return this.#held > this.#settings.maxHeldBytes ? BUSY : undefined;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

export const BUSY: Refusal = { status: 503, message: 'too busy: try again', headers: ['Retry-After', '1'] };
export const CLOSING: Refusal = { status: 503, message: 'closing: try again', headers: ['Retry-After', '1'] };
