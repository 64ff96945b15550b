/** Lets a bounded number of jobs run at the same time; the others wait in line, in the order they came. */
export class Slots {
  readonly #max: number;
  readonly #onWaiting: (waiting: number) => void;
  readonly #waiting: (() => void)[] = [];
  readonly #idle: (() => void)[] = [];
  #running = 0;

  constructor(max: number, onWaiting: (waiting: number) => void = () => {}) {
    this.#max = max;
    this.#onWaiting = onWaiting;
  }

  get running(): number {
    return this.#running;
  }

  /** Starts the job now or when its turn comes. The job calls `leave` exactly once, when it is done. */
  enter(job: () => void): void {
    if (this.#running < this.#max) {
      this.#running++;
      job();
      return;
    }
    this.#waiting.push(job);
    this.#onWaiting(this.#waiting.length);
  }

  /** Frees a slot for the next in line. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#running--;
      if (this.#running === 0) for (const wake of this.#idle.splice(0)) wake();
      return;
    }
    this.#onWaiting(this.#waiting.length);
    next();
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }
}
