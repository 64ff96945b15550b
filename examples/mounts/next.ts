// Next 16, app router: this is app/mcp/route.ts. Other routes are other files.
import { toFetchHandler } from 'mcpwire/http';
import { allowedHosts, server } from './server.ts';

const mcp = toFetchHandler(server, { allowedHosts });

export const POST = (request: Request): Promise<Response> => mcp(request);
export const GET = POST; // answered 405 with a sentence
