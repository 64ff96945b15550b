import type { Writable } from 'node:stream';

/** The way to the real stdout, for protocol messages alone. */
export interface GuardedStdout {
  readonly stream: Writable;
  /** Writes to the real stdout; `done` is called when the bytes are handed over. False asks to wait for `drain`. */
  write(text: string, done?: () => void): boolean;
  /** Gives stdout back. */
  release(): void;
}

/**
 * Reserves stdout for the protocol: what the process itself prints (`console.log`, stray `process.stdout.write`)
 * goes to stderr instead, so that it can't break a message (STDIO-04).
 */
export function guardStdout(): GuardedStdout {
  const { stdout } = process;
  // oxlint-disable-next-line typescript/unbound-method -- called with `stdout` as `this`, and put back as they were
  const { write, end } = stdout;
  stdout.write = ((...args: Parameters<typeof process.stderr.write>) =>
    process.stderr.write(...args)) as typeof stdout.write;
  // A stray end() would take the protocol's stream away.
  stdout.end = () => stdout;
  return {
    stream: stdout,
    write: (text, done) => write.call(stdout, text, 'utf8', done),
    release() {
      stdout.write = write;
      stdout.end = end;
    },
  };
}
