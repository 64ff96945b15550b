/** Something that wants a sign of life sent now and then. */
export interface KeptAlive {
  keepAlive(): void;
}

/** The event streams that are open now. One timer serves them all and exists only while there is one. */
export class OpenStreams {
  readonly #streams = new Set<KeptAlive>();
  readonly #everyMs: number;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  add(stream: KeptAlive): void {
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => {
      for (const open of this.#streams) open.keepAlive();
    }, this.#everyMs);
  }

  delete(stream: KeptAlive): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
