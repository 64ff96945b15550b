import type { ChildProcess } from 'node:child_process';
import process from 'node:process';

/** Leaders of groups that still run: ended with this process, whatever ends it in an orderly way. */
const RUNNING = new Set<number>();
let isListening = false;

/**
 * A server's process with everything that it starts (`npx` starts a shell, which starts the server): one group on POSIX,
 * so that a signal reaches all of them. Windows has no groups; there the process alone is ended.
 */
export class ProcessGroup {
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
    const { pid } = child;
    if (pid === undefined) return;
    RUNNING.add(pid);
    if (!isListening) {
      isListening = true;
      process.on('exit', () => {
        for (const leader of RUNNING) signalGroup(leader, 'SIGTERM');
      });
    }
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    if (process.platform === 'win32') this.#child.kill(name);
    else signalGroup(pid, name);
  }

  /** The leader is gone: what it left behind gets SIGTERM and, once that time is over, SIGKILL. */
  async sweep(ms: number): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return;
    RUNNING.delete(pid);
    if (process.platform === 'win32' || !signalGroup(pid, 'SIGTERM')) return;
    const until = Date.now() + ms;
    while (Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      if (!signalGroup(pid, 0)) return;
    }
    signalGroup(pid, 'SIGKILL');
  }
}

/** How often it is looked whether anybody of a group is left: no event tells. */
const POLL_MS = 20;

/** False where nobody of the group is left. */
function signalGroup(leader: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, name);
    return true;
  } catch {
    return false;
  }
}
