import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, call, LOG_LEVEL, request, SUBSCRIPTION_ID } from '../support/messages.ts';
import { rulesServer } from '../fixtures/rules-server.ts';
import { serve } from '../support/http-peer.ts';
import { startStdio } from '../support/stdio-peer.ts';
import { WIRES } from '../support/wires.ts';

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

for (const [wire, start] of Object.entries(WIRES)) {
  test(`a request that sets no level hears no log messages over ${wire} [LOG-04]`, async (t) => {
    const peer = await start(t);
    assert.equal((await peer.exchange(call(1, 'log_all', {}, { progressToken: 1 }))).length, 1);
  });

  test(`a request hears what is at or above its level over ${wire} [LOG-06]`, async (t) => {
    const peer = await start(t);
    for (const [index, level] of LEVELS.entries()) {
      const messages = await peer.exchange(call(1, 'log_all', {}, { [LOG_LEVEL]: level }));
      const told = messages.slice(0, -1);
      assert.deepEqual(
        told.map((message) => at(message, 'params', 'level')),
        LEVELS.slice(index),
      );
      assert.deepEqual(at(told[0], 'params'), { level, logger: 'rules', data: { said: level } });
    }
  });

  test(`the library itself logs nothing to a client over ${wire}, not even a failure [LOG-10]`, async (t) => {
    const peer = await start(t);
    const messages = await peer.exchange(call(1, 'throws', {}, { [LOG_LEVEL]: 'debug' }));
    assert.equal(messages.length, 1);
    assert.doesNotMatch(JSON.stringify(messages), /hunter2/);
  });
}

test('log messages go to the stream of their own request, never to a subscription, on HTTP [LOG-05]', async (t) => {
  const server = rulesServer();
  const peer = await serve(t, server);
  const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
  const events = await peer.open(
    request(1, 'subscriptions/listen', { notifications: all }, { [LOG_LEVEL]: 'debug' }),
  );
  const [logging, quiet] = await Promise.all([
    peer.exchange(call(2, 'log_all', {}, { [LOG_LEVEL]: 'debug' })),
    peer.exchange(call(3, 'log_all')),
  ]);
  assert.equal(logging.length, 9);
  assert.equal(quiet.length, 1);
  server.close();
  await events.ended;
  const methods = events.rest().map((message) => at(message, 'method'));
  assert.deepEqual(methods, ['notifications/subscriptions/acknowledged', undefined]);
});

test('log messages on stdio belong to no subscription [LOG-05]', async (t) => {
  const peer = startStdio(t);
  const listen = request(
    's',
    'subscriptions/listen',
    { notifications: { toolsListChanged: true } },
    { [LOG_LEVEL]: 'debug' },
  );
  peer.send(listen);
  await peer.next();
  const messages = await peer.exchange(call(2, 'log_all', {}, { [LOG_LEVEL]: 'debug' }));
  assert.equal(messages.length, 9);
  for (const message of messages) assert.equal(at(message, 'params', '_meta', SUBSCRIPTION_ID), undefined);
});
