import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { measure, target } from './shared.mjs';

const client = new Client(
  { name: 'bench', version: '1' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
);
await client.connect(new StreamableHTTPClientTransport(new URL(target)));
await measure(
  async (a) => (await client.callTool({ name: 'add', arguments: { a, b: 2 } })).structuredContent.sum,
);
await client.close();
