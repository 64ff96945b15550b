import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { measure, target } from './shared.mjs';

const client = new Client(
  { name: 'bench', version: '1' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
await client.connect(new StdioClientTransport({ command: process.execPath, args: [target] }));
await measure(
  async (a) => (await client.callTool({ name: 'add', arguments: { a, b: 2 } })).structuredContent.sum,
);
await client.close();
