// Deno: deno serve --host localhost --port 3000 deno.ts
import { toFetchHandler } from 'mcpwire/http';
import { server } from './server.ts';

const mcp = toFetchHandler(server, { allowedHosts: ['localhost', 'mcp.example.com'] });

export default {
  fetch(request: Request): Promise<Response> | Response {
    const { pathname } = new URL(request.url);
    if (pathname === '/health') return Response.json({ ok: true });
    return pathname === '/mcp' ? mcp(request) : new Response('Not found\n', { status: 404 });
  },
};
