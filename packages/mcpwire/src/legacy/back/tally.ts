import type { Reporter } from '../../transport/report.ts';

/** Reports what a server may do again and again: the first time at once, and the number of times at the end. */
export class Tally {
  readonly #report: Reporter;
  readonly #times = new Map<string, number>();

  constructor(report: Reporter) {
    this.#report = report;
  }

  /** `kind` is one of a few constants: the counts are bounded by their number. */
  count(kind: string, message: string, error?: unknown): void {
    const times = (this.#times.get(kind) ?? 0) + 1;
    this.#times.set(kind, times);
    if (times === 1) this.#report({ kind, message, ...(error === undefined ? {} : { error }) });
  }

  close(): void {
    for (const [kind, times] of this.#times) {
      if (times > 1) this.#report({ kind, message: `happened ${times} times in all` });
    }
    this.#times.clear();
  }
}
