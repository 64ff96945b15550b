import { safely } from './safely.ts';

/** An abort signal that costs nothing until somebody looks at it. */
export class LazySignal {
  #controller: AbortController | undefined;
  #aborted = false;
  #reason: unknown;
  /** Who waits for the abort: nearly always one. */
  #listener: (() => void) | undefined;
  #others: Set<() => void> | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Calls back on the abort, which must not have happened yet; `ignore` with the same function takes it back. */
  onAbort(listener: () => void): void {
    if (this.#listener === undefined) this.#listener = listener;
    else (this.#others ??= new Set()).add(listener);
  }

  ignore(listener: () => void): void {
    if (this.#listener === listener) this.#listener = undefined;
    else this.#others?.delete(listener);
  }

  /** Only the first call counts. */
  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    const listener = this.#listener;
    this.#listener = undefined;
    if (listener !== undefined) safely(listener);
    for (const each of this.#others ?? []) safely(each);
  }
}
