import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/messages.ts';
import { assertError, at, call, request, SERVER_INFO } from '../support/messages.ts';
import { WIRES } from '../support/wires.ts';

const COMPLETE = [
  request(1, 'server/discover'),
  request(2, 'tools/list'),
  request(3, 'resources/list'),
  request(4, 'resources/templates/list'),
  request(5, 'prompts/list'),
  call(6, 'echo', { text: 'hello' }),
  request(7, 'resources/read', { uri: 'test://text' }),
  request(8, 'prompts/get', { name: 'greet', arguments: { name: 'Ann' } }),
  request(9, 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'greet' },
    argument: { name: 'name', value: '' },
  }),
  request(10, 'subscriptions/listen', { notifications: {} }),
  request(11, 'example.com/sum', { numbers: [1, 2] }),
];

/** Methods of older revisions, and of nobody. */
const UNKNOWN = [
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'tasks/list',
  'sampling/createMessage',
  'nonsense',
  'tools/List',
  '__proto__',
  'constructor',
];

/** Checks the envelope of a JSON-RPC message that a server may send. */
function assertMessage(message: unknown): void {
  const { jsonrpc, id, method, params, result, error, ...more } = message as Json;
  assert.equal(jsonrpc, '2.0');
  assert.deepEqual(more, {});
  if (method !== undefined) {
    assert.match(method as string, /^notifications\//);
    assert.ok(!('id' in (message as Json)));
    assert.equal(typeof params, 'object');
    return;
  }
  assert.ok(typeof id === 'string' || typeof id === 'number');
  assert.equal(Number(result !== undefined) + Number(error !== undefined), 1);
  if (error === undefined) {
    assert.ok(['complete', 'input_required'].includes(String(at(result, 'resultType'))));
  } else {
    assert.ok(Number.isInteger(at(error, 'code')));
    assert.equal(typeof at(error, 'message'), 'string');
  }
}

for (const [wire, start] of Object.entries(WIRES)) {
  test(`every method answers over ${wire} with a result of its request's id, a resultType and the server's name [BASE-01] [BASE-02] [BASE-06] [BASE-07] [BASE-08] [BASE-59]`, async (t) => {
    const peer = await start(t);
    for (const message of COMPLETE) {
      const messages = await peer.exchange(message);
      for (const received of messages) assertMessage(received);
      const answer = messages.at(-1);
      assert.equal(at(answer, 'id'), message['id']);
      assert.equal(at(answer, 'result', 'resultType'), 'complete', JSON.stringify(answer));
      assert.deepEqual(at(answer, 'result', '_meta', SERVER_INFO), { name: 'rules', version: '1.2.3' });
    }
  });

  test(`an id comes back over ${wire} with its type and value, be it 0, empty or large [BASE-06] [BASE-12]`, async (t) => {
    const peer = await start(t);
    const ids = [0, -7, 1, '1', '', 'ab c', '\u2028é😀"\\', Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    for (const id of ids) {
      assert.strictEqual(at(await peer.ask(call(id, 'echo', { text: 'x' })), 'id'), id);
      assertError(await peer.ask(request(id, 'nonsense')), id, -32601);
    }
  });

  test(`a method that this revision doesn't have is -32601 over ${wire} [BASE-13] [BASE-14] [BASE-19]`, async (t) => {
    const peer = await start(t);
    for (const [id, method] of UNKNOWN.entries()) {
      const answer = await peer.ask(request(id, method));
      assertMessage(answer);
      assertError(answer, id, -32601, /^Method not found: /);
    }
  });

  test(`a server that keeps its name to itself sends no serverInfo over ${wire} [BASE-59]`, async (t) => {
    const peer = await start(t, { serverInfo: false });
    for (const message of COMPLETE) {
      assert.equal(at(await peer.ask(message), 'result', '_meta', SERVER_INFO), undefined);
    }
  });

  test(`notifications carry no id and are tagged or tokened over ${wire} [BASE-24]`, async (t) => {
    const peer = await start(t);
    const messages = [
      ...(await peer.exchange(call(1, 'progress', { values: [1, 2] }, { progressToken: 't' }))),
      ...(await peer.exchange(call(2, 'log_all', {}, { 'io.modelcontextprotocol/logLevel': 'error' }))),
      ...(await peer.exchange(request(3, 'subscriptions/listen', { notifications: {} }))),
    ];
    for (const message of messages) assertMessage(message);
    const notifications = messages.filter((message) => at(message, 'method') !== undefined);
    assert.ok(notifications.length >= 7);
    for (const notification of notifications) assert.ok(!('id' in (notification as Json)));
  });
}
