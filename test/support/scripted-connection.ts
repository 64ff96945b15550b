import { createClient } from 'mcpwire/client';
import type { Client, ClientOptions } from 'mcpwire/client';
import type { Exchange, McpRequest, Result } from 'mcpwire';

/** A client around a handler that a test wrote: a server that may be as hostile as it likes. */
export function clientOf(
  handle: (request: McpRequest, exchange: Exchange) => Promise<Result> | Result,
  options: ClientOptions = {},
): Client & { readonly reports: string[] } {
  const reports: string[] = [];
  const client = createClient(
    {
      handle: async (request, exchange) => handle(request, exchange),
      transport: 'test',
      facts: { era: 'modern', version: '2026-07-28', capabilities: {} },
      close: () => Promise.resolve(),
    },
    { report: ({ kind, message }) => reports.push(`${kind}: ${message}`), ...options },
  );
  return Object.assign(client, { reports });
}

/** A handler that answers nothing until it is cancelled. */
export const silent = (_request: McpRequest, { signal }: Exchange): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
