import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { createServer } from 'mcpwire/server';
import { rulesServer } from '../fixtures/rules-server.ts';
import { serve } from '../support/http-peer.ts';
import type { Json } from '../support/messages.ts';
import { assertError, at, call, request, SUBSCRIPTION_ID, textOf } from '../support/messages.ts';
import { startStdio } from '../support/stdio-peer.ts';
import { WIRES } from '../support/wires.ts';

const EVERYTHING = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['test://text', 'test://item/1'],
};

function listen(id: unknown, notifications: unknown): Json {
  return request(id, 'subscriptions/listen', { notifications });
}

const tagOf = (message: unknown): unknown => at(message, 'params', '_meta', SUBSCRIPTION_ID);

for (const id of ['s', 7, '7', '', 0]) {
  test(`the acknowledgement comes first, and everything carries the id ${JSON.stringify(id)} with its type, on HTTP [SUB-02] [SUB-03] [SUB-05] [SUB-08] [BASE-62] [BASE-06]`, async (t) => {
    const server = rulesServer();
    const peer = await serve(t, server);
    const events = await peer.open(listen(id, EVERYTHING));
    server.resourceUpdated('test://text');
    const first = await events.next();
    assert.deepEqual(first, {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: EVERYTHING, _meta: { [SUBSCRIPTION_ID]: id } },
    });
    const second = await events.next();
    assert.equal(at(second, 'params', 'uri'), 'test://text');
    assert.strictEqual(tagOf(second), id);
    server.close();
    const last = await events.next();
    assert.strictEqual(at(last, 'id'), id);
    assert.equal(at(last, 'result', 'resultType'), 'complete');
    assert.strictEqual(at(last, 'result', '_meta', SUBSCRIPTION_ID), id);
    assert.equal(await events.ended, true);
    assert.deepEqual(events.rest(), [], 'no notifications/cancelled on HTTP');
  });
}

test('what was asked for is told, each kind as its notification, and nothing else [SUB-01] [SUB-10] [TOOL-09] [RES-04] [PROMPT-04]', async (t) => {
  const server = rulesServer();
  const peer = await serve(t, server);
  const change = (): void => {
    server.resourceUpdated('test://text');
    server.resourceUpdated('test://binary');
    server.update((draft) => {
      draft.removeTool('echo');
      draft.removePrompt('greet');
      draft.removeResource('test://gone');
    });
  };
  const filters: readonly (readonly [object, readonly string[]])[] = [
    [{ toolsListChanged: true }, ['notifications/tools/list_changed']],
    [{ promptsListChanged: true, toolsListChanged: false }, ['notifications/prompts/list_changed']],
    [{ resourcesListChanged: true }, ['notifications/resources/list_changed']],
    [{ resourceSubscriptions: ['test://text'] }, ['notifications/resources/updated test://text']],
    [
      { resourceSubscriptions: ['test://nowhere'], toolsListChanged: true },
      ['notifications/tools/list_changed'],
    ],
  ];
  const streams = [];
  for (const [filter] of filters) {
    const events = await peer.open(listen(1, filter));
    await events.next();
    streams.push(events);
  }
  change();
  // Sent to every stream after all of the above.
  server.close();
  for (const [index, events] of streams.entries()) {
    await events.ended;
    const told = events
      .rest()
      .filter((message) => at(message, 'method') !== undefined)
      .map((message) => [at(message, 'method'), at(message, 'params', 'uri')].filter(Boolean).join(' '));
    assert.deepEqual(told, filters[index]?.[1]);
  }
});

test('the acknowledgement names what is honoured: kinds that the server does not have are left out [SUB-04]', async (t) => {
  const info = { name: 's', version: '1' };
  const filter = { ...EVERYTHING, promptsListChanged: false, unknownKind: true };
  const rows: readonly (readonly [ReturnType<typeof createServer>, object])[] = [
    [createServer(info), {}],
    [createServer(info).tool('t', {}, () => ''), { toolsListChanged: true }],
    [
      createServer(info).resource('a:b', {}, () => ''),
      { resourcesListChanged: true, resourceSubscriptions: EVERYTHING.resourceSubscriptions },
    ],
  ];
  for (const [server, honoured] of rows) {
    const peer = await serve(t, server);
    const events = await peer.open(listen(1, filter));
    assert.deepEqual(at(await events.next(), 'params', 'notifications'), honoured);
    events.close();
  }
});

for (const [wire, start] of Object.entries(WIRES)) {
  test(`a subscription to nothing is acknowledged and ends over ${wire} [SUB-02] [SUB-04]`, async (t) => {
    const peer = await start(t);
    for (const filter of [
      {},
      { toolsListChanged: false },
      { resourceSubscriptions: [] },
      { unknown: true },
    ]) {
      const messages = await peer.exchange(listen('s', filter));
      assert.equal(at(messages[0], 'method'), 'notifications/subscriptions/acknowledged');
      assert.deepEqual(at(messages[0], 'params', 'notifications'), {});
      assert.equal(at(messages.at(-1), 'result', 'resultType'), 'complete');
    }
  });

  test(`a filter of the wrong type is -32602 over ${wire}`, async (t) => {
    const peer = await start(t);
    const wrong = [
      undefined,
      null,
      [],
      'all',
      { toolsListChanged: 'yes' },
      { promptsListChanged: null },
      { resourcesListChanged: 1 },
      { resourceSubscriptions: 'test://text' },
      { resourceSubscriptions: [5] },
      { resourceSubscriptions: Array.from({ length: 1025 }, (_, index) => `a:${index}`) },
    ];
    for (const filter of wrong) {
      assertError(await peer.ask(listen(1, filter)), 1, -32602, /params\.notifications/);
    }
  });
}

