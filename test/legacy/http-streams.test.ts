import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { serveHttp } from 'mcpwire/node';
import type { ServeHttpOptions } from 'mcpwire/node';
import { createServer } from 'mcpwire/server';
import type { Server } from 'mcpwire/server';
import { legacyServer } from '../fixtures/legacy-server.ts';
import type { Deferred } from '../support/defer.ts';
import { defer } from '../support/defer.ts';
import { startHttpFixture } from '../support/fixture-process.ts';
import { HttpPeer, serve } from '../support/http-peer.ts';
import { ASKABLE, form, legacy, legacyCall } from '../support/legacy-messages.ts';
import { HttpSession } from '../support/legacy-wire.ts';
import { assertError, at, call, textOf } from '../support/messages.ts';
import type { SseEvents } from '../support/sse-events.ts';

const NEWEST = '2025-11-25';

async function start(
  t: TestContext,
  version = NEWEST,
  options: ServeHttpOptions = {},
  server: Server = legacyServer(),
): Promise<HttpSession> {
  return HttpSession.start(await serve(t, server, options), version, ASKABLE);
}

/** Changes the list of tools from beside the session. */
async function change(session: HttpSession): Promise<void> {
  await session.peer.post(call('change', 'change', { list: 'tools' }));
}

/** A tool that reports a step for each time that the test lets it, and answers at the end. */
function stepping(steps: readonly Deferred<void>[], done: Deferred<unknown>): Server {
  return createServer({ name: 's', version: '1' }, { report: () => {} }).tool(
    'steps',
    {},
    async (_args, context) => {
      for (const [index, step] of steps.entries()) {
        await context.progress(index + 1);
        await step.promise;
      }
      done.resolve(context.signal.aborted);
      return 'all steps';
    },
  );
}

const STEPS = legacyCall(1, 'steps', {}, { progressToken: 'p' });

async function progressOf(stream: SseEvents): Promise<unknown> {
  return at(await stream.message(), 'params', 'progress');
}

test('a stream begins with an event that primes the client, with an id and a retry time, since 2025-11-25 alone [2025-11-25 basic/transports "Resumability"]', async (t) => {
  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
    const session = await start(t, version, { legacy: { retryMs: 1234 } });
    const post = await session.open(legacyCall(1, 'progress', { values: [1] }, { progressToken: 1 }));
    const feed = await session.get();
    await change(session);
    for (const stream of [post, feed]) {
      const first = await stream.next();
      if (version === '2025-11-25') {
        assert.deepEqual({ ...first, id: 'an id' }, { id: 'an id', retry: '1234', data: '' });
        assert.match(String(first.id), /^[a-z0-9]+-0$/);
        assert.match(String((await stream.next()).id), /-1$/);
      } else {
        assert.notEqual(first.data, '');
        assert.equal(first.retry, undefined);
        assert.match(String(first.id), /-1$/);
      }
    }
  }
});

test('a lost connection is no cancellation: the call goes on, and GET with Last-Event-ID brings the rest [2025-11-25 basic/transports "Resumability and Redelivery"]', async (t) => {
  for (const version of ['2025-11-25', '2025-03-26']) {
    const steps = [defer<void>(), defer<void>(), defer<void>()];
    const done = defer<unknown>();
    const session = await start(t, version, {}, stepping(steps, done));
    const stream = await session.open(STEPS);
    if (version === '2025-11-25') await stream.next();
    const { id } = await stream.next();
    stream.close();
    await stream.ended;
    for (const step of steps) step.resolve();
    assert.equal(await done.promise, false, 'the handler was not aborted');
    const rest = await session.get({ 'Last-Event-ID': id });
    assert.deepEqual([await progressOf(rest), await progressOf(rest)], [2, 3]);
    assert.equal(textOf(await rest.message()), 'all steps');
    assert.equal(await rest.ended, true);
  }
});

test('a client that comes back while the call runs gets what it missed, then what follows as it comes', async (t) => {
  const steps = [defer<void>(), defer<void>(), defer<void>()];
  const session = await start(t, NEWEST, {}, stepping(steps, defer()));
  const stream = await session.open(STEPS);
  const { id } = await stream.next();
  assert.equal(await progressOf(stream), 1);
  stream.close();
  await stream.ended;
  const back = await session.get({ 'Last-Event-ID': id });
  assert.equal(await progressOf(back), 1);
  steps[0]?.resolve();
  assert.equal(await progressOf(back), 2);
  steps[1]?.resolve();
  steps[2]?.resolve();
  assert.equal(await progressOf(back), 3);
  assert.equal(textOf(await back.message()), 'all steps');
});

