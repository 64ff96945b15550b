import process from 'node:process';
import { serveHttp, serveStdio } from 'mcpwire/node';
import { createServer, ToolError } from 'mcpwire/server';
import * as z from 'zod';

const PRICES: { readonly [item: string]: number } = { tea: 4, coffee: 6 };

// With the same secrets in `SECRETS`, separated by commas, any instance can go on with a call.
const secrets = process.env['SECRETS']?.split(',');

const server = createServer({ name: 'shop', version: '1.0.0' }, secrets ? { input: { secrets } } : {}).tool(
  'place_order',
  {
    description: 'Orders an item',
    input: z.object({ item: z.enum(['tea', 'coffee']), quantity: z.int().positive() }),
    output: z.object({ orderId: z.string(), paid: z.number() }),
  },
  async ({ item, quantity }, ctx) => {
    // Its result travels with the call: later rounds don't run it again.
    const price = await ctx.step('quote', () => (PRICES[item] ?? 0) * quantity);
    // Asks the user, whatever revision the client speaks.
    const answer = await ctx.elicit('confirm', {
      message: `Pay ${price}?`,
      schema: z.object({ confirm: z.boolean() }),
    });
    if (answer.action !== 'accept' || !answer.content.confirm) throw new ToolError('The user declined');
    const orderId = await ctx.step('pay', () => pay(price));
    if (ctx.can('elicit')) {
      await ctx.elicit('rating', {
        message: `Paid ${price}. How was it?`,
        schema: z.object({ stars: z.int().min(1).max(5).optional() }),
      });
    }
    return { orderId, paid: price };
  },
);

async function pay(price: number): Promise<string> {
  process.stderr.write(`paid ${price}\n`);
  return crypto.randomUUID();
}

if (process.argv[2] === '--http') {
  const { url } = await serveHttp(server, { port: Number(process.argv[3] ?? 3000) });
  console.log(url);
} else await serveStdio(server);
