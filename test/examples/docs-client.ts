import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const MAIN = '.build/examples/docs-server/main.js';

/** The official client, connected to a docs-server in a process of its own. */
export interface DocsClient {
  readonly client: Client;
  /** Every message that came in. */
  readonly heard: readonly JSONRPCMessage[];
  stop(): Promise<void>;
}

async function connect(transport: Transport): Promise<{ client: Client; heard: JSONRPCMessage[] }> {
  const client = new Client(
    { name: 'docs-test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const heard: JSONRPCMessage[] = [];
  // The client keeps a listener that is there before it.
  Object.assign(transport, { onmessage: (message: JSONRPCMessage) => heard.push(message) });
  await client.connect(transport);
  return { client, heard };
}

export async function overStdio(folder: string): Promise<DocsClient> {
  const connected = await connect(
    new StdioClientTransport({ command: process.execPath, args: [MAIN, folder] }),
  );
  return { ...connected, stop: () => connected.client.close() };
}

export async function overHttp(folder: string): Promise<DocsClient> {
  const server = spawn(process.execPath, [MAIN, folder, '--http', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  const [url] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  const connected = await connect(new StreamableHTTPClientTransport(new URL(url)));
  return {
    ...connected,
    async stop() {
      await connected.client.close();
      server.kill('SIGTERM');
      const [code] = (await exited) as [number | null];
      if (code !== 0) throw new Error(`the server ended with ${String(code)}`);
    },
  };
}
