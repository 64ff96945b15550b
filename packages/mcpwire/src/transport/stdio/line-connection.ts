import { withDefaults } from '../../protocol/bounds.ts';
import type { Handler } from '../../protocol/handler.ts';
import type { TextBounds } from '../../protocol/scan-text.ts';
import { DEFAULT_TEXT_BOUNDS } from '../../protocol/scan-text.ts';
import type { Reporter } from '../report.ts';
import { reportToConsole, safeReporter } from '../report.ts';
import type { LoadLegacyLines } from './lazy-line-front.ts';
import type { LineSink } from './line-call.ts';
import { LineServer } from './line-server.ts';
import { LineSplitter } from './line-splitter.ts';

/** Bounds of a connection that carries one JSON-RPC message per line. Every one has a default and can be changed. */
export interface LineOptions {
  /** Most bytes of one line. Default 16 MiB; a longer one is answered -32600 and skipped. */
  readonly maxLineBytes?: number;
  /** Most requests that run at once, without subscriptions. Default 128; more wait in line. */
  readonly maxConcurrent?: number;
  /** Most requests that wait in line before reading pauses. Default 1,024. */
  readonly maxWaiting?: number;
  /** Most open subscriptions. Default 1,024; one more is answered -32603. */
  readonly maxSubscriptions?: number;
  /** Bounds of one message's text. */
  readonly bounds?: Partial<TextBounds>;
  /** Hears of what no answer can say. Default: one line on the console's error stream. */
  readonly report?: Reporter;
}

/** What the runtime brings: where lines go, how bytes become text, and how to stop and start reading. */
export interface LineWire {
  readonly transport: string;
  readonly sink: LineSink;
  /** Text of the bytes, undefined where they are not UTF-8. */
  decode(bytes: Uint8Array): string | undefined;
  pause(): void;
  resume(): void;
}

/** A running connection: bytes go in by `push`, answers come out of the wire's sink. */
export interface LineConnection {
  push(chunk: Uint8Array): void;
  /** The input is over: what is left counts as a line. Resolves when every request has its answer. */
  end(): Promise<void>;
  /** Cancels everything that still runs. */
  abort(): void;
}

/** Serves a handler over any byte stream with the framing of the stdio transport: pipes, sockets, TCP. */
export function serveLines(
  handle: Handler,
  wire: LineWire,
  options: LineOptions = {},
  loadLegacy?: LoadLegacyLines,
): LineConnection {
  const maxLineBytes = options.maxLineBytes ?? 16 * 1024 * 1024;
  const maxWaiting = options.maxWaiting ?? 1024;
  let paused = false;
  const server = new LineServer({
    handle,
    sink: wire.sink,
    caller: { transport: wire.transport },
    bounds: withDefaults(DEFAULT_TEXT_BOUNDS, options.bounds ?? {}),
    maxConcurrent: options.maxConcurrent ?? 128,
    maxSubscriptions: options.maxSubscriptions ?? 1024,
    report: safeReporter(options.report ?? reportToConsole),
    ...(loadLegacy === undefined ? {} : { loadLegacy }),
    onWaiting(waiting) {
      if (!paused && waiting >= maxWaiting) {
        paused = true;
        wire.pause();
      } else if (paused && waiting <= maxWaiting / 2) {
        paused = false;
        wire.resume();
      }
    },
  });
  const splitter = new LineSplitter(maxLineBytes, {
    line(bytes) {
      const text = wire.decode(bytes);
      if (text === undefined) server.refuseLine('not-utf8', latin1(bytes), maxLineBytes);
      else server.receive(text);
    },
    tooLong: (head) => server.refuseLine('too-long', latin1(head), maxLineBytes),
  });
  return {
    push: (chunk) => splitter.push(chunk),
    end() {
      splitter.end();
      return server.drain();
    },
    abort: () => server.abort(),
  };
}

/** Enough of a refused line to look for its id, which is ASCII where it is anything sensible. */
function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 1024));
}
