import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, call, request, textOf } from '../support/messages.ts';
import { startStdio } from '../support/stdio-peer.ts';

test('a reader that stops reading holds a chatty tool up, and loses nothing of it [STDIO-01]', async (t) => {
  const peer = startStdio(t);
  const count = 20_000;
  peer.child.stdout.pause();
  peer.send(call(1, 'flood', { count, size: 1000 }, { progressToken: 1 }));
  const held = Number((await peer.stderr(/^held after/)).split(' ').at(-1));
  assert.ok(held < 2000, `${held} KB were taken for a reader that reads nothing`);
  peer.child.stdout.resume();
  for (let expected = 1; expected <= count; expected++) {
    assert.equal(at(await peer.next(), 'params', 'progress'), expected);
  }
  assert.equal(textOf(await peer.next()), `sent ${count}`);
});

test('a reader that stops reading is sent no further answers: the server stops taking requests, and loses none', async (t) => {
  const peer = startStdio(t);
  peer.child.stdout.pause();
  const count = 3000;
  const text = 'x'.repeat(5000);
  let writable = true;
  let sent = 0;
  while (sent < count && writable) {
    writable = peer.child.stdin.write(`${JSON.stringify(call(sent++, 'echo', { text }))}\n`);
  }
  // The pipes are full: the rest waits here until the server takes it.
  for (; sent < count; sent++) peer.send(call(sent, 'echo', { text }));
  assert.ok(peer.child.stdin.writableLength > 5_000_000, 'the server took what it could not answer');
  peer.child.stdout.resume();
  const seen = new Set<unknown>();
  for (let answers = 0; answers < count; answers++) {
    const answer = await peer.next();
    assert.equal(textOf(answer).length, 5000);
    seen.add(at(answer, 'id'));
  }
  assert.equal(seen.size, count);
});

test('requests beyond the bound wait in line and are all answered, in order [BASE-26]', async (t) => {
  const peer = startStdio(t, { stdio: { maxConcurrent: 1, maxWaiting: 4 } });
  peer.send(call('first', 'progress', { values: [1, 2, 3] }));
  for (let id = 0; id < 100; id++) peer.send(call(id, 'progress', { values: [] }));
  const ids: unknown[] = [];
  for (let answers = 0; answers < 101; answers++) ids.push(at(await peer.next(), 'id'));
  assert.deepEqual(ids, ['first', ...Array.from({ length: 100 }, (_, id) => id)]);
});

test('a waiting request that is cancelled never runs and is never answered [STDIO-10] [STDIO-11]', async (t) => {
  const peer = startStdio(t, { stdio: { maxConcurrent: 1 } });
  peer.send(call(1, 'wait', { key: 'a' }));
  await peer.stderr(/^wait a began$/);
  peer.send(call(2, 'wait', { key: 'never' }));
  peer.send(call(3, 'echo', { text: 'x' }));
  peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
  peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  assert.equal(at(await peer.next(), 'id'), 3);
  const began = peer.stderr(/^wait never began$/);
  peer.closeInput();
  await assert.rejects(began);
});

test('more subscriptions than the bound are -32603, and room is made when one ends', async (t) => {
  const peer = startStdio(t, { stdio: { maxSubscriptions: 1 } });
  const listen = (id: number): object =>
    request(id, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
  peer.send(listen(1));
  assert.equal(at(await peer.next(), 'method'), 'notifications/subscriptions/acknowledged');
  peer.send(listen(2));
  assert.equal(at(await peer.next(), 'error', 'code'), -32603);
  peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  peer.send(request('between', 'server/discover'));
  await peer.next();
  peer.send(listen(3));
  assert.equal(at(await peer.next(), 'method'), 'notifications/subscriptions/acknowledged');
});
