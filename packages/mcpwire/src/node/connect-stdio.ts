import { connectOver } from '../client/connect-on.ts';
import type { Client } from '../client/client.ts';
import type { WebConnectOptions } from '../client/connect-options.ts';
import { establishLines } from '../client/era/establish-lines.ts';
import { UsageError } from '../protocol/usage-error.ts';
import { reportToConsole } from '../transport/report.ts';
import type { ChildOptions, StdioTarget } from './child/child-options.ts';
import { openStdio } from './child/stdio-link.ts';

/** Starts a server as a process of its own and connects to it. */
export async function connectStdio<Tools>(
  target: StdioTarget,
  options: WebConnectOptions & ChildOptions,
): Promise<Client<Tools>> {
  const { command, args = [] } = target;
  if (typeof command !== 'string' || !Array.isArray(args) || args.some((arg) => typeof arg !== 'string')) {
    throw new UsageError('{ command, args } takes a string and a list of strings');
  }
  const key = JSON.stringify([target.command, target.args ?? [], target.cwd ?? '']);
  const child: ChildOptions = { ...options, report: options.report ?? reportToConsole };
  return connectOver(
    key,
    (settings, known, signal) =>
      establishLines((events) => openStdio(target, events, child), settings, known, signal),
    options,
  );
}
