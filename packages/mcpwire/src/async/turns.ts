/** Runs pieces of work one after the other, each once the one before it has settled. */
export class Turns {
  #last: Promise<void> | undefined;

  /** At once where nothing else runs. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last === undefined ? work() : this.#last.then(work);
    const done = (): void => {
      if (this.#last === settled) this.#last = undefined;
    };
    const settled: Promise<void> = turn.then(done, done);
    this.#last = settled;
    return turn;
  }
}
