import { FetchSender } from '../fetch/fetch-sender.ts';
import type { HttpBounds } from '../transport/client/http/http-options.ts';
import { createClient } from './client.ts';
import type { Client } from './client.ts';
import { connectHttp } from './connect-http.ts';
import type { UrlTarget } from './connect-http.ts';
import type { WebConnectOptions } from './connect-options.ts';
import { connectInProcess } from './in-process.ts';
import type { InProcessTarget } from './in-process.ts';
import type { ToolsOf } from './tool-types.ts';

export interface WebClientOptions extends WebConnectOptions, HttpBounds {
  /** What requests are sent with. Default the runtime's own `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Connects to a server behind a URL or in this process, on any runtime. On Node, `mcpwire/node` has a faster one. */
export async function connect<S = unknown>(
  target: string | URL | UrlTarget | InProcessTarget,
  options: WebClientOptions = {},
): Promise<Client<ToolsOf<S>>> {
  if (typeof target === 'object' && 'handle' in target) {
    return createClient(connectInProcess(target), options);
  }
  const to = typeof target === 'string' || target instanceof URL ? { url: target } : target;
  return connectHttp(to, options, () => new FetchSender(options.fetch));
}
