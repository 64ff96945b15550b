/** Thrown where a wait took longer than it may. A local error: no peer sent it. */
export class TimeoutError extends Error {
  override readonly name: string = 'TimeoutError';
}

/** A wait with an end: rejects with a `TimeoutError` once `ms` have passed since the last `touch`. */
export class Deadline {
  readonly #ms: number;
  readonly #onTimeout: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #fail: ((error: TimeoutError) => void) | undefined;

  constructor(ms: number, onTimeout: () => void) {
    this.#ms = ms;
    this.#onTimeout = onTimeout;
  }

  /** Starts the time over: something moved. */
  touch(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#start();
  }

  async race<T>(work: Promise<T>): Promise<T> {
    const timeout = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.#start();
    try {
      return await Promise.race([work, timeout]);
    } finally {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
  }

  #start(): void {
    this.#timer = setTimeout(() => {
      this.#onTimeout();
      this.#fail?.(new TimeoutError(`no answer and no progress within ${this.#ms} ms`));
    }, this.#ms);
  }
}
