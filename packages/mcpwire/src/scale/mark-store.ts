/** Remembers what was used, so that it is used once. */
export interface MarkStore {
  /** Marks the name as used until then (milliseconds since 1970); false where it was used before. */
  useOnce(name: string, until: number): Promise<boolean>;
}

/** Marks within one process: the default where single use is asked for. Forgets what has expired. */
export class MemoryMarkStore implements MarkStore {
  readonly #marks = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  async useOnce(name: string, until: number): Promise<boolean> {
    const now = this.#now();
    for (const [old, expires] of this.#marks) {
      if (expires > now) break; // in the order of their expiry, as all live equally long
      this.#marks.delete(old);
    }
    if (this.#marks.has(name)) return false;
    this.#marks.set(name, until);
    return true;
  }
}
