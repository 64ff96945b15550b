import { Deadline } from '../async/with-timeout.ts';
import { assertBounds } from '../protocol/bounds.ts';
import type { Handler } from '../protocol/handler.ts';
import { reportToConsole, safeReporter } from '../transport/report.ts';
import type { DualLineOptions } from '../legacy/lines/dual-lines.ts';
import { serveDualLines } from '../legacy/lines/dual-lines.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { LineWriter } from './line-writer.ts';
import { quietEndsOfCalls } from './quiet-ends.ts';
import { guardStdout } from './stdout-guard.ts';

export interface StdioOptions extends DualLineOptions {
  /** Whether the process exits once stdin has ended and every request is answered. Default true. */
  readonly exit?: boolean;
  /** Milliseconds that running requests get after stdin has ended or a signal came. Default 10,000. */
  readonly drainMs?: number;
}

/** A server on this process's stdin and stdout. */
export interface StdioServer {
  /** Resolves when the client has closed stdin and every request is answered. */
  readonly closed: Promise<void>;
}

/**
 * Serves on stdin and stdout (basic/transports/stdio). From here on stdout belongs to the protocol: `console.log`
 * and stray writes of this process go to stderr. When stdin ends, running requests are answered, then the process
 * exits with 0.
 */
export async function serveStdio(
  server: { readonly handle: Handler },
  options: StdioOptions = {},
): Promise<StdioServer> {
  quietEndsOfCalls();
  assertBounds(options);
  assertBounds(options.bounds ?? {}, 'bounds.');
  const { stdin } = process;
  const report = safeReporter(options.report ?? reportToConsole);
  const stdout = guardStdout();
  let blocked = false;
  let full = false;
  const read = (): void => {
    if (blocked || full) stdin.pause();
    else stdin.resume();
  };
  const writer = new LineWriter(stdout, (isBlocked) => {
    blocked = isBlocked;
    read();
  });
  const connection = serveDualLines(
    server.handle,
    {
      transport: 'stdio',
      sink: writer,
      decode: decodeUtf8,
      pause() {
        full = true;
        read();
      },
      resume() {
        full = false;
        read();
      },
    },
    { ...options, report },
  );
  const closed = new Promise<void>((resolve) => {
    let ending = false;
    const finish = (): void => {
      if (ending) return;
      ending = true;
      void new Deadline(options.drainMs ?? 10_000, () => {
        report({ kind: 'drain-timeout', message: 'requests without an answer were cancelled' });
        connection.abort();
      })
        .race(connection.end())
        .catch(() => {}) // reported above: the time is up, what is left goes unanswered
        .then(() => writer.end())
        .then(() => {
          stdout.release();
          resolve();
          if (options.exit !== false) process.exit(0);
        });
    };
    stdin.on('data', (chunk: Uint8Array) => connection.push(chunk));
    stdin.on('end', finish);
    stdin.on('error', finish);
    // The reader is gone: nobody hears an answer any more.
    stdout.stream.on('error', () => {
      connection.abort();
      resolve();
      if (options.exit !== false) process.exit(0);
    });
    if (options.exit !== false) {
      process.once('SIGTERM', finish);
      process.once('SIGINT', finish);
    }
  });
  return { closed };
}
