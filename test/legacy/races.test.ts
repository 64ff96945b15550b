import assert from 'node:assert/strict';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { createServer } from 'mcpwire/server';
import type { ServerOptions } from 'mcpwire/server';
import { legacyServer } from '../fixtures/legacy-server.ts';
import { defer } from '../support/defer.ts';
import { HttpPeer, serve } from '../support/http-peer.ts';
import { ASKABLE, form, INITIALIZED, initialize, legacy, legacyCall } from '../support/legacy-messages.ts';
import { HttpSession } from '../support/legacy-wire.ts';
import { at, textOf } from '../support/messages.ts';
import { SseEvents } from '../support/sse-events.ts';

/** A bus that counts who listens. */
class CountingBus implements NonNullable<ServerOptions['bus']> {
  listeners = 0;
  heard = defer<void>();

  publish(): void {}

  subscribe(): () => void {
    this.listeners++;
    this.heard.resolve();
    return () => {
      this.listeners--;
    };
  }
}

test('a client that leaves during its HTTP+SSE handshake leaves nothing behind: nobody listens, nothing runs', async (t) => {
  const bus = new CountingBus();
  const [began, go] = [defer<void>(), defer<void>()];
  let calls = 0;
  const server = createServer({ name: 's', version: '1' }, { bus, report: () => {} })
    .tool('count', {}, () => `${++calls}`)
    .use((next) => async (request, exchange) => {
      if (request.method === 'server/discover') {
        began.resolve();
        await go.promise;
      }
      return next(request, exchange);
    });
  const { port } = await serve(t, server, { sse: true });
  const { response } = await new HttpPeer(port, '/sse').start('GET', { Accept: 'text/event-stream' });
  const stream = new SseEvents(response);
  const messages = new HttpPeer(port, (await stream.next()).data);
  const post = async (message: unknown): Promise<number> =>
    (await messages.send('POST', { 'Content-Type': 'application/json' }, JSON.stringify(message))).status;
  for (const message of [initialize('2024-11-05'), INITIALIZED, legacyCall(1, 'count')]) {
    assert.equal(await post(message), 202);
  }
  await began.promise;
  stream.close();
  // The server hears of it at some time soon.
  while ((await post(legacy(2, 'ping'))) !== 404);
  go.resolve();
  // Whatever the handshake still does is done within this process's next turns.
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  assert.deepEqual([bus.listeners, calls], [0, 0]);
});

test('a session that is deleted while it is looked up is gone for what was looked up with it', async (t) => {
  const secrets = ['a secret of at least thirty-two characters'];
  const options = { legacy: { secrets } };
  const old = await HttpSession.start(await serve(t, legacyServer(), options), '2025-11-25');
  const peer = await serve(t, legacyServer(), options);
  const session = new HttpSession(peer, old.id, old.version);
  const { response: deleted } = await peer.start('DELETE', session.headers());
  deleted.resume();
  assert.equal(deleted.statusCode, 204);
  assert.equal((await session.post(legacy(1, 'ping'))).status, 404);
  for (let round = 0; round < 20; round++) {
    const next = await HttpSession.start(await serve(t, legacyServer(), options), '2025-11-25');
    const there = new HttpSession(peer, next.id, next.version);
    const [ended, get, posted] = await Promise.all([
      there.delete(),
      peer.start('GET', { Accept: 'text/event-stream', ...there.headers() }),
      there.post(legacy(1, 'ping')),
    ]);
    assert.equal(ended.status, 204);
    assert.ok(posted.status === 200 || posted.status === 404, posted.text);
    // Answered 404, or opened before the end and ended by it.
    if (get.response.statusCode === 200) assert.equal(await new SseEvents(get.response).ended, true);
    else assert.equal(get.response.statusCode, 404);
    get.response.resume();
  }
});

test('many questions in one round and many streams at once raise no alarm of a leak', async (t) => {
  const warnings: Error[] = [];
  const hear = (warning: Error): void => void warnings.push(warning);
  process.on('warning', hear);
  t.after(() => process.off('warning', hear));
  const peer = await serve(t, legacyServer());
  const questions = Array.from({ length: 12 }, (_, index) => [`q${index}`, form()]);
  const session = await HttpSession.start(peer, '2025-11-25', ASKABLE);
  const answer = await session.ask(
    legacyCall(1, 'ask', { inputRequests: Object.fromEntries(questions) as object }),
    () => ({ result: { action: 'decline' } }),
  );
  assert.match(textOf(answer), /^answered /);
  for (let count = 0; count < 12; count++) {
    const other = await HttpSession.start(peer, '2025-11-25');
    await other.listen();
    assert.deepEqual(
      at(await other.ask(legacy(1, 'resources/subscribe', { uri: 'test://text' })), 'result'),
      {},
    );
  }
  await setImmediate();
  assert.deepEqual(warnings, []);
});

test('a refusal has the id of its request: no room for a session, an unknown version', async (t) => {
  const peer = await serve(t, legacyServer(), { legacy: { maxSessions: 1 } });
  const session = await HttpSession.start(peer, '2025-11-25');
  await session.listen();
  const body = JSON.stringify(initialize('2025-11-25', {}, 'second'));
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const full = await peer.send('POST', headers, body);
  assert.deepEqual([full.status, at(full.json, 'id')], [503, 'second']);
  const odd = await session.post(legacy(7, 'ping'), { 'MCP-Protocol-Version': '1999-01-01' });
  assert.deepEqual([odd.status, at(odd.json, 'id')], [400, 7]);
});
