import { createServer } from 'mcpwire/server';
import * as z from 'zod';

/** What every mount serves. It knows nothing of frameworks and transports. */
export const server = createServer({ name: 'counter', version: '1.0.0' }).tool(
  'count',
  {
    description: 'Counts slowly, and tells every step.',
    input: z.object({ to: z.int().min(1).max(10_000) }),
    output: z.object({ counted: z.int() }),
  },
  async ({ to }, context) => {
    console.log(`counting to ${to}`);
    for (let step = 1; step <= to; step++) {
      await context.progress(step, to);
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (!context.signal.aborted) continue;
      console.log(`stopped at ${step} of ${to}: the client is gone`);
      return { counted: step };
    }
    return { counted: to };
  },
);
