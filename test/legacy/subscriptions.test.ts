import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer, ProtocolError } from 'mcpwire/server';
import type { Server } from 'mcpwire/server';
import { serve } from '../support/http-peer.ts';
import { legacy, legacyCall } from '../support/legacy-messages.ts';
import { HttpSession, StdioWire } from '../support/legacy-wire.ts';
import { assertError, at } from '../support/messages.ts';
import { startStdio } from '../support/stdio-peer.ts';

/** What a session subscribed to, and what it is refused [2025-11-25 server/resources "Subscriptions"]. */

function watchable(maxWatchedResources: number): Server {
  const server = createServer({ name: 's', version: '1' }, { report: () => {}, maxWatchedResources });
  server.tool('first', {}, () => '');
  for (const uri of ['test://a', 'test://b', 'test://c']) server.resource(uri, { name: uri }, () => 'text');
  return server;
}

/** A server that refuses to tell of one resource. */
function choosy(): Server {
  return watchable(10).use((next) => (request, exchange) => {
    const { resourceSubscriptions } = (request.params['notifications'] ?? {}) as {
      resourceSubscriptions?: readonly string[];
    };
    if (resourceSubscriptions?.includes('test://c') === true) throw new ProtocolError(4711, 'not c');
    return next(request, exchange);
  });
}

function subscribe(session: { ask: HttpSession['ask'] }, uri: string): Promise<unknown> {
  return session.ask(legacy(`subscribe ${uri}`, 'resources/subscribe', { uri }));
}

for (const [why, server] of [
  ['the server watches no more', watchable(2)],
  ['middleware refuses it', choosy()],
] as const) {
  test(`a subscription that is refused because ${why} takes nothing from the session: earlier ones and lists are told`, async (t) => {
    const session = await HttpSession.start(await serve(t, server), '2025-11-25');
    await session.listen();
    // At once: what is refused to one must not be asked for by the next.
    const answers = await Promise.all(
      ['test://a', 'test://c', 'test://b', 'test://c'].map((uri, index) =>
        session.ask(legacy(index, 'resources/subscribe', { uri })),
      ),
    );
    const refused = answers.filter((answer) => at(answer, 'error') !== undefined);
    assert.ok(refused.length > 0);
    for (const answer of refused) assert.equal(at(answer, 'error', 'code'), -32602);
    server.resourceUpdated('test://a');
    assert.equal(at(await session.unasked(), 'params', 'uri'), 'test://a');
    server.update((draft) => draft.tool('second', {}, () => ''));
    assert.equal(at(await session.unasked(), 'method'), 'notifications/tools/list_changed');
  });
}

test('over stdio a refused subscription leaves the others as well', async (t) => {
  const peer = startStdio(t, { server: { maxWatchedResources: 2 } }, 'run-legacy-stdio.js');
  const session = await StdioWire.start(peer, '2025-11-25');
  await session.listen();
  for (const uri of ['test://text', 'test://binary']) {
    assert.deepEqual(at(await subscribe(session, uri), 'result'), {});
  }
  assertError(await subscribe(session, 'test://titled'), 'subscribe test://titled', -32602);
  await session.tell(legacyCall(1, 'touch', { uri: 'test://text' }));
  const both = [await session.unasked(), await session.unasked()];
  assert.ok(both.some((message) => at(message, 'params', 'uri') === 'test://text'));
});

test('where what was subscribed to before anybody listened is refused, lists are told of, and it can be subscribed to again', async (t) => {
  const server = watchable(2);
  const session = await HttpSession.start(await serve(t, server), '2025-11-25');
  for (const uri of ['test://a', 'test://b', 'test://c']) {
    assert.deepEqual(at(await subscribe(session, uri), 'result'), {});
  }
  await session.listen();
  // Answered once the stream listens.
  assert.deepEqual(at(await subscribe(session, 'test://a'), 'result'), {});
  server.update((draft) => draft.tool('second', {}, () => ''));
  assert.equal(at(await session.unasked(), 'method'), 'notifications/tools/list_changed');
  server.resourceUpdated('test://a');
  assert.equal(at(await session.unasked(), 'params', 'uri'), 'test://a');
});

test('a server without resources knows no resources/subscribe, whether anybody listens or not', async (t) => {
  const server = createServer({ name: 's', version: '1' }).tool('only', {}, () => '');
  const session = await HttpSession.start(await serve(t, server), '2025-11-25');
  assertError(await subscribe(session, 'test://a'), 'subscribe test://a', -32601);
  await session.listen();
  assertError(await subscribe(session, 'test://a'), 'subscribe test://a', -32601);
});
