// Cloudflare Workers: the entry module. Needs the flag enable_request_signal, to hear of clients that leave.
import { toFetchHandler } from 'mcpwire/http';
import { allowedHosts, server } from './server.ts';

// Older clients get no session: the next request may reach another isolate.
const mcp = toFetchHandler(server, { allowedHosts, legacy: { mode: 'stateless' } });

export default {
  fetch(request: Request): Promise<Response> | Response {
    const { pathname } = new URL(request.url);
    if (pathname === '/health') return Response.json({ ok: true });
    return pathname === '/mcp' ? mcp(request) : new Response('Not found\n', { status: 404 });
  },
};
