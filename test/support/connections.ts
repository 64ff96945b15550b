import process from 'node:process';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { connect as connectWithFetch } from 'mcpwire/client';
import type { Client } from 'mcpwire/client';
import { connect, serveHttp } from 'mcpwire/node';
import type { ConnectOptions } from 'mcpwire/node';
import { clientServer } from '../fixtures/client-server.ts';

const STDIO = fileURLToPath(new URL('../fixtures/run-client-server.js', import.meta.url));

/** Connects to the client's fixture in one particular way; the connection ends with the test. */
export type Connecting = (t: TestContext, options?: ConnectOptions) => Promise<Client>;

/** What `npm test` prints must not depend on what is tolerated. */
export const QUIET: ConnectOptions = { report: () => {} };

/** Every way to a server of this library: transport, era, sender. */
export const CONNECTIONS: { readonly [name: string]: Connecting } = {
  'in this process': (t, options) => closing(t, connect(clientServer(), { ...QUIET, ...options })),
  'stdio, modern': (t, options) => closing(t, connect(stdio(), { ...QUIET, ...options })),
  'stdio, legacy': (t, options) => closing(t, connect(stdio(), { ...QUIET, ...options, era: 'legacy' })),
  'HTTP, modern': async (t, options) => closing(t, connect(await http(t), { ...QUIET, ...options })),
  'HTTP, modern, fetch': async (t, options) =>
    closing(t, connectWithFetch(await http(t), { ...QUIET, ...options })),
  'HTTP, legacy': async (t, options) =>
    closing(t, connect(await http(t), { ...QUIET, ...options, era: 'legacy' })),
  'HTTP, legacy, fetch': async (t, options) =>
    closing(t, connectWithFetch(await http(t), { ...QUIET, ...options, era: 'legacy' })),
  'HTTP+SSE': async (t, options) => {
    const url = (await http(t)).replace('/mcp', '/sse');
    return closing(t, connect(url, { ...QUIET, ...options }));
  },
};

function stdio(): { command: string; args: readonly string[] } {
  return { command: process.execPath, args: [STDIO, 'stdio'] };
}

async function http(t: TestContext): Promise<string> {
  const running = await serveHttp(clientServer(), { sse: true, port: 0, drainMs: 100 });
  t.after(() => running.close());
  return running.url;
}

async function closing(t: TestContext, connecting: Promise<Client>): Promise<Client> {
  const client = await connecting;
  t.after(() => client.close());
  return client;
}
