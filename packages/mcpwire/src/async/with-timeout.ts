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
    // Most async handlers are done within the turn they started in: those need no timer.
    let pending = true;
    const settled = (): void => {
      pending = false;
    };
    work.then(settled, settled);
    // oxlint-disable-next-line typescript/await-thenable -- waits for one turn, and a promise would cost more
    for (let turn = 0; turn < 4 && pending; turn++) await undefined;
    if (!pending) return work;
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
