/** Things that come one by one, and readers that wait for them. */
export class Queue<T> {
  readonly #items: T[] = [];
  readonly #readers: { resolve: (item: T) => void; reject: (error: Error) => void }[] = [];
  #ended: Error | undefined;

  push(item: T): void {
    const reader = this.#readers.shift();
    if (reader === undefined) this.#items.push(item);
    else reader.resolve(item);
  }

  /** Nothing more comes: whoever waits, or asks later, gets the error. */
  end(error: Error): void {
    this.#ended ??= error;
    for (const reader of this.#readers.splice(0)) reader.reject(this.#ended);
  }

  next(): Promise<T> {
    const item = this.#items.shift();
    if (item !== undefined) return Promise.resolve(item);
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
  }

  /** What came and was not read. */
  rest(): readonly T[] {
    return this.#items.splice(0);
  }
}
