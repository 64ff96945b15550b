import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { at } from './messages.ts';
import { Queue } from './queue.ts';

/** What a started fixture gets told. */
export interface StdioFixtureOptions {
  readonly stdio?: { readonly [option: string]: unknown };
  readonly server?: { readonly [option: string]: unknown };
}

/** A server in a process of its own, spoken to over its stdin and stdout. */
export class StdioPeer {
  readonly child: ChildProcessWithoutNullStreams;
  /** Exit code, once the process is gone. */
  readonly exited: Promise<number | null>;
  readonly #lines = new Queue<string>();
  readonly #stderr: string[] = [];
  readonly #watchers = new Set<() => void>();

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    eachLine(child.stdout, (line) => this.#lines.push(line));
    eachLine(child.stderr, (line) => {
      this.#stderr.push(line);
      for (const look of this.#watchers) look();
    });
    child.stdin.on('error', () => {});
    this.exited = once(child, 'close').then(([code]: unknown[]) => {
      this.#lines.end(new Error(`the server is gone; it said: ${this.#stderr.join('\n')}`));
      for (const look of this.#watchers) look();
      return code as number | null;
    });
  }

  /** Writes one message as a line. */
  send(message: unknown): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  /** Writes bytes as they are. */
  write(bytes: string | Uint8Array): void {
    this.child.stdin.write(bytes);
  }

  /** The next line as it came. */
  line(): Promise<string> {
    return this.#lines.next();
  }

  /** The next message. */
  async next(): Promise<unknown> {
    return JSON.parse(await this.#lines.next());
  }

  /** Sends a request and gives everything up to and including its answer. */
  async exchange(message: unknown): Promise<readonly unknown[]> {
    this.send(message);
    const messages: unknown[] = [];
    for (;;) {
      const received = await this.next();
      messages.push(received);
      if (at(received, 'method') === undefined && at(received, 'id') === at(message, 'id')) return messages;
    }
  }

  /** Sends a request and gives its answer. */
  async ask(message: unknown): Promise<unknown> {
    return (await this.exchange(message)).at(-1);
  }

  /** Lines that came and were not read. */
  rest(): readonly string[] {
    return this.#lines.rest();
  }

  /** Resolves with the first line on stderr that fits, now or later. */
  stderr(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.#stderr.find((line) => pattern.test(line));
        const gone = this.child.exitCode !== null && this.child.stderr.closed;
        if (found === undefined && !gone) return;
        this.#watchers.delete(look);
        if (found === undefined) reject(new Error(`no ${String(pattern)} in: ${this.#stderr.join('\n')}`));
        else resolve(found);
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Closes the server's stdin: its client has nothing more to say. */
  closeInput(): void {
    this.child.stdin.end();
  }
}

/** Cuts at line feeds alone: Node's own line reader also cuts at U+2028, which is data here. */
function eachLine(input: Readable, take: (line: string) => void): void {
  let rest = '';
  input.setEncoding('utf8');
  input.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  input.on('end', () => {
    if (rest !== '') take(rest);
  });
}

/** Starts a fixture on stdio, that of the rules where none is named; it is ended with the test. */
export function startStdio(
  t: TestContext,
  options: StdioFixtureOptions = {},
  fixture = 'run-rules-stdio.js',
): StdioPeer {
  const file = fileURLToPath(new URL(`../fixtures/${fixture}`, import.meta.url));
  const child = spawn(process.execPath, [file, JSON.stringify(options)], { stdio: 'pipe' });
  const peer = new StdioPeer(child);
  t.after(async () => {
    child.kill('SIGKILL');
    await peer.exited;
  });
  return peer;
}
