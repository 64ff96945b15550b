import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, call, request, textOf } from '../support/messages.ts';
import { startStdio } from '../support/stdio-peer.ts';
import { WIRES } from '../support/wires.ts';

for (const [wire, start] of Object.entries(WIRES)) {
  test(`progress rises with every notification over ${wire}: what doesn't rise is not sent [PROG-03]`, async (t) => {
    const peer = await start(t);
    const values = [0, 0, 5, 3, 5, 5.5, -1, 7, 7, 10];
    const messages = await peer.exchange(call(1, 'progress', { values }, { progressToken: 'p' }));
    const told = messages.slice(0, -1).map((message) => at(message, 'params', 'progress'));
    assert.deepEqual(told, [0, 5, 5.5, 7, 10]);
    assert.deepEqual(at(messages[1], 'params'), {
      progressToken: 'p',
      progress: 5,
      total: 10,
      message: 'at 5',
    });
  });

  test(`progress goes to the token of its own request, with its type, and to nobody who gave none, over ${wire} [PROG-05]`, async (t) => {
    const peer = await start(t);
    for (const token of ['p', '', 0, 42, -1]) {
      const messages = await peer.exchange(call(1, 'progress', { values: [1] }, { progressToken: token }));
      assert.strictEqual(at(messages[0], 'params', 'progressToken'), token);
      assert.equal(messages.length, 2);
    }
    assert.equal((await peer.exchange(call(2, 'progress', { values: [1, 2] }))).length, 1);
  });

  test(`a number that is none is the tool's mistake over ${wire}, and is not sent [PROG-03]`, async (t) => {
    const peer = await start(t);
    // JSON has no infinity; a number this large is read as one.
    const text = JSON.stringify(call(1, 'progress', { values: [1, 'BIG'] }, { progressToken: 1 }));
    const message = JSON.parse(text.replace('"BIG"', '1e999')) as object;
    const messages = await peer.exchange(message);
    const told = messages.slice(0, -1).map((sent) => at(sent, 'params', 'progress'));
    assert.ok(told.every((progress) => progress === 1));
    assert.equal(at(messages.at(-1), 'result', 'isError'), true);
  });
}

test('nothing is told of the progress of a request that has its answer [PROG-08]', async (t) => {
  const peer = startStdio(t);
  const messages = await peer.exchange(call(1, 'late_progress', {}, { progressToken: 1 }));
  assert.equal(messages.length, 2);
  await peer.stderr(/^late progress was taken$/);
  assert.equal((await peer.exchange(call(2, 'nothing'))).length, 1);
});

test('a cancelled request has its signal aborted and is never heard of again [CANC-12] [STDIO-10] [STDIO-11] [SCH-04] [PROG-08]', async (t) => {
  const peer = startStdio(t);
  peer.send(call(5, 'wait', { key: 'a' }, { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' }));
  await peer.stderr(/^wait a began$/);
  const params = { requestId: 5, reason: 'lost interest' };
  peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  await peer.stderr(/^wait a aborted: AbortError: lost interest$/);
  assert.equal((await peer.exchange(call(6, 'echo', { text: 'x' }))).length, 1);
  peer.closeInput();
  assert.equal(await peer.exited, 0);
  assert.deepEqual(peer.rest(), []);
});

test('ids are told apart by type when cancelling [CANC-12] [BASE-06]', async (t) => {
  const peer = startStdio(t);
  peer.send(call(1, 'gate', { key: 'number' }));
  peer.send(call('1', 'wait', { key: 'string' }));
  await Promise.all([peer.stderr(/^gate number waits$/), peer.stderr(/^wait string began$/)]);
  peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '1' } });
  await peer.stderr(/^wait string aborted/);
  peer.send(call(2, 'open_gate', { key: 'number' }));
  const answers = [await peer.next(), await peer.next()];
  assert.equal(textOf(answers.find((answer) => at(answer, 'id') === 1)), 'through number');
});

test('a cancellation that comes too late, or for nothing, does no harm [CANC-14] [CANC-17]', async (t) => {
  const peer = startStdio(t);
  const cancel = (params: unknown): void =>
    peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  assert.equal(textOf(await peer.ask(call(1, 'echo', { text: 'x' }))), 'x');
  for (const requestId of [1, 99, 'x', null, 1.5, {}, [], true]) cancel({ requestId });
  cancel({});
  cancel({ requestId: 1, reason: 5 });
  // In one write: the answer and the cancellation cross.
  const both = [
    call(2, 'echo', { text: 'y' }),
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } },
  ];
  peer.write(both.map((message) => `${JSON.stringify(message)}\n`).join(''));
  const messages = await peer.exchange(request(3, 'server/discover'));
  assert.ok(messages.length <= 2);
  assert.equal(at(messages.at(-1), 'id'), 3);
});

test('an id may be used again once its request has its answer [BASE-06]', async (t) => {
  const peer = startStdio(t);
  for (let round = 0; round < 3; round++) {
    assert.equal(textOf(await peer.ask(call(1, 'echo', { text: 'x' }))), 'x');
  }
});
