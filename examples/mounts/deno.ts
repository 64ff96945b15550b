// Deno: deno serve --host 127.0.0.1 --port 3000 deno.ts
import { toFetchHandler } from 'mcpwire/http';
import { allowedHosts, server } from './server.ts';

const mcp = toFetchHandler(server, { allowedHosts });

export default {
  fetch(request: Request): Promise<Response> | Response {
    const { pathname } = new URL(request.url);
    if (pathname === '/health') return Response.json({ ok: true });
    return pathname === '/mcp' ? mcp(request) : new Response('Not found\n', { status: 404 });
  },
};
