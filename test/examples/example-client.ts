import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** The official client, connected to an example in a process of its own. */
export interface ExampleClient {
  readonly client: Client;
  /** Every message that came in. */
  readonly heard: readonly JSONRPCMessage[];
  stop(): Promise<void>;
}

/** The revision to insist on, or `legacy`: the older ones, with a handshake. */
export type Era = { readonly pin: string } | 'legacy';

const MODERN: Era = { pin: '2026-07-28' };

async function connect(
  transport: Transport,
  mode: Era,
): Promise<{ client: Client; heard: JSONRPCMessage[] }> {
  const client = new Client({ name: 'example-test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const heard: JSONRPCMessage[] = [];
  // The client keeps a listener that is there before it.
  Object.assign(transport, { onmessage: (message: JSONRPCMessage) => heard.push(message) });
  await client.connect(transport);
  return { client, heard };
}

export async function overStdio(command: readonly string[], era: Era = MODERN): Promise<ExampleClient> {
  const connected = await connect(
    new StdioClientTransport({ command: process.execPath, args: [...command] }),
    era,
  );
  return { ...connected, stop: () => connected.client.close() };
}

export async function overHttp(command: readonly string[], era: Era = MODERN): Promise<ExampleClient> {
  const server = spawn(process.execPath, [...command, '--http', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  const [url] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  const connected = await connect(new StreamableHTTPClientTransport(new URL(url)), era);
  return {
    ...connected,
    async stop() {
      await connected.client.close();
      server.kill('SIGTERM');
      await exited;
    },
  };
}
