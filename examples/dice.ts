import process from 'node:process';
import { serveHttp, serveStdio } from 'mcpwire/node';
import { createServer } from 'mcpwire/server';
import * as z from 'zod';

const server = createServer({ name: 'dice', version: '1.0.0' }).tool(
  'roll',
  {
    description: 'Rolls dice',
    input: z.object({ count: z.int().min(1).max(20), sides: z.int().min(2).default(6) }),
    output: z.object({ rolls: z.array(z.int()) }),
  },
  ({ count, sides }) => ({
    rolls: Array.from({ length: count }, () => 1 + Math.floor(Math.random() * sides)),
  }),
);

if (process.argv[2] === '--http') {
  const { url } = await serveHttp(server, { port: Number(process.argv[3] ?? 3000) });
  console.log(url);
} else await serveStdio(server);
