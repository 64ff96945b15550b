// Bun: bun bun.ts
import { toFetchHandler } from 'mcpwire/http';
import { server } from './server.ts';

const mcp = toFetchHandler(server, { allowedHosts: ['localhost', 'mcp.example.com'] });

export default {
  hostname: 'localhost', // the port is $PORT, or 3000
  idleTimeout: 60, // seconds; more than the 15 after which mcpwire keeps an event stream alive
  fetch(request: Request): Promise<Response> | Response {
    const { pathname } = new URL(request.url);
    if (pathname === '/health') return Response.json({ ok: true });
    return pathname === '/mcp' ? mcp(request) : new Response('Not found\n', { status: 404 });
  },
};
