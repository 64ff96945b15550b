import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Narrator } from './narrator.ts';
import type { Printer } from './print.ts';
import { tappedFetch } from './tapped-fetch.ts';
import { TappedTransport } from './tapped-transport.ts';

const SERVER = fileURLToPath(new URL('../docs-server/main.js', import.meta.url));

/** A client in front of a server that was started for it. */
export interface Connected {
  readonly client: Client;
  readonly narrator: Narrator;
  stop(): Promise<void>;
}

export async function overStdio(folder: string, print: Printer): Promise<Connected> {
  const narrator = new Narrator(print);
  print.wire(`$ docs-server ${folder}`);
  const transport = new StdioClientTransport({ command: process.execPath, args: [SERVER, folder] });
  const client = await connect(new TappedTransport(transport, narrator));
  return { client, narrator, stop: () => client.close() };
}

export async function overHttp(folder: string, print: Printer): Promise<Connected> {
  const narrator = new Narrator(print);
  const server = spawn(process.execPath, [SERVER, folder, '--http', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    await exited;
  };
  const [url] = await Promise.race([
    once(createInterface({ input: server.stdout }), 'line', {
      signal: AbortSignal.timeout(10_000),
    }) as Promise<[string]>,
    exited.then(() => Promise.reject(new Error('the server ended before it listened'))),
  ]);
  print.wire(`$ docs-server ${folder} --http 0`, url);
  try {
    const client = await connect(
      new StreamableHTTPClientTransport(new URL(url), { fetch: tappedFetch(narrator) }),
    );
    return { client, narrator, stop: () => client.close().then(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The client speaks this revision and no other. */
async function connect(transport: Transport): Promise<Client> {
  const client = new Client(
    { name: 'demo', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(transport, { timeout: 10_000 });
  return client;
}
