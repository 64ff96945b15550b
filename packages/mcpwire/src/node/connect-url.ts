import type { Client } from '../client/client.ts';
import { connectHttp } from '../client/connect-http.ts';
import type { UrlTarget } from '../client/connect-http.ts';
import type { WebConnectOptions } from '../client/connect-options.ts';
import type { HttpBounds } from '../transport/client/http/http-options.ts';
import { UndiciSender } from './http-client/undici-sender.ts';
import type { UndiciSenderOptions } from './http-client/undici-sender.ts';

/** Connects to a server behind a URL through a pool of connections. */
export function connectUrl<Tools>(
  target: string | URL | UrlTarget,
  options: WebConnectOptions & HttpBounds & UndiciSenderOptions,
): Promise<Client<Tools>> {
  const to = typeof target === 'string' || target instanceof URL ? { url: target } : target;
  return connectHttp(to, options, () => new UndiciSender(options));
}
