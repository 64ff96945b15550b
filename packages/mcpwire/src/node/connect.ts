import type { Client } from '../client/client.ts';
import type { UrlTarget } from '../client/connect-http.ts';
import type { WebConnectOptions } from '../client/connect-options.ts';
import type { InProcessTarget } from '../client/in-process.ts';
import type { ToolsOf } from '../client/tool-types.ts';
import { UsageError } from '../protocol/usage-error.ts';
import type { HttpBounds } from '../transport/client/http/http-options.ts';
import type { UndiciSenderOptions } from './http-client/undici-sender.ts';
import type { ChildOptions, StdioTarget } from './child/child-options.ts';

/** A server among those of a file such as `.mcp.json`. */
export interface FileTarget {
  readonly file: string;
  readonly server: string;
}

/** What can be connected to: a URL, a command, an entry of an `mcpServers` file, a server in this process. */
export type ConnectTarget = string | URL | UrlTarget | StdioTarget | FileTarget | InProcessTarget;

export interface ConnectOptions extends WebConnectOptions, ChildOptions, HttpBounds, UndiciSenderOptions {}

/**
 * Connects to a server of any revision, over whatever it offers. Rejects with a `SpawnError`, `UnreachableError`,
 * `TimeoutError`, `ConnectionClosedError`, `EraNegotiationError`, or what the server or something before it answered:
 * `PeerError`, `HttpError`.
 */
export async function connect<S = unknown>(
  target: ConnectTarget,
  options: ConnectOptions = {},
): Promise<Client<ToolsOf<S>>> {
  if (typeof target !== 'string' && (typeof target !== 'object' || target === null)) throw noTarget();
  if (typeof target === 'object' && 'file' in target) {
    const { readServerEntry } = await import('./server-file.ts');
    return connect<S>(await readServerEntry(target.file, target.server), options);
  }
  if (typeof target === 'string' || target instanceof URL || 'url' in target) {
    const { connectUrl } = await import('./connect-url.ts');
    return connectUrl(target, options);
  }
  if ('command' in target) {
    const { connectStdio } = await import('./connect-stdio.ts');
    return connectStdio(target, options);
  }
  if ('handle' in target) {
    const { createClient } = await import('../client/client.ts');
    const { connectInProcess } = await import('../client/in-process.ts');
    return createClient(connectInProcess(target), options);
  }
  throw noTarget();
}

function noTarget(): UsageError {
  return new UsageError(
    'connect takes a URL, { url }, { command }, { file, server } or a server of this process',
  );
}
