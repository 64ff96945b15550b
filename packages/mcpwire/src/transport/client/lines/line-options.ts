import type { TextBounds } from '../../../protocol/scan-text.ts';
import type { Reporter } from '../../report.ts';

/** Bounds of a link that carries one message per line. Every one has a default and can be changed. */
export interface LineLinkOptions {
  /** Most bytes of one line of the server. Default 16 MiB; the request that a longer one answers fails. */
  readonly maxLineBytes?: number;
  /** Most requests that wait for their answer. Default 10,000; one more fails with a `LimitError`. */
  readonly maxPending?: number;
  /** Bounds of one message's text. */
  readonly bounds?: Partial<TextBounds>;
  /** Hears of what was tolerated. Default: one line on the console's error stream. */
  readonly report?: Reporter;
}

/** What the runtime brings to a link: where lines go, and how bytes become text. */
export interface LineEnd {
  readonly transport: string;
  /** Writes one line, without its line break. */
  write(line: string): void;
  /** Text of the bytes, undefined where they are not UTF-8. */
  decode(bytes: Uint8Array): string | undefined;
  /** What the runtime knows that may explain a silence, such as the last lines of stderr. */
  hint?(): string | undefined;
  /** Ends the way to the server and resolves when nothing of it is left. */
  close(): Promise<void>;
}
