import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';

/** A mounting example that runs in a process of its own. */
export interface Mount {
  readonly port: number;
  /** Resolves with the first line, printed already or later, that matches. Rejects when the process ends before. */
  line(pattern: RegExp): Promise<string>;
  stop(): Promise<void>;
}

export interface MountCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** How the line that tells the port looks; the first group is the port. */
  readonly port: RegExp;
}

const RUNTIMES = 'test/runtimes/node_modules';

/** Path of a file that comes with a runtime or framework under test. */
export function runtimeFile(path: string): string {
  const file = `${RUNTIMES}/${path}`;
  if (existsSync(file)) return file;
  throw new Error(
    `${file} is missing: install the runtimes under test with "node scripts/setup.mjs test/runtimes"`,
  );
}

/** Starts the example and waits until it listens. */
export async function runMount({ command, args, cwd, port }: MountCommand): Promise<Mount> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: '0', NEXT_TELEMETRY_DISABLED: '1' },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let ended: string | undefined;
  const wake = (): void => {
    for (const look of waiting) look();
  };
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (text) => {
      lines.push(text);
      wake();
    });
  }
  child.once('error', (error) => {
    ended = error.message;
    wake();
  });
  const closed = once(child, 'close').then(([code, signal]) => {
    ended ??= `it ended with ${String(code ?? signal)}`;
    wake();
  });
  const line = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = lines.find((text) => pattern.test(text));
        if (found === undefined && ended === undefined) return;
        waiting.delete(look);
        if (found !== undefined) resolve(found);
        else reject(new Error(`no line matches ${String(pattern)}; ${ended}:\n${lines.join('\n')}`));
      };
      waiting.add(look);
      look();
    });
  const announced = port.exec(await line(port));
  return {
    port: Number(announced?.[1]),
    line,
    async stop() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
