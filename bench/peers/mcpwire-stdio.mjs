// mcpwire over stdio.
import { serveStdio } from 'mcpwire/node';
import { server } from './shared/mcpwire.mjs';

await serveStdio(server);
