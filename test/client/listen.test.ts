import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange, Notification, Result } from 'mcpwire';
import { ProtocolError } from 'mcpwire';
import type { ListenEvent } from 'mcpwire/client';
import { PeerError, UsageError } from 'mcpwire/client';
import { clientOf } from '../support/scripted-connection.ts';

const ACKNOWLEDGED: Notification = {
  method: 'notifications/subscriptions/acknowledged',
  params: { notifications: { toolsListChanged: true } },
};
const CHANGED: Notification = { method: 'notifications/tools/list_changed', params: {} };

const forever = ({ signal }: Exchange): Promise<Result> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

test('a stream that is lost is opened again, and the gap is told', { timeout: 20_000 }, async () => {
  let opened = 0;
  const client = clientOf(async (_request, exchange) => {
    await exchange.notify(ACKNOWLEDGED);
    if (++opened === 1) throw new Error('connection reset');
    await exchange.notify(CHANGED);
    return forever(exchange);
  });
  const types: string[] = [];
  for await (const { type } of client.listen({ tools: true })) {
    types.push(type);
    if (type === 'toolsListChanged') break;
  }
  assert.deepEqual(types, ['acknowledged', 'gap', 'acknowledged', 'toolsListChanged']);
  assert.equal(opened, 2);
  await new Promise(setImmediate);
  assert.equal(client.pending, 0);
});

test('a refusal ends a subscription with its error', async () => {
  const client = clientOf(() => {
    throw new PeerError({ code: -32601, message: 'no subscriptions here' });
  });
  await assert.rejects(read(client.listen({ tools: true })), { name: 'PeerError', code: -32601 });
  assert.throws(() => new ProtocolError(-32002, 'x'), RangeError);
});

test('a server that tells of nothing ends the subscription, and what it leaves out is reported [SUB-06]', async () => {
  const client = clientOf(async (_request, exchange) => {
    await exchange.notify({ ...ACKNOWLEDGED, params: { notifications: {} } });
    return { resultType: 'complete' };
  });
  assert.deepEqual(
    (await read(client.listen({ tools: true, resources: ['test://a'] }))).map(({ type }) => type),
    ['acknowledged'],
  );
  assert.match(client.reports.join(), /not-subscribed.*toolsListChanged, resourceSubscriptions/);
});

test('a flood of equal events takes the memory of one, and one of different events says that some were lost', async () => {
  const client = clientOf(
    async (_request, exchange) => {
      await exchange.notify(ACKNOWLEDGED);
      for (let count = 0; count < 10_000; count++) await exchange.notify(CHANGED);
      for (let count = 0; count < 10_000; count++) {
        await exchange.notify({
          method: 'notifications/resources/updated',
          params: { uri: `test://${count}` },
        });
      }
      return forever(exchange);
    },
    { maxEvents: 100 },
  );
  const subscription = client.listen({ tools: true });
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  const events: ListenEvent[] = [];
  setImmediate(() => subscription.close());
  for await (const event of subscription) events.push(event);
  assert.ok(events.length <= 101, String(events.length));
  assert.equal(events[0]?.type, 'gap');
});

test('a subscription ends with its signal, with its loop and with the client', async () => {
  const client = clientOf(async (_request, exchange) => {
    await exchange.notify(ACKNOWLEDGED);
    return forever(exchange);
  });
  const controller = new AbortController();
  const first = read(client.listen({ tools: true }, { signal: controller.signal }));
  const second = read(client.listen({ prompts: true }));
  setImmediate(() => controller.abort());
  assert.equal((await first).length, 1);
  assert.equal(client.pending, 1);
  await client.close();
  assert.equal((await second).length, 1);
  assert.throws(() => client.listen({}), UsageError);
});

async function read(events: AsyncIterable<ListenEvent>): Promise<readonly ListenEvent[]> {
  const all: ListenEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
