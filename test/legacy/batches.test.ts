import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legacyServer } from '../fixtures/legacy-server.ts';
import { serve } from '../support/http-peer.ts';
import {
  cancelled,
  form,
  INITIALIZED,
  initialize,
  legacy,
  legacyCall,
  notification,
} from '../support/legacy-messages.ts';
import { HttpSession, postLegacy } from '../support/legacy-wire.ts';
import { assertError, at, listAt, textOf } from '../support/messages.ts';
import type { StdioPeer } from '../support/stdio-peer.ts';
import { startStdio } from '../support/stdio-peer.ts';
import type { TestContext } from 'node:test';

const VERSION = '2025-03-26';

async function startHttp(t: TestContext, version = VERSION, capabilities = {}): Promise<HttpSession> {
  return HttpSession.start(await serve(t, legacyServer()), version, capabilities);
}

async function startLines(t: TestContext, version = VERSION): Promise<StdioPeer> {
  const peer = startStdio(t, {}, 'run-legacy-stdio.js');
  await peer.ask(initialize(version));
  return peer;
}

/** The answers of a batch by their ids. */
function byId(answers: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  return new Map(answers.map((answer) => [at(answer, 'id'), answer]));
}

const MIXED = [
  legacyCall(1, 'echo', { text: 'one' }),
  notification('notifications/roots/list_changed'),
  legacy('two', 'ping'),
  legacy(3, 'no/such'),
  { jsonrpc: '1.0', id: 4, method: 'ping' },
  7,
  { jsonrpc: '2.0', id: 'unknown', result: {} },
];

function checkMixed(answers: readonly unknown[]): void {
  assert.equal(answers.length, 5);
  const found = byId(answers);
  assert.equal(textOf(found.get(1)), 'one');
  assert.deepEqual(at(found.get('two'), 'result'), {});
  assertError(found.get(3), 3, -32601);
  assertError(found.get(4), 4, -32600);
  assertError(found.get(undefined), undefined, -32600);
}

test('each request of a batch has its answer in one array, over HTTP [2025-03-26 basic "Batching"]', async (t) => {
  const session = await startHttp(t);
  const answer = await session.post(MIXED);
  assert.equal(answer.headers['content-type'], 'application/json');
  checkMixed(listAt(answer.json));
});

test('each request of a batch has its answer in one array, over stdio [2025-03-26 basic "Batching"]', async (t) => {
  const peer = await startLines(t);
  peer.send(MIXED);
  checkMixed(listAt(await peer.next()));
});

test('a batch with calls that notify is a stream: notifications as they come, the answers last [2025-03-26 basic/transports]', async (t) => {
  const session = await startHttp(t);
  const stream = await session.open([
    legacyCall(1, 'progress', { values: [1] }, { progressToken: 'a' }),
    legacyCall(2, 'progress', { values: [1] }, { progressToken: 'b' }),
  ]);
  const tokens = [await stream.message(), await stream.message()].map((message) =>
    at(message, 'params', 'progressToken'),
  );
  assert.deepEqual(new Set(tokens), new Set(['a', 'b']));
  const found = byId(listAt(await stream.message()));
  assert.deepEqual([...found.values()].map(textOf), ['done', 'done']);
  assert.equal(await stream.ended, true);
});

test('nothing but notifications and answers is 202 without a body [2025-03-26 basic/transports "Sending Messages to the Server"]', async (t) => {
  const session = await startHttp(t);
  const answer = await session.post([INITIALIZED, { jsonrpc: '2.0', id: 1, result: {} }]);
  assert.equal(answer.status, 202);
  assert.equal(answer.text, '');
  const peer = await startLines(t);
  peer.send([INITIALIZED, notification('notifications/x')]);
  assert.deepEqual(await peer.ask(legacy(1, 'ping')), { jsonrpc: '2.0', id: 1, result: {} });
});

