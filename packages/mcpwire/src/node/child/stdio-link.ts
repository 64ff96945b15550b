import { assertBounds } from '../../protocol/bounds.ts';
import { ConnectionClosedError, LimitError } from '../../transport/client/errors.ts';
import { LineLink } from '../../transport/client/lines/line-link.ts';
import type { LinkEvents } from '../../transport/client/link.ts';
import { reportToConsole, safeReporter } from '../../transport/report.ts';
import { decodeUtf8 } from '../decode-utf8.ts';
import type { ChildOptions, StdioTarget } from './child-options.ts';
import { childEnvironment } from './environment.ts';
import { ProcessGroup } from './process-group.ts';
import { spawnServer } from './spawn-server.ts';
import type { ServerProcess } from './spawn-server.ts';
import { StderrTail } from './stderr-tail.ts';

/** Lines of stderr that are quoted where an answer is missing. */
const HINTED_LINES = 3;
/** How long output may still come from a process that has exited; a child of its own may hold the pipe open for ever. */
const LAST_OUTPUT_MS = 200;

/** Starts a server and gives the link to it. */
export async function openStdio(
  target: StdioTarget,
  events: LinkEvents,
  options: ChildOptions = {},
): Promise<LineLink> {
  assertBounds(options);
  const env = childEnvironment(target.env, options.inheritEnv);
  const child = await spawnServer(target, env);
  return new ServerChild(child, target, events, options).link;
}

/** One running server process. */
class ServerChild {
  readonly link: LineLink;
  readonly #child: ServerProcess;
  readonly #options: ChildOptions;
  readonly #group: ProcessGroup;
  readonly #stderr: StderrTail;
  /** Resolves when the process is gone. */
  readonly #exited: Promise<void>;
  readonly #maxUnread: number;
  /** Resolves when nothing that it started is left either. */
  #swept: Promise<void> = Promise.resolve();
  #lines = '';
  #closing: Promise<void> | undefined;

  constructor(child: ServerProcess, target: StdioTarget, events: LinkEvents, options: ChildOptions) {
    this.#child = child;
    this.#options = options;
    this.#group = new ProcessGroup(child);
    this.#stderr = new StderrTail(
      options.maxStderrLines ?? 50,
      safeReporter(options.report ?? reportToConsole),
      options.onStderr,
    );
    this.#maxUnread = options.maxUnreadBytes ?? 64 * 1024 * 1024;
    this.link = new LineLink(
      {
        transport: 'stdio',
        write: (line) => this.#write(line),
        decode: decodeUtf8,
        hint: () => {
          const last = this.#stderr.lines.slice(-HINTED_LINES);
          return last.length === 0
            ? undefined
            : `its last lines on stderr: ${JSON.stringify(last.join('\n'))}`;
        },
        close: () => (this.#closing ??= this.#stop()),
      },
      events,
      options,
    );
    child.stdout.on('data', (chunk: Buffer) => this.link.receive(chunk));
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.#stderr.add(text));
    // A server that closes its stdin, or dies while it is written to: what follows is told by its exit.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
    // One that says no more is over, though it may live on.
    child.stdout.on('end', () => {
      this.#closing ??= this.#stop();
    });
    child.stdin.on('close', () => {
      this.#closing ??= this.#stop();
    });
    this.#exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#swept = this.#group.sweep(this.#options.termMs ?? 2000);
        resolve();
        const tell = (): void => {
          clearTimeout(timer);
          this.link.ended(this.#closedError(target, code, signal));
          for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
        };
        const timer = setTimeout(tell, LAST_OUTPUT_MS);
        child.once('close', tell);
      });
    });
  }

  /** Lines that are written in one turn leave together: a write costs more than anything else on a pipe. */
  #write(line: string): void {
    const { stdin } = this.#child;
    if (stdin.writableLength + this.#lines.length > this.#maxUnread) {
      throw new LimitError(`the server doesn't read its stdin: ${this.#maxUnread} bytes wait for it`);
    }
    const isFirst = this.#lines === '';
    this.#lines += `${line}\n`;
    if (isFirst) {
      process.nextTick(() => {
        const lines = this.#lines;
        this.#lines = '';
        stdin.write(lines);
      });
    }
  }

  /** stdin closed, then SIGTERM, then SIGKILL, each to the whole group (basic/transports/stdio, "Shutdown"). */
  async #stop(): Promise<void> {
    const { stdin } = this.#child;
    if (this.#lines !== '') await new Promise((resolve) => setImmediate(resolve));
    stdin.end();
    if (!(await this.#exitsWithin(this.#options.exitMs ?? 2000))) {
      this.#group.signal('SIGTERM');
      if (!(await this.#exitsWithin(this.#options.termMs ?? 2000))) this.#group.signal('SIGKILL');
    }
    await this.#exited;
    await this.#swept;
  }

  #exitsWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      void this.#exited.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  #closedError(target: StdioTarget, code: number | null, signal: string | null): ConnectionClosedError {
    const stderr = this.#stderr.lines;
    const how = signal === null ? `exited with code ${code ?? 'unknown'}` : `was ended by ${signal}`;
    const said =
      stderr.length === 0 ? 'It wrote nothing to stderr.' : `Its last lines on stderr:\n${stderr.join('\n')}`;
    const odd = this.link.oddities.hint();
    return new ConnectionClosedError(
      `the server ${JSON.stringify([target.command, ...(target.args ?? [])].join(' '))} ${how}. ${said}${odd === undefined ? '' : `\nBesides, ${odd}`}`,
      { ...(code === null ? {} : { exitCode: code }), ...(signal === null ? {} : { signal }), stderr },
    );
  }
}
