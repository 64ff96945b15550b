import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import type { StdioTarget } from './child-options.ts';
import { spawnFailure } from './spawn-failure.ts';

export type ServerProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts the process; rejects with a `SpawnError` that says what is missing and where it was looked for. */
export async function spawnServer(
  target: StdioTarget,
  env: { readonly [name: string]: string },
): Promise<ServerProcess> {
  const { command, args = [], cwd } = target;
  const options = {
    env,
    stdio: ['pipe', 'pipe', 'pipe'] as ['pipe', 'pipe', 'pipe'],
    // A group of its own: see `ProcessGroup`.
    detached: process.platform !== 'win32',
    windowsHide: true,
    ...(cwd === undefined ? {} : { cwd }),
  };
  try {
    const child =
      process.platform === 'win32'
        ? await spawnOnWindows(command, args, options)
        : spawn(command, args, options);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.on('error', () => {}); // a signal that could not be sent: the process is gone
    return child;
  } catch (error) {
    throw spawnFailure(error as NodeJS.ErrnoException, command, cwd, env);
  }
}

/** Windows starts no `.cmd` (`npx`, `npm`) without help, and takes arguments as one text: both are a library's business. */
async function spawnOnWindows(
  command: string,
  args: readonly string[],
  options: Parameters<typeof spawn>[2],
): Promise<ServerProcess> {
  const { default: crossSpawn } = await import('cross-spawn');
  return crossSpawn(command, [...args], options) as unknown as ServerProcess;
}