test('50 messages are a batch, 51 and none are refused, on both transports [issue 3: bounds]', async (t) => {
  const pings = (count: number): object[] => Array.from({ length: count }, (_, id) => legacy(id, 'ping'));
  const session = await startHttp(t);
  assert.equal(listAt((await session.post(pings(50))).json).length, 50);
  for (const [batch, message] of [
    [pings(51), /at most 50/],
    [[], /at least one/],
  ] as const) {
    const refused = await session.post(batch);
    assert.equal(refused.status, 400);
    assertError(refused.json, undefined, -32600, message);
  }
  const peer = await startLines(t);
  peer.send(pings(50));
  assert.equal(listAt(await peer.next()).length, 50);
  peer.send(pings(51));
  assertError(await peer.next(), undefined, -32600, /at most 50/);
  peer.send([]);
  assertError(await peer.next(), undefined, -32600, /at least one/);
});

test('initialize in a batch is refused as a whole, on both transports [2025-03-26 basic/lifecycle]', async (t) => {
  const batch = [initialize(VERSION), legacyCall(1, 'echo', { text: 'x' })];
  const session = await startHttp(t);
  for (const answer of [await session.post(batch), await postLegacy(session.peer, batch)]) {
    assert.equal(answer.status, 400);
    assertError(answer.json, undefined, -32600, /initialize can't be part of a batch/);
    assert.equal(answer.headers['mcp-session-id'], undefined);
  }
  const peer = await startLines(t);
  peer.send(batch);
  assertError(await peer.next(), undefined, -32600, /initialize can't be part of a batch/);
});

for (const version of ['2024-11-05', '2025-06-18', '2025-11-25']) {
  test(`revision ${version} refuses batches, on both transports [issue 3]`, async (t) => {
    const session = await startHttp(t, version);
    const refused = await session.post([legacy(1, 'ping')]);
    assert.equal(refused.status, 400);
    assertError(refused.json, undefined, -32600, /batch/);
    const peer = await startLines(t, version);
    peer.send([legacy(1, 'ping')]);
    assertError(await peer.next(), undefined, -32600, /batch/);
  });
}

test('a batch before any handshake is refused on stdio', async (t) => {
  const peer = startStdio(t, {}, 'run-legacy-stdio.js');
  peer.send([legacy(1, 'ping')]);
  assertError(await peer.next(), undefined, -32600, /batch/);
});

test('[tools/call, notifications/cancelled] ends: without a body over HTTP, with nothing on stdio [issue 3]', async (t) => {
  const session = await startHttp(t);
  const batch = [legacyCall(1, 'wait', { key: 'b' }), cancelled(1)];
  const answer = await session.post(batch);
  assert.equal(answer.status, 200);
  assert.equal(answer.text, '');
  const peer = await startLines(t);
  peer.send(batch);
  await peer.stderr(/wait b aborted/);
  assert.deepEqual(await peer.ask(legacy(2, 'ping')), { jsonrpc: '2.0', id: 2, result: {} });
});

test('a cancelled call leaves no gap: the batch is answered with the others', async (t) => {
  const session = await startHttp(t);
  const answer = await session.post([
    legacyCall(1, 'wait', { key: 'c' }),
    legacyCall(2, 'echo', { text: 'two' }),
    cancelled(1),
  ]);
  assert.deepEqual(listAt(answer.json).map(textOf), ['two']);
});

test('the same id twice in a batch: the first is served, the second refused', async (t) => {
  const session = await startHttp(t);
  const answers = listAt(
    (await session.post([legacyCall(1, 'nothing'), legacyCall(1, 'echo', { text: 'x' })])).json,
  );
  assert.equal(answers.length, 2);
  assertError(answers[0], 1, -32600, /no answer yet/);
  assert.notEqual(at(answers[1], 'result'), undefined);
});

test('a question of a call in a batch comes on the stream of the batch [2025-03-26 basic/transports]', async (t) => {
  const session = await startHttp(t, VERSION, { roots: {}, elicitation: {} });
  const asks = (questions: object): object => ({ inputRequests: questions });
  const stream = await session.open([
    legacyCall(1, 'ask', { ...asks({ r: { method: 'roots/list' } }) }),
    legacyCall(2, 'ask', { ...asks({ f: form() }) }),
  ]);
  const question = await stream.message();
  assert.equal(at(question, 'method'), 'roots/list');
  await session.tell([{ jsonrpc: '2.0', id: at(question, 'id'), result: { roots: [] } }]);
  const found = byId(listAt(await stream.message()));
  assert.equal(textOf(found.get(1)), 'answered {"r":{"roots":[]}}');
  assert.match(textOf(found.get(2)), /does not support elicitation/);
  assert.equal(await stream.ended, true);
});
