// Fastify 5: node fastify.js
import process from 'node:process';
import Fastify from 'fastify';
import { toNodeHandler } from 'mcpwire/node';
import { allowedHosts, server } from './server.ts';

const app = Fastify();
const mcp = toNodeHandler(server, { allowedHosts });
app.get('/health', () => ({ ok: true }));
app.all('/mcp', {
  // Before Fastify reads the body: from here on request and response belong to mcpwire.
  onRequest: (request, reply) => {
    reply.hijack();
    mcp(request.raw, reply.raw);
  },
  handler: () => {},
});
app.addHook('preClose', () => mcp.close());

console.log(await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' }));