test('the end of an old connection, noticed late, does not take the new one away', async (t) => {
  const steps = [defer<void>(), defer<void>()];
  const session = await start(t, NEWEST, {}, stepping(steps, defer()));
  const old = await session.open(STEPS);
  const { id } = await old.next();
  assert.equal(await progressOf(old), 1);
  const back = await session.get({ 'Last-Event-ID': id });
  assert.equal(await old.ended, true, 'the new connection ends the old one');
  assert.equal(await progressOf(back), 1);
  // The server hears of the old connection's end before it takes this request on a new one.
  await session.ask(legacy(2, 'ping'));
  for (const step of steps) step.resolve();
  assert.equal(await progressOf(back), 2);
  assert.equal(textOf(await back.message()), 'all steps');
});

test('a tool may let the connection of a client go that knows where to come back, since 2025-11-25 alone [2025-11-25 basic/transports "Resumability"]', async (t) => {
  const go = defer<void>();
  const server = createServer({ name: 's', version: '1' }).tool('long', {}, async (_args, context) => {
    context.caller.release?.();
    await go.promise;
    return 'at last';
  });
  const session = await start(t, NEWEST, {}, server);
  const stream = await session.open(legacyCall(1, 'long'));
  const { id } = await stream.next();
  assert.equal(await stream.ended, true);
  const back = await session.get({ 'Last-Event-ID': id });
  go.resolve();
  assert.equal(textOf(await back.message()), 'at last');
  assert.equal(await back.ended, true);
  const older = await HttpSession.start(session.peer, '2025-06-18');
  assert.equal(textOf(await older.ask(legacyCall(1, 'long'))), 'at last');
});

test('the answer is kept for a client that lost it, question and all', async (t) => {
  const session = await start(t);
  const stream = await session.open(legacyCall(1, 'ask', { inputRequests: { f: form() } }));
  const { id } = await stream.next();
  const question = await stream.message();
  stream.close();
  await session.tell({ jsonrpc: '2.0', id: at(question, 'id'), result: { action: 'decline' } });
  const rest = await session.get({ 'Last-Event-ID': id });
  assert.deepEqual(await rest.message(), question);
  assert.equal(textOf(await rest.message()), 'answered {"f":{"action":"decline"}}');
});

test('of a stream that is not kept nothing is promised: 400', async (t) => {
  const session = await start(t);
  const headers = { Accept: 'text/event-stream', ...session.headers({ 'Last-Event-ID': 'p999-1' }) };
  const answer = await session.peer.send('GET', headers);
  assert.equal(answer.status, 400);
  assertError(answer.json, undefined, -32600, /nothing is kept of the stream that p999-1 names/);
});

test('a second GET replaces the first, and changes come on the new one alone [issue 3, github.com/robhunter/agentdeals/issues/1098]', async (t) => {
  const session = await start(t);
  const first = await session.get();
  const second = await session.get();
  assert.equal(await first.ended, true);
  await change(session);
  assert.equal(at(await second.message(), 'method'), 'notifications/tools/list_changed');
  assert.deepEqual(
    first.rest().filter(({ data }) => data !== ''),
    [],
  );
});

test('a notification stream that broke is resumed: what changed meanwhile comes once [2025-11-25 basic/transports "Resumability"]', async (t) => {
  const session = await start(t);
  const feed = await session.get();
  const { id } = await feed.next();
  feed.close();
  await feed.ended;
  await change(session);
  const back = await session.get({ 'Last-Event-ID': id });
  assert.equal(at(await back.message(), 'method'), 'notifications/tools/list_changed');
  await change(session);
  assert.equal(at(await back.message(), 'method'), 'notifications/tools/list_changed');
  assert.deepEqual(back.rest(), []);
});

test('a resumed notification stream that breaks again ends with its time: the session is idle then', async (t) => {
  const session = await start(t, NEWEST, { legacy: { resumeMs: 20, maxSessions: 1 } });
  const feed = await session.get();
  const { id } = await feed.next();
  feed.close();
  await feed.ended;
  const back = await session.get({ 'Last-Event-ID': id });
  back.close();
  await back.ended;
  for (;;) {
    const other = await HttpSession.start(session.peer, NEWEST).catch(() => undefined);
    if (other !== undefined) break; // the one place is free again
  }
});

