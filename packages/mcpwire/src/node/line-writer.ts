import type { LineSink } from '../transport/stdio/line-call.ts';
import type { GuardedStdout } from './stdout-guard.ts';

/** Most text that waits for the end of the turn before it is written. */
const MAX_HELD = 64 * 1024;

/**
 * Writes lines to stdout. Lines that become ready together leave in one write: a write per answer is what costs most
 * on a pipe. Tells when the reader at the other end falls behind.
 */
export class LineWriter implements LineSink {
  readonly #stdout: GuardedStdout;
  readonly #onBlocked: (blocked: boolean) => void;
  #lines = '';
  #scheduled = false;
  /** Whether what is held waits for the next turn: see `writeApart`. */
  #isApart = false;
  #blocked: Promise<void> | undefined;

  constructor(stdout: GuardedStdout, onBlocked: (blocked: boolean) => void) {
    this.#stdout = stdout;
    this.#onBlocked = onBlocked;
  }

  write(text: string): void {
    this.#lines += `${text}\n`;
    if (this.#scheduled) return;
    this.#scheduled = true;
    // After the pending microtasks: by then the answers of everything that came in one chunk are here.
    process.nextTick(() => {
      if (!this.#isApart) this.#flush();
    });
  }

  /**
   * Queues a line that leaves in a write of its own, a turn after what was queued before. The most used client looks at
   * an answer before the notifications that came in the same read, and loses them.
   */
  writeApart(text: string): void {
    if (this.#lines === '') return this.write(text);
    this.#flush();
    this.#lines = `${text}\n`;
    this.#scheduled = true;
    this.#isApart = true;
    setImmediate(() => {
      this.#isApart = false;
      this.#flush();
    });
  }

  ready(): Promise<void> | undefined {
    // A handler that notifies in a loop may never let the event loop turn: what it wrote must leave all the same.
    if (this.#lines.length > MAX_HELD) this.#flush();
    return this.#blocked;
  }

  /** Resolves when everything written so far was handed over. */
  async end(): Promise<void> {
    this.#scheduled = true;
    const rest = this.#lines;
    this.#lines = '';
    await new Promise<void>((resolve) => {
      this.#stdout.write(rest, () => resolve());
    });
  }

  #flush(): void {
    this.#scheduled = false;
    const lines = this.#lines;
    if (lines === '') return;
    this.#lines = '';
    if (this.#stdout.write(lines) || this.#blocked !== undefined) return;
    this.#onBlocked(true);
    this.#blocked = new Promise<void>((resolve) => {
      this.#stdout.stream.once('drain', () => {
        this.#blocked = undefined;
        this.#onBlocked(false);
        resolve();
      });
    });
  }
}
