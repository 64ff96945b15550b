// Bun: bun bun.ts
import { toFetchHandler } from 'mcpwire/http';
import { allowedHosts, server } from './server.ts';

const mcp = toFetchHandler(server, { allowedHosts });

export default {
  hostname: '127.0.0.1', // the port is $PORT, or 3000
  idleTimeout: 60, // seconds; more than the 15 after which mcpwire keeps an event stream alive
  fetch(request: Request): Promise<Response> | Response {
    const { pathname } = new URL(request.url);
    if (pathname === '/health') return Response.json({ ok: true });
    return pathname === '/mcp' ? mcp(request) : new Response('Not found\n', { status: 404 });
  },
};
