import type { Reporter } from '../../transport/report.ts';

/** Longest line that is kept whole. */
const LONGEST_LINE = 1000;

/** The last lines of what a server writes to stderr: it may be logging, and may say why it dies (STDIO-03). */
export class StderrTail {
  readonly #max: number;
  readonly #onLine: ((line: string) => void) | undefined;
  readonly #report: Reporter;
  readonly #lines: string[] = [];
  #rest = '';

  constructor(max: number, report: Reporter, onLine?: (line: string) => void) {
    this.#report = report;
    this.#max = max;
    this.#onLine = onLine;
  }

  add(text: string): void {
    const parts = (this.#rest + text).split('\n');
    this.#rest = (parts.pop() ?? '').slice(-LONGEST_LINE);
    for (const part of parts) this.#push(part);
  }

  get lines(): readonly string[] {
    return this.#rest.trim() === '' ? [...this.#lines] : [...this.#lines, this.#rest];
  }

  #push(part: string): void {
    const line = part.replace(/\r$/, '');
    try {
      this.#onLine?.(line);
    } catch (error) {
      this.#report({ kind: 'callback-failed', message: 'onStderr threw', error });
    }
    if (line.trim() === '') return;
    this.#lines.push(line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line);
    if (this.#lines.length > this.#max) this.#lines.shift();
  }
}
