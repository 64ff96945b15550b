/** Lets a bounded number of jobs run at the same time; the others wait in line, in the order they came. */
export class Slots {
  readonly #max: number;
  readonly #onWaiting: (waiting: number) => void;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(max: number, onWaiting: (waiting: number) => void = () => {}) {
    this.#max = max;
    this.#onWaiting = onWaiting;
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
      return;
    }
    this.#onWaiting(this.#waiting.length);
    next();
  }
}
