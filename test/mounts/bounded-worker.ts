import { toFetchHandler } from 'mcpwire/http';
import { server } from '../../examples/mounts/server.ts';

server.resource('test://page', {}, () => 'text');
const mcp = toFetchHandler(server, { maxConcurrent: 1, maxSubscriptions: 1, keepAliveMs: 30 });

/** A worker whose bounds are reached at once. */
export default {
  fetch(request: Request): Promise<Response> | Response {
    if (new URL(request.url).pathname === '/mcp') return mcp(request);
    server.resourceUpdated('test://page');
    return new Response('updated');
  },
};
