// Express 5: node express.js
import process from 'node:process';
import express from 'express';
import { toNodeHandler } from 'mcpwire/node';
import { allowedHosts, server } from './server.ts';

const app = express();
app.use(express.json()); // a body that is parsed already is fine
app.get('/health', (_request, response) => {
  response.json({ ok: true });
});
app.all('/mcp', toNodeHandler(server, { allowedHosts }));

const listener = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  console.log('listening on', listener.address());
});
