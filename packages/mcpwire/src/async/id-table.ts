const SMALLEST = 16;

/**
 * A map for what is open, by its id. `Map` keeps what was taken out of it alive until it has grown anew, and with one
 * entry for each request that is what collecting garbage costs most. Integers stand in arrays, where an entry that is taken
 * out is gone at once; everything else, which is rare, stands in a `Map`.
 */
export class IdTable<T> {
  readonly #others = new Map<string | number, T>();
  #ids: (number | undefined)[] = empty(SMALLEST);
  #values: (T | undefined)[] = empty(SMALLEST);
  #count = 0;

  get size(): number {
    return this.#count + this.#others.size;
  }

  get(id: string | number): T | undefined {
    if (!isPlain(id)) return this.#others.get(id);
    const at = this.#find(id);
    return this.#ids[at] === id ? this.#values[at] : undefined;
  }

  has(id: string | number): boolean {
    return this.get(id) !== undefined;
  }

  set(id: string | number, value: T): void {
    if (!isPlain(id)) {
      this.#others.set(id, value);
      return;
    }
    if ((this.#count + 1) * 2 > this.#ids.length) this.#grow();
    const at = this.#find(id);
    if (this.#ids[at] === undefined) this.#count++;
    this.#ids[at] = id;
    this.#values[at] = value;
  }

  delete(id: string | number): void {
    if (!isPlain(id)) {
      this.#others.delete(id);
      return;
    }
    let hole = this.#find(id);
    if (this.#ids[hole] !== id) return;
    this.#count--;
    const mask = this.#ids.length - 1;
    // Those behind move up, so that nothing in between is missed.
    for (let next = (hole + 1) & mask; ; next = (next + 1) & mask) {
      const moving = this.#ids[next];
      if (moving === undefined) break;
      const home = moving & mask;
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      this.#ids[hole] = moving;
      this.#values[hole] = this.#values[next];
      hole = next;
    }
    this.#ids[hole] = undefined;
    this.#values[hole] = undefined;
  }

  /** What is in it at this moment. */
  values(): readonly T[] {
    const values = this.#values.filter((value) => value !== undefined);
    return [...values, ...this.#others.values()];
  }

  clear(): void {
    this.#others.clear();
    this.#ids = empty(SMALLEST);
    this.#values = empty(SMALLEST);
    this.#count = 0;
  }

  /** Where the id stands, or would. */
  #find(id: number): number {
    const mask = this.#ids.length - 1;
    let at = id & mask;
    for (let found = this.#ids[at]; found !== undefined && found !== id; found = this.#ids[at]) {
      at = (at + 1) & mask;
    }
    return at;
  }

  #grow(): void {
    const ids = this.#ids;
    const values = this.#values;
    this.#ids = empty(ids.length * 2);
    this.#values = empty(ids.length * 2);
    this.#count = 0;
    for (const [at, id] of ids.entries()) {
      const value = values[at];
      if (id !== undefined && value !== undefined) this.set(id, value);
    }
  }
}

/** Whether bits tell one id from another. */
function isPlain(id: string | number): id is number {
  return typeof id === 'number' && id >= 0 && id < 2 ** 31;
}

function empty<T>(length: number): (T | undefined)[] {
  return Array.from({ length }, () => undefined);
}
