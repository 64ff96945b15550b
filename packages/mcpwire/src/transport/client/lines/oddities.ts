import type { Reporter } from '../../report.ts';

const MOST_QUOTED = 200;

/**
 * What a server wrote that answers nothing: logs, banners, messages printed over several lines, responses to nobody.
 * It is skipped, counted, and reported once for each kind. Nothing is ever guessed out of it.
 */
export class Oddities {
  readonly #report: Reporter;
  readonly #noise = new Tally();
  readonly #strays = new Tally();

  constructor(report: Reporter) {
    this.#report = report;
  }

  /** A line that is no message (STDIO-04). */
  noise(line: string): void {
    if (this.#noise.add(line)) {
      this.#report({
        kind: 'noise',
        message: `the server writes lines that are no messages [STDIO-04]; the first: ${this.#noise.first}`,
      });
    }
  }

  /** A response that no request waits for (BASE-06). */
  stray(text: string): void {
    if (this.#strays.add(text)) {
      this.#report({
        kind: 'stray-response',
        message: `the server answered a request that was never sent [BASE-06]: ${this.#strays.first}`,
      });
    }
  }

  /** What to say where an answer is missing; undefined where nothing was odd. */
  hint(): string | undefined {
    const parts: string[] = [];
    if (this.#noise.count > 0) {
      parts.push(
        `it wrote ${this.#noise.count} line(s) that are no messages, the first: ${this.#noise.first}`,
      );
    }
    if (this.#strays.count > 0) {
      parts.push(
        `it sent ${this.#strays.count} response(s) to requests that were never sent, the first: ${this.#strays.first}`,
      );
    }
    return parts.length === 0 ? undefined : parts.join('; ');
  }
}

class Tally {
  count = 0;
  first = '';

  /** True for the first of its kind. */
  add(text: string): boolean {
    if (this.count === 0) this.first = JSON.stringify(text.slice(0, MOST_QUOTED));
    return ++this.count === 1;
  }
}
