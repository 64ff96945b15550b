// mcpwire over HTTP.
import { serveHttp } from 'mcpwire/node';
import { announce } from './shared/announce.mjs';
import { server } from './shared/mcpwire.mjs';

const http = await serveHttp(server, { port: 0 });
await announce(http.url);
