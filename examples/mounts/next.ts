// Next 16, app router: this is app/mcp/route.ts. Other routes are other files.
import { toFetchHandler } from 'mcpwire/http';
import { allowedHosts, server } from './server.ts';

const mcp = toFetchHandler(server, { allowedHosts });

const handler = (request: Request): Promise<Response> => mcp(request);
// Clients of older revisions need GET and DELETE, too.
export { handler as DELETE, handler as GET, handler as POST };
