import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

/** A fixture that serves HTTP in a process of its own. */
export interface HttpFixture {
  readonly url: string;
  readonly port: number;
  /** Resolves when the process is gone. */
  readonly exited: Promise<unknown>;
  signal(name: NodeJS.Signals): void;
  /** Ends the process without a warning and resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts a fixture that prints its address as its first line; it is ended with the test. */
export async function startHttpFixture(
  t: TestContext,
  options: object = {},
  fixture = 'run-legacy-http.js',
): Promise<HttpFixture> {
  const file = fileURLToPath(new URL(`../fixtures/${fixture}`, import.meta.url));
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'close');
  t.after(() => end(child, exited));
  const url = await firstLine(child);
  return {
    url,
    port: Number(new URL(url).port),
    exited,
    signal: (name) => child.kill(name),
    kill: () => end(child, exited),
  };
}

async function end(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL');
  await exited;
}

async function firstLine(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout !== null);
  const lines = createInterface({ input: child.stdout });
  const line: unknown = await Promise.race([
    once(lines, 'line').then(([first]: unknown[]) => first),
    once(child, 'exit').then(([code]: unknown[]) => {
      throw new Error(`the fixture ended with ${String(code)}`);
    }),
  ]);
  return String(line);
}
