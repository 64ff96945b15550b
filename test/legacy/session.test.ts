import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer, ProtocolError } from 'mcpwire/server';
import type { Context, Server } from 'mcpwire/server';
import { legacyServer } from '../fixtures/legacy-server.ts';
import type { Deferred } from '../support/defer.ts';
import { defer } from '../support/defer.ts';
import { serve } from '../support/http-peer.ts';
import { cancelled, initialize, legacy, legacyCall, notification } from '../support/legacy-messages.ts';
import { HttpSession } from '../support/legacy-wire.ts';
import { LEGACY_WIRES } from '../support/legacy-wires.ts';
import { assertError, at, call, listAt, textOf } from '../support/messages.ts';
import { startStdio } from '../support/stdio-peer.ts';

const FIXTURE = 'run-legacy-stdio.js';
const LISTS = ['tools', 'prompts', 'resources'] as const;

for (const [wire, start] of Object.entries(LEGACY_WIRES)) {
  test(`logging/setLevel is answered and decides what later calls may say, over ${wire} [2025-11-25 server/utilities/logging]`, async (t) => {
    const peer = await start(t, '2025-11-25');
    const logged = async (id: number): Promise<readonly unknown[]> =>
      (await peer.exchange(legacyCall(id, 'log_all')))
        .slice(0, -1)
        .map((message) => at(message, 'params', 'level'));
    assert.deepEqual(await logged(1), [], 'before a level is set nothing is said');
    assert.deepEqual(at(await peer.ask(legacy(2, 'logging/setLevel', { level: 'critical' })), 'result'), {});
    assert.deepEqual(await logged(3), ['critical', 'alert', 'emergency']);
    await peer.ask(legacy(4, 'logging/setLevel', { level: 'debug' }));
    assert.equal((await logged(5)).length, 8);
    for (const level of ['loud', 7, undefined]) {
      assertError(await peer.ask(legacy(6, 'logging/setLevel', { level })), 6, -32602, /params\.level/);
    }
    assert.equal((await logged(7)).length, 8, 'a refused level changes nothing');
  });

  test(`a log message has the legacy form and nothing of the envelope, over ${wire}`, async (t) => {
    const peer = await start(t, '2025-06-18');
    await peer.ask(legacy(1, 'logging/setLevel', { level: 'emergency' }));
    const [message] = await peer.exchange(legacyCall(2, 'log_all'));
    assert.deepEqual(message, {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'emergency', logger: 'rules', data: { said: 'emergency' } },
    });
  });

  for (const list of LISTS) {
    test(`a change of the ${list} is told without being asked, over ${wire} [2025-11-25 server/${list} "List Changed Notification"]`, async (t) => {
      const peer = await start(t, '2025-03-26');
      await peer.listen();
      const [answer, told] = await Promise.all([
        peer instanceof HttpSession ? peer.ask(legacyCall(1, 'change', { list })) : undefined,
        peer instanceof HttpSession
          ? peer.unasked()
          : bothOf(peer.exchange(legacyCall(1, 'change', { list })), peer),
      ]);
      if (answer !== undefined) assert.match(textOf(answer), /added_/);
      assert.deepEqual(told, {
        jsonrpc: '2.0',
        method: `notifications/${list}/list_changed`,
        params: {},
      });
    });
  }

  test(`a subscribed resource's updates are told until it is unsubscribed, others' never, over ${wire} [2025-11-25 server/resources "Subscriptions"]`, async (t) => {
    const peer = await start(t, '2025-11-25');
    await peer.listen();
    const touch = async (id: number, uri: string): Promise<void> => {
      // Over stdio the news may stand before or behind the answer: only the answer is waited for here.
      if (peer instanceof HttpSession) await peer.ask(legacyCall(id, 'touch', { uri }));
      else await peer.tell(legacyCall(id, 'touch', { uri }));
    };
    assert.deepEqual(
      at(await peer.ask(legacy(1, 'resources/subscribe', { uri: 'test://text' })), 'result'),
      {},
    );
    assert.deepEqual(
      at(await peer.ask(legacy(2, 'resources/subscribe', { uri: 'test://binary' })), 'result'),
      {},
    );
    await touch(3, 'test://titled');
    await touch(4, 'test://text');
    await touch(5, 'test://binary');
    const updates = await collect(peer, 2);
    assert.deepEqual(updates, ['test://text', 'test://binary']);
    assert.deepEqual(
      at(await peer.ask(legacy(6, 'resources/unsubscribe', { uri: 'test://text' })), 'result'),
      {},
    );
    await touch(7, 'test://text');
    await touch(8, 'test://binary');
    assert.deepEqual(await collect(peer, 1), ['test://binary']);
    assertError(await peer.ask(legacy(9, 'resources/subscribe', {})), 9, -32602, /params\.uri/);
  });

  test(`a session watches a bounded number of resources, over ${wire} [issue 3: bounds]`, async (t) => {
    const peer = await start(t, '2025-11-25', {}, { maxWatchedResources: 2 });
    await peer.listen();
    for (const [id, uri] of ['test://a', 'test://b'].entries()) {
      assert.deepEqual(at(await peer.ask(legacy(id, 'resources/subscribe', { uri })), 'result'), {});
    }
    const refused = await peer.ask(legacy(3, 'resources/subscribe', { uri: 'test://c' }));
    assertError(refused, 3, -32602, /at most 2 resources/);
    const again = await peer.ask(legacy(4, 'resources/subscribe', { uri: 'test://b' }));
    assert.deepEqual(at(again, 'result'), {}, 'one that is watched already asks for nothing more');
    await peer.ask(legacy(5, 'resources/unsubscribe', { uri: 'test://a' }));
    assert.deepEqual(at(await peer.ask(legacy(6, 'resources/subscribe', { uri: 'test://c' })), 'result'), {});
  });

  test(`progress comes before the answer with the token's type kept, and none without a token, over ${wire} [2025-11-25 basic/utilities/progress]`, async (t) => {
    const peer = await start(t, '2025-11-25');
    for (const progressToken of ['text', 7]) {
      const messages = await peer.exchange(
        legacyCall(1, 'progress', { values: [1, 2, 3] }, { progressToken }),
      );
      assert.deepEqual(
        messages.slice(0, -1).map((message) => at(message, 'params', 'progressToken')),
        [progressToken, progressToken, progressToken],
      );
    }
    assert.equal((await peer.exchange(legacyCall(2, 'progress', { values: [1] }))).length, 1);
    const odd = await peer.ask(legacyCall(3, 'progress', { values: [] }, { progressToken: {} }));
    assertError(odd, 3, -32602, /progressToken/);
  });

  test(`an id that is in use is refused, one that was answered may come again, over ${wire} [JSON-RPC ids]`, async (t) => {
    const peer = await start(t, '2025-11-25');
    const asks = { inputRequests: { q: { method: 'roots/list' } } };
    assert.equal(textOf(await peer.ask(legacyCall(1, 'echo', { text: 'a' }))), 'a');
    assert.equal(textOf(await peer.ask(legacyCall(1, 'echo', { text: 'b' }))), 'b');
    assert.match(textOf(await peer.ask(legacyCall('1', 'ask', asks))), /does not support roots/);
  });

  test(`initialized and roots/list_changed are taken without a word, as is a cancellation of nothing, over ${wire}`, async (t) => {
    const peer = await start(t, '2025-11-25', { roots: { listChanged: true } });
    await peer.tell(notification('notifications/roots/list_changed'));
    await peer.tell(cancelled('nothing'));
    await peer.tell(notification('notifications/cancelled'));
    await peer.tell(notification('notifications/no/such'));
    await peer.tell({ jsonrpc: '2.0', id: 12345, result: {} });
    assert.deepEqual(await peer.exchange(legacy(1, 'ping')), [{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  test(`what clients in the field send is served: tools/list with a timeout, tools/call without arguments, over ${wire} [interop]`, async (t) => {
    const peer = await start(t, '2025-11-25');
    assert.ok(
      listAt(await peer.ask(legacy(1, 'tools/list', { timeout: 60_000 })), 'result', 'tools').length > 0,
    );
    assert.equal(at(await peer.ask(legacyCall(2, 'nothing')), 'result', 'isError'), undefined);
    const reserved = { 'io.modelcontextprotocol/logLevel': 'debug', traceparent: 'x' };
    const logs = await peer.exchange(legacyCall(3, 'log_all', {}, reserved));
    assert.equal(logs.length, 1, 'a legacy client sets its level with logging/setLevel alone');
  });
}

test('an error whose data no JSON text can hold is -32603 of its own call, in both eras on both transports: the process lives on', async (t) => {
  const server = createServer({ name: 's', version: '1' }, { report: () => {} }).tool('cyclic', {}, () => {
    const data: { self?: object } = {};
    data.self = data;
    throw new ProtocolError(4711, 'cyclic', data);
  });
  const session = await HttpSession.start(await serve(t, server), '2025-11-25');
  assertError(await session.ask(legacyCall(1, 'cyclic')), 1, -32603);
  assertError((await session.peer.post(call(2, 'cyclic'))).json, 2, -32603);
  const lines = startStdio(t, {}, FIXTURE);
  await lines.ask(initialize('2025-11-25'));
  assertError(await lines.ask(legacyCall(1, 'throws_unwritable_error')), 1, -32603);
  assertError(await lines.ask(call(2, 'throws_unwritable_error')), 2, -32603);
});

test('a cancelled call on stdio is aborted and never answered; its id is free again [2025-11-25 basic/utilities/cancellation]', async (t) => {
  const peer = startStdio(t, {}, FIXTURE);
  await peer.ask(initialize('2025-11-25'));
  peer.send(legacyCall('w', 'wait', { key: 'a' }, { progressToken: 1 }));
  await peer.stderr(/wait a began/);
  peer.send(cancelled('w'));
  await peer.stderr(/wait a aborted: .*changed my mind/);
  assert.equal(textOf(await peer.ask(legacyCall('w', 'echo', { text: 'free' }))), 'free');
  assert.deepEqual(peer.rest(), []);
});

test('a cancellation finds a request that still waits in line: it is never run [stdio]', async (t) => {
  const peer = startStdio(t, { stdio: { maxConcurrent: 1 } }, FIXTURE);
  await peer.ask(initialize('2025-11-25'));
  peer.send(legacyCall(1, 'gate', { key: 'first' }));
  await peer.stderr(/gate first waits/);
  peer.send(legacyCall(2, 'gate', { key: 'never' }));
  peer.send(cancelled(2));
  assert.deepEqual(await peer.ask(legacy(3, 'ping')), { jsonrpc: '2.0', id: 3, result: {} });
  peer.send(cancelled(1));
  // The slot is free once the handler is done: opening the gate needs one, so the server closes instead.
  peer.closeInput();
  peer.child.kill('SIGTERM');
  await assert.rejects(peer.stderr(/gate never waits/));
});

test('a ping is answered while every slot is taken [stdio]', async (t) => {
  const peer = startStdio(t, { stdio: { maxConcurrent: 1 } }, FIXTURE);
  await peer.ask(initialize('2025-11-25'));
  peer.send(legacyCall(1, 'wait', { key: 'a' }));
  await peer.stderr(/wait a began/);
  peer.send(legacyCall(2, 'echo', { text: 'behind it' }));
  assert.deepEqual(await peer.ask(legacy(3, 'ping')), { jsonrpc: '2.0', id: 3, result: {} });
  assert.deepEqual(at(await peer.ask(legacy(4, 'logging/setLevel', { level: 'info' })), 'result'), {});
  peer.send(cancelled(1));
  assert.equal(textOf(await peer.next()), 'behind it');
});

/** A server whose tool tells the test when it began and why it ended. */
function waiting(began: Deferred<Context>, aborted: Deferred<unknown>): Server {
  return createServer({ name: 's', version: '1' }, { report: () => {} }).tool(
    'wait',
    { input: { type: 'object', properties: { progress: { type: 'boolean' } } } },
    async ({ progress }, context) => {
      if (progress === true) await context.progress(1);
      began.resolve(context);
      await new Promise<void>((resolve) => {
        context.signal.addEventListener('abort', () => resolve());
      });
      await context.progress(2);
      aborted.resolve(context.signal.reason);
      return 'too late';
    },
  );
}

for (const version of ['2025-03-26', '2025-11-25']) {
  test(`a cancelled call ends its POST over HTTP: no answer, no stream left open, to a client of ${version} [issue 3]`, async (t) => {
    for (const progress of [true, false]) {
      const began = defer<Context>();
      const aborted = defer<unknown>();
      const session = await HttpSession.start(await serve(t, waiting(began, aborted)), version);
      const message = legacyCall(1, 'wait', { progress }, { progressToken: 'p' });
      if (progress) {
        const stream = await session.open(message);
        assert.equal(at(await stream.message(), 'params', 'progress'), 1);
        await began.promise;
        await session.tell(cancelled(1));
        assert.equal(await stream.ended, true);
        assert.deepEqual(stream.rest(), []);
      } else {
        const answer = session.post(message);
        await began.promise;
        await session.tell(cancelled(1));
        assert.equal((await answer).text, '');
      }
      assert.match(String(await aborted.promise), /changed my mind/);
    }
  });
}

test('an answered call and its late cancellation disturb nothing [2025-11-25 basic/utilities/cancellation "Timing"]', async (t) => {
  const session = await HttpSession.start(await serve(t, legacyServer()), '2025-11-25');
  assert.equal(textOf(await session.ask(legacyCall(1, 'echo', { text: 'a' }))), 'a');
  await session.tell(cancelled(1));
  assert.equal(textOf(await session.ask(legacyCall(1, 'echo', { text: 'b' }))), 'b');
});

test('sessions are apart: same ids at the same time, a cancellation in one, a level in one', async (t) => {
  const both = defer<void>();
  const go = defer<void>();
  let running = 0;
  const server = legacyServer().tool('hold', {}, async () => {
    if (++running === 2) both.resolve();
    await go.promise;
    return 'held';
  });
  const peer = await serve(t, server);
  const one = await HttpSession.start(peer, '2025-11-25');
  const two = await HttpSession.start(peer, '2025-11-25');
  await one.ask(legacy('l', 'logging/setLevel', { level: 'debug' }));
  assert.equal((await two.exchange(legacyCall(1, 'log_all'))).length, 1);
  const calls = [one.ask(legacyCall(1, 'hold')), two.ask(legacyCall(1, 'hold'))];
  await both.promise;
  await two.tell(cancelled(2));
  await one.tell(cancelled('1'));
  go.resolve();
  assert.deepEqual((await Promise.all(calls)).map(textOf), ['held', 'held']);
});

/** Everything that comes over stdio until the answer and the news are there; gives the news. */
async function bothOf(
  exchange: Promise<readonly unknown[]>,
  peer: { unasked(): Promise<unknown> },
): Promise<unknown> {
  const messages = await exchange;
  return messages.find((message) => at(message, 'method') !== undefined) ?? (await peer.unasked());
}

/** The URIs of the next updates, whatever else comes between. */
async function collect(peer: { unasked(): Promise<unknown> }, count: number): Promise<readonly unknown[]> {
  const uris: unknown[] = [];
  while (uris.length < count) {
    const message = await peer.unasked();
    if (at(message, 'method') === 'notifications/resources/updated') uris.push(at(message, 'params', 'uri'));
    else assert.equal(at(message, 'method'), undefined, JSON.stringify(message));
  }
  return uris;
}