test('on stdio a torn down subscription gets notifications/cancelled and then its result; nothing else is ever cancelled by the server [CANC-02] [CANC-03] [CANC-11] [SUB-08] [SUB-05]', async (t) => {
  const peer = startStdio(t);
  for (const id of ['a', 1]) {
    peer.send(listen(id, EVERYTHING));
    assert.strictEqual(tagOf(await peer.next()), id);
  }
  peer.send(call('waits', 'gate', { key: 'a' }));
  await peer.stderr(/^gate a waits$/);
  peer.send(call('close', 'close_server'));
  peer.send(call('open', 'open_gate', { key: 'a' }));
  peer.closeInput();
  assert.equal(await peer.exited, 0);
  const messages = peer.rest().map((line) => JSON.parse(line) as unknown);
  const cancelled = messages.filter((message) => at(message, 'method') === 'notifications/cancelled');
  assert.deepEqual(
    new Set(cancelled.map((message) => at(message, 'params', 'requestId'))),
    new Set([1, 'a']),
  );
  assert.equal(cancelled.length, 2);
  for (const id of ['a', 1]) {
    const notified = messages.findIndex((message) => at(message, 'params', 'requestId') === id);
    const answered = messages.findIndex((message) => at(message, 'id') === id);
    assert.ok(notified !== -1 && notified < answered);
    assert.equal(at(messages[answered], 'result', 'resultType'), 'complete');
    assert.strictEqual(at(messages[answered], 'result', '_meta', SUBSCRIPTION_ID), id);
  }
  assert.equal(textOf(messages.find((message) => at(message, 'id') === 'waits')), 'through a');
});

test('a client that cancels its subscription on stdio hears nothing more of it, others go on [STDIO-11] [CANC-12] [SUB-05]', async (t) => {
  const peer = startStdio(t);
  for (const id of [1, '1']) {
    peer.send(listen(id, { resourceSubscriptions: ['test://text'] }));
    await peer.next();
  }
  peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  const messages = await peer.exchange(call('t', 'touch', { uri: 'test://text' }));
  peer.closeInput();
  await peer.exited;
  const all = [...messages, ...peer.rest().map((line) => JSON.parse(line) as unknown)];
  const tags = all.map(tagOf).filter((tag) => tag !== undefined);
  assert.deepEqual(tags, ['1']);
  assert.ok(!all.some((message) => at(message, 'id') === 1 || at(message, 'params', 'requestId') === 1));
});

test('a client that leaves its subscription on HTTP is forgotten [HTTP-22] [CANC-04]', async (t) => {
  const server = rulesServer();
  const peer = await serve(t, server, { maxSubscriptions: 1 });
  const events = await peer.open(listen(1, EVERYTHING));
  await events.next();
  assert.equal((await peer.post(listen(2, EVERYTHING))).status, 503);
  events.close();
  // Its place is free as soon as the server has seen it go.
  for (;;) {
    const { response } = await peer.start('POST', { ...headers }, JSON.stringify(listen(3, EVERYTHING)));
    response.destroy();
    if (response.statusCode === 200) break;
    await turn();
  }
});

const headers = {
  'Content-Type': 'application/json',
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': 'subscriptions/listen',
};

test('a subscriber that does not read costs one event for each thing it watches, however often that changes', async (t) => {
  const server = createServer({ name: 's', version: '1' }).resource('a:b', {}, () => '');
  const peer = await serve(t, server, { writeTimeoutMs: 60_000 });
  const uris = Array.from({ length: 400 }, (_, index) => `test://${index}/${'x'.repeat(8000)}`);
  const events = await peer.open(listen(1, { resourceSubscriptions: uris }));
  await events.next();
  events.pause();
  const rounds = 20;
  for (let round = 0; round < rounds; round++) {
    for (const uri of uris) server.resourceUpdated(uri);
    await turn();
  }
  server.resourceUpdated('test://nobody-watches');
  events.resume();
  const seen = new Map<unknown, number>();
  // Every watched resource changed after it was last told of: each comes at least once more.
  while (seen.size < uris.length) {
    const uri = at(await events.next(), 'params', 'uri');
    seen.set(uri, (seen.get(uri) ?? 0) + 1);
  }
  const told = [...seen.values()].reduce((sum, count) => sum + count, 0);
  assert.ok(told < (uris.length * rounds) / 2, `${told} events`);
  events.close();
});

test('two changes one after the other are both announced, whatever was asked for in between', async (t) => {
  const server = rulesServer();
  const peer = await serve(t, server);
  const tools = await peer.open(listen(1, { toolsListChanged: true }));
  const prompts = await peer.open(listen(2, { promptsListChanged: true }));
  await Promise.all([tools.next(), prompts.next()]);
  server.update((draft) => draft.removeTool('echo'));
  server.update((draft) => draft.removePrompt('greet'));
  assert.equal(at(await tools.next(), 'method'), 'notifications/tools/list_changed');
  server.close();
  assert.equal(at(await prompts.next(), 'method'), 'notifications/prompts/list_changed');
});
