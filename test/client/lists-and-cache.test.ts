import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Result } from 'mcpwire';
import { clientOf } from '../support/scripted-connection.ts';

const TOOL = { name: 'one', inputSchema: { type: 'object' } };

test('a list goes on while there is a cursor, and an empty one is a cursor [PAGE-04] [PAGE-06] [PAGE-07]', async () => {
  const cursors: unknown[] = [];
  const client = clientOf(({ params }) => {
    cursors.push(params['cursor']);
    const nextCursor = [undefined, '', 'x'].indexOf(params['cursor'] as string | undefined);
    return page([{ ...TOOL, name: `t${cursors.length}` }], ['', 'x', undefined][nextCursor]);
  });
  assert.deepEqual(
    (await client.tools().all()).map((tool) => tool.name),
    ['t1', 't2', 't3'],
  );
  assert.deepEqual(cursors, [undefined, '', 'x']);
});

test('pages that go round in a circle, or have no end, are left', async () => {
  const circle = clientOf(() => page([TOOL], 'again'));
  await assert.rejects(circle.tools().all(), { name: 'ProtocolViolationError', message: /circle/ });
  let count = 0;
  const endless = clientOf(() => page([TOOL], `c${count++}`));
  await assert.rejects(endless.tools().all(), { name: 'LimitError', message: /64 pages/ });
  const huge = clientOf(() => page(Array.from({ length: 20_000 }, () => TOOL)));
  await assert.rejects(huge.tools().all(), { name: 'LimitError', message: /10000 entries/ });
});

test('a list that is read in part fetches no more pages than that', async () => {
  let pages = 0;
  const client = clientOf(() => page([TOOL], `c${pages++}`));
  for await (const tool of client.tools()) {
    assert.equal(tool.name, 'one');
    break;
  }
  assert.equal(pages, 1);
});

test('an entry that can not be used does not take the others with it', async () => {
  const client = clientOf(() => page([{ name: 'no schema' }, null, { ...TOOL, description: null }, 7]));
  assert.deepEqual(
    (await client.tools().all()).map((tool) => tool.name),
    ['one'],
  );
  assert.equal(client.reports.filter((each) => each.startsWith('bad-entry')).length, 3);
});

test('a result is used again for as long as it says, and no longer [CACHE-08] [CACHE-10] [CACHE-11] [CACHE-12] [CACHE-13] [CACHE-16]', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  for (const [ttlMs, fetched] of [
    [1000, 1],
    [0, 2],
    [-5, 2],
    [undefined, 2],
    ['1000', 2],
  ] as const) {
    let count = 0;
    const client = clientOf(() => ({ ...page([TOOL]), ttlMs: ttlMs as number, count: ++count }));
    await client.tools().all();
    await client.tools().all();
    assert.equal(count, fetched, String(ttlMs));
    await client.request('tools/list', { cursor: 'other' });
    assert.equal(count, fetched + 1);
    t.mock.timers.tick(1001);
    await client.tools().all();
    assert.equal(count, fetched + 2);
    await client.tools({ cache: false }).all();
    assert.equal(count, fetched + 3);
  }
});

test('equal requests at the same time are one, and whoever leaves takes nobody along', async () => {
  let open = 0;
  let finish = (): void => {};
  const client = clientOf(async (_request, { signal }) => {
    open++;
    await new Promise<void>((resolve, reject) => {
      finish = resolve;
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    return { ...page([TOOL]), ttlMs: 1000 };
  });
  const leaving = new AbortController();
  const first = client.request('tools/list', {}, { signal: leaving.signal });
  const second = client.request('tools/list');
  leaving.abort(new Error('left'));
  await assert.rejects(first, /left/);
  await new Promise(setImmediate);
  finish();
  assert.ok(Array.isArray((await second)['tools']));
  assert.equal(open, 1);
  // Where everybody leaves the server hears of it.
  const alone = new AbortController();
  const last = client.request('resources/list', {}, { signal: alone.signal });
  await new Promise(setImmediate);
  alone.abort(new Error('gone'));
  await assert.rejects(last, /gone/);
  await new Promise(setImmediate);
  assert.equal(client.pending, 0);
});

test('a notification makes what is kept stale [CACHE-20]', async () => {
  let lists = 0;
  const client = clientOf(async ({ method }, exchange) => {
    if (method === 'tools/list') return { ...page([TOOL]), ttlMs: 60_000, count: ++lists };
    await exchange.notify({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true } },
    });
    await exchange.notify({ method: 'notifications/tools/list_changed', params: {} });
    return new Promise<Result>(() => {});
  });
  await client.tools().all();
  await client.tools().all();
  assert.equal(lists, 1);
  for await (const { type } of client.listen({ tools: true })) if (type === 'toolsListChanged') break;
  await client.tools().all();
  assert.equal(lists, 2);
});

test('what came after questions is never used again [CACHE-09]', async () => {
  let reads = 0;
  const client = clientOf(
    ({ params }) =>
      params['inputResponses'] === undefined
        ? {
            resultType: 'input_required',
            inputRequests: {
              n: { method: 'elicitation/create', params: { message: '?', requestedSchema: {} } },
            },
          }
        : { resultType: 'complete', contents: [], ttlMs: 60_000, cacheScope: 'private', count: ++reads },
    { onElicit: () => ({ action: 'decline' }) },
  );
  await client.read('test://a');
  await client.read('test://a');
  assert.equal(reads, 2);
});

function page(tools: readonly unknown[], nextCursor?: string): Result {
  return {
    resultType: 'complete',
    tools,
    ttlMs: 0,
    cacheScope: 'private',
    ...(nextCursor === undefined ? {} : { nextCursor }),
  };
}
