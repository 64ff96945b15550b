import { createServer } from 'mcpwire/server';
import * as z from 'zod';

/** The names under which the endpoint may be called. Any other `Host` is answered 403. */
export const allowedHosts = ['localhost', '127.0.0.1', 'mcp.example.com'];

/** What every mount serves. It knows nothing of frameworks and transports. */
export const server = createServer({ name: 'counter', version: '1.0.0' }).tool(
  'count',
  {
    description: 'Counts slowly, and tells every step.',
    input: z.object({ to: z.int().min(1).max(10_000) }),
    output: z.object({ counted: z.int() }),
  },
  async ({ to }, context) => {
    const { signal } = context;
    console.log(`counting to ${to}`);
    signal.addEventListener('abort', () => console.log(`stopped counting to ${to}: the client is gone`));
    for (let step = 1; step <= to && !signal.aborted; step++) {
      await context.progress(step, to);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { counted: to };
  },
);
