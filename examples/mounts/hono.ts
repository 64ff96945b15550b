// Hono 4 on Node: node hono.js. In Bun, Deno and Workers: export default app.
import process from 'node:process';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { toFetchHandler } from 'mcpwire/http';
import { allowedHosts, server } from './server.ts';

const mcp = toFetchHandler(server, { allowedHosts });
const app = new Hono();
app.get('/health', (context) => context.json({ ok: true }));
app.all('/mcp', (context) => mcp(context.req.raw));

serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' }, (address) => {
  console.log('listening on', address);
});