test('whoever comes back to a notification stream that is gone hears that every list may have changed', async (t) => {
  const secrets = ['a secret for tests that is long enough'];
  const { id, version } = await start(t, NEWEST, { legacy: { secrets } });
  const other = new HttpSession(await serve(t, legacyServer(), { legacy: { secrets } }), id, version);
  const feed = await other.get({ 'Last-Event-ID': 'g1-7' });
  const methods = [await feed.message(), await feed.message(), await feed.message()].map((message) =>
    at(message, 'method'),
  );
  assert.deepEqual(methods, [
    'notifications/tools/list_changed',
    'notifications/prompts/list_changed',
    'notifications/resources/list_changed',
  ]);
});

test('an event id that nobody gave is passed over, as if there were none', async (t) => {
  const session = await start(t);
  for (const id of ['x', '7', 'G1-1', 'g1-', `g1-${'9'.repeat(20)}`]) {
    const feed = await session.get({ 'Last-Event-ID': id });
    await change(session);
    assert.equal(at(await feed.message(), 'method'), 'notifications/tools/list_changed');
    feed.close();
  }
});

test('streams that wait are kept alive with comments: the notification stream and one with an open question [issue 3]', async (t) => {
  const session = await start(t, NEWEST, { keepAliveMs: 10 });
  const feed = await session.get();
  const stream = await session.open(legacyCall(1, 'ask', { inputRequests: { f: form() } }));
  for (const open of [feed, stream]) {
    assert.equal(await open.comment(), ':');
    assert.equal(await open.comment(), ':');
  }
});

test('GET must accept event streams; no header accepts anything', async (t) => {
  const session = await start(t);
  const refused = await session.peer.send('GET', { Accept: 'application/json', ...session.headers() });
  assert.equal(refused.status, 406);
  for (const accept of ['text/event-stream', '*/*', 'application/json, text/*', undefined]) {
    const feed = await session.get({ Accept: accept });
    feed.close();
    await feed.ended;
  }
});

test('a foreign Host or Origin is 403 for GET and DELETE too [2025-11-25 basic/transports "Security Warning"]', async (t) => {
  const session = await start(t);
  for (const method of ['GET', 'DELETE']) {
    for (const header of [{ Host: 'evil.example' }, { Origin: 'https://evil.example' }]) {
      const headers = { Accept: 'text/event-stream', ...session.headers(header) };
      assert.equal((await session.peer.send(method, headers)).status, 403);
    }
  }
  assert.deepEqual(at((await session.post(legacy(1, 'ping'))).json, 'result'), {});
});

test('closing the server ends notification streams, lets calls finish, and cancels what is left when its time is up', async (t) => {
  const server = legacyServer();
  const http = await serveHttp(server, { port: 0, drainMs: 50, report: () => {} });
  t.after(() => http.close());
  const session = await HttpSession.start(new HttpPeer(http.port), NEWEST, ASKABLE);
  const feed = await session.get();
  const stream = await session.open(legacyCall(1, 'ask', { inputRequests: { f: form() } }));
  await stream.message();
  await http.close();
  assert.equal(await feed.ended, true);
  await stream.ended;
});

test(
  'sessions, lost notification streams and open questions keep no process alive whose server was closed',
  { timeout: 20_000 },
  async (t) => {
    const fixture = await startHttpFixture(t, {}, 'run-unclosed.js');
    const session = await HttpSession.start(new HttpPeer(fixture.port, '/'), NEWEST, ASKABLE);
    await session.get();
    const stream = await session.open(legacyCall(1, 'ask', { inputRequests: { f: form() } }));
    await stream.message();
    fixture.signal('SIGUSR2');
    await fixture.exited;
  },
);

test('event ids are unique in a session, also where another instance makes them: what is resumed is never another stream [2025-11-25 basic/transports "Resumability and Redelivery"]', async (t) => {
  const secrets = ['a secret for tests that is long enough'];
  const one = await serve(t, legacyServer(), { legacy: { secrets } });
  const other = await serve(t, legacyServer(), { legacy: { secrets } });
  const session = await HttpSession.start(one, '2025-11-25');
  const elsewhere = new HttpSession(other, session.id, session.version);
  const ids = async (where: HttpSession): Promise<readonly (string | undefined)[]> => {
    const events = await where.open(legacyCall(1, 'progress', { values: [1, 2] }, { progressToken: 1 }));
    await events.ended;
    return events.rest().map((event) => event.id);
  };
  const here = await ids(session);
  const there = await ids(elsewhere);
  assert.ok(here.length > 1);
  assert.equal(new Set([...here, ...there]).size, here.length + there.length);
  const foreign = await one.send('GET', {
    Accept: 'text/event-stream',
    ...session.headers({ 'Last-Event-ID': there[0] }),
  });
  assert.equal(foreign.status, 400);
});
