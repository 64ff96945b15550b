import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError, at, call, LOG_LEVEL, request, textOf } from '../support/messages.ts';
import { startStdio } from '../support/stdio-peer.ts';

test('each message is one line of UTF-8 JSON, line breaks in texts are escaped [STDIO-01] [STDIO-02] [TRN-01] [TRN-02]', async (t) => {
  const peer = startStdio(t);
  const text = 'line1\nline2\r\nline3\u2028\u2029\u0085\0 é 世界 😀 \\ "';
  peer.send(call('1', 'echo', { text }));
  const line = await peer.line();
  assert.ok(!line.includes('\n') && !line.includes('\r'));
  assert.equal(textOf(JSON.parse(line)), text);
  assert.ok(line.includes('世界'), 'UTF-8, not escapes');
});

test('what the server prints goes to stderr, stdout holds messages alone [STDIO-04]', async (t) => {
  const peer = startStdio(t);
  const messages = await peer.exchange(call(1, 'print'));
  assert.equal(messages.length, 1);
  assert.equal(textOf(messages[0]), 'printed');
  await peer.stderr(/^printed by console\.log$/);
  await peer.stderr(/^printed by stdout\.write$/);
  await peer.stderr(/^printed by console\.error$/);
  assert.equal(textOf(await peer.ask(call(2, 'echo', { text: 'still here' }))), 'still here');
});

test('everything on stdout is a response or a notification, whatever comes in [STDIO-04] [STDIO-08] [PAT-01] [TRN-03]', async (t) => {
  const peer = startStdio(t);
  const meta = { progressToken: 1, [LOG_LEVEL]: 'debug' };
  peer.write('nonsense\n\n[]\n');
  peer.send({ jsonrpc: '2.0', id: 77, result: {} });
  peer.send({ jsonrpc: '2.0', method: 'notifications/nonsense' });
  peer.send(call(1, 'log_all', {}, meta));
  peer.send(call(2, 'progress', { values: [1, 2] }, meta));
  peer.send(call(3, 'throws', {}, meta));
  peer.send(request(4, 'subscriptions/listen', { notifications: {} }));
  peer.closeInput();
  assert.equal(await peer.exited, 0);
  const messages = peer.rest().map((line) => JSON.parse(line) as unknown);
  assert.ok(messages.length > 15);
  for (const message of messages) {
    const isNotification = String(at(message, 'method')).startsWith('notifications/');
    const isResponse = at(message, 'method') === undefined;
    assert.ok(isNotification || isResponse, JSON.stringify(message));
    if (isNotification) assert.equal(at(message, 'id'), undefined);
  }
});

test('nothing is answered to notifications and responses of a client [BASE-23] [TRN-03]', async (t) => {
  const peer = startStdio(t);
  const silent = [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/nonsense', params: { a: 1 } },
    { jsonrpc: '2.0', method: 'notifications/cancelled' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: null } },
    { jsonrpc: '2.0', method: 'tools/list' },
    { jsonrpc: '2.0', method: 'tools/call', params: [] },
    { jsonrpc: '1.0', method: 'notifications/nonsense' },
    { jsonrpc: '2.0', method: 5 },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 2, error: { code: 1, message: 'x' } },
    { jsonrpc: '2.0', error: { code: 1, message: 'x' } },
    { jsonrpc: '2.0', id: 3, result: 'no object' },
  ];
  for (const message of silent) peer.send(message);
  peer.send(request(9, 'nonsense'));
  assertError(await peer.next(), 9, -32601);
});

test('answers come as they are ready, not in the order of the requests [BASE-26] [BASE-27]', async (t) => {
  const peer = startStdio(t);
  peer.send(call('slow', 'gate', { key: 'a' }));
  await peer.stderr(/^gate a waits$/);
  assert.equal(at(await peer.ask(call('quick', 'echo', { text: 'x' })), 'id'), 'quick');
  peer.send(call('open', 'open_gate', { key: 'a' }));
  const ids = [at(await peer.next(), 'id'), at(await peer.next(), 'id')];
  assert.deepEqual(new Set(ids), new Set(['open', 'slow']));
});

test('when stdin ends, everything that was asked is answered, then the process exits with 0 [STDIO-13]', async (t) => {
  const peer = startStdio(t);
  for (let id = 0; id < 200; id++) peer.send(call(id, 'echo', { text: `${id}` }));
  peer.send(call('gate', 'gate', { key: 'a' }));
  peer.send(request('listen', 'subscriptions/listen', { notifications: { toolsListChanged: true } }));
  peer.write(JSON.stringify(call('open', 'open_gate', { key: 'a' }))); // the last line has no line break
  peer.closeInput();
  assert.equal(await peer.exited, 0);
  const messages = peer.rest().map((line) => JSON.parse(line) as unknown);
  const answered = new Set(
    messages.filter((message) => at(message, 'result') !== undefined).map((message) => at(message, 'id')),
  );
  assert.equal(answered.size, 203);
  for (const id of ['gate', 'open', 'listen']) assert.ok(answered.has(id), id);
});

test("requests that don't end are given up when stdin ends and the time is up; the process exits with 0 [STDIO-13]", async (t) => {
  const peer = startStdio(t, { stdio: { drainMs: 100 } });
  peer.send(call(1, 'wait', { key: 'a' }));
  await peer.stderr(/^wait a began$/);
  peer.closeInput();
  await peer.stderr(/^wait a aborted: AbortError/);
  assert.equal(await peer.exited, 0);
  assert.deepEqual(peer.rest(), [], 'no answer for a request that was given up');
});

test('SIGTERM lets running requests end, then the process exits with 0 [STDIO-13]', async (t) => {
  const peer = startStdio(t);
  peer.send(request('listen', 'subscriptions/listen', { notifications: { toolsListChanged: true } }));
  await peer.next();
  peer.send(call(1, 'gate', { key: 'a' }));
  await peer.stderr(/^gate a waits$/);
  peer.child.kill('SIGTERM');
  assert.equal(at(await peer.next(), 'method'), 'notifications/cancelled');
  assert.equal(at(await peer.next(), 'id'), 'listen');
  peer.send(call(2, 'open_gate', { key: 'a' }));
  assert.equal(await peer.exited, 0);
  assert.ok(peer.rest().some((line) => at(JSON.parse(line), 'id') === 1));
});

test('a client that goes away ends the server [STDIO-13]', async (t) => {
  const peer = startStdio(t);
  peer.send(call(1, 'wait', { key: 'a' }));
  await peer.stderr(/^wait a began$/);
  peer.child.stdout.destroy();
  peer.send(call(2, 'echo', { text: 'nobody hears this' }));
  assert.equal(await peer.exited, 0);
});
