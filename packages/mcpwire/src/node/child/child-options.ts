import type { LineLinkOptions } from '../../transport/client/lines/line-options.ts';
import type { Environment } from './environment.ts';

/** A server that is started as a process of its own and spoken to over its stdin and stdout. */
export interface StdioTarget {
  /** The program: a path, or a name that is looked for on `PATH`. No shell reads it. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables on top of the inherited ones. */
  readonly env?: Environment;
  readonly cwd?: string;
}

/** How a server's process is run. Every bound has a default and can be changed. */
export interface ChildOptions extends LineLinkOptions {
  /**
   * What else of this process's environment the server gets: names, or `true` for everything. By default only what a
   * program needs to run, such as `PATH` and `HOME`.
   */
  readonly inheritEnv?: true | readonly string[];
  /** Hears each line that the server writes to stderr. The last ones are quoted in errors anyway. */
  readonly onStderr?: (line: string) => void;
  /** Most lines of stderr that are kept for errors. Default 50. */
  readonly maxStderrLines?: number;
  /** Most bytes that wait for a server that doesn't read its stdin. Default 64 MiB; then requests fail with a `LimitError`. */
  readonly maxUnreadBytes?: number;
  /** Milliseconds that a server gets to exit once its stdin is closed, before it gets SIGTERM. Default 2,000. */
  readonly exitMs?: number;
  /** Milliseconds that it gets after SIGTERM, before SIGKILL. Default 2,000. */
  readonly termMs?: number;
}
