/** Something that wants a sign of life sent now and then. */
export interface KeptAlive {
  keepAlive(): void;
}

type Timer = ReturnType<typeof setInterval>;

/** The event streams that are open now. One timer serves them all and exists only while there is one. */
export class OpenStreams {
  readonly #streams = new Set<KeptAlive>();
  readonly #everyMs: number;
  /** Where a timer ends with the request that set it: one for each stream. */
  readonly #timers: WeakMap<KeptAlive, Timer> | undefined;
  #timer: Timer | undefined;

  constructor(everyMs: number, isDetached = false) {
    this.#everyMs = everyMs;
    if (isDetached) this.#timers = new WeakMap();
  }

  add(stream: KeptAlive): void {
    if (this.#timers !== undefined) {
      this.#timers.set(
        stream,
        setInterval(() => stream.keepAlive(), this.#everyMs),
      );
      return;
    }
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => {
      for (const open of this.#streams) open.keepAlive();
    }, this.#everyMs);
  }

  delete(stream: KeptAlive): void {
    if (this.#timers !== undefined) {
      clearInterval(this.#timers.get(stream));
      return;
    }
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
