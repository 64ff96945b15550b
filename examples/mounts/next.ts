// Next 16, app router: this is app/mcp/route.ts. Other routes are other files.
import { toFetchHandler } from 'mcpwire/http';
import { allowedHosts, server } from './server.ts';

const mcp = toFetchHandler(server, { allowedHosts });

const handler = (request: Request): Promise<Response> => mcp(request);
// GET is answered with 405 and a sentence.
export { handler as GET, handler as POST };
