import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveHttp } from 'mcpwire/node';
import type { Context, Server } from 'mcpwire/server';
import { createServer } from 'mcpwire/server';
import type { Deferred } from '../support/defer.ts';
import { defer } from '../support/defer.ts';
import { headersFor, HttpPeer, serve } from '../support/http-peer.ts';
import { at, call, LOG_LEVEL, request, textOf } from '../support/messages.ts';
import { headerLines, openConnection, rawPost } from '../support/raw-http.ts';

const INFO = { name: 's', version: '1' };
const KEYED = { type: 'object', properties: { key: { type: 'string' } } };

/** A server whose tool hands its context to the test and waits for its signal to be aborted. */
function waiting(began: Deferred<Context>, aborted: Deferred<unknown>, stream: boolean): Server {
  return createServer(INFO, { report: () => {} }).tool('wait', {}, async (_args, context) => {
    if (stream) await context.progress(1);
    began.resolve(context);
    await new Promise<void>((resolve) => {
      context.signal.addEventListener('abort', () => resolve());
    });
    await context.progress(2);
    aborted.resolve(context.signal.reason);
    return 'too late';
  });
}

test('two calls at once have streams of their own with nothing of the other and no request, each ended by its answer [HTTP-17] [HTTP-18] [HTTP-19] [BASE-26]', async (t) => {
  const both = defer<void>();
  let running = 0;
  const server = createServer(INFO).tool('work', { input: KEYED }, async ({ key }, context) => {
    await context.progress(1);
    if (++running === 2) both.resolve();
    await both.promise;
    await context.progress(2);
    await context.log('info', key);
    return String(key);
  });
  const peer = await serve(t, server);
  const streams = ['a', 'b'].map((key, id) =>
    peer.exchange(call(id, 'work', { key }, { progressToken: key, [LOG_LEVEL]: 'info' })),
  );
  for (const [id, messages] of (await Promise.all(streams)).entries()) {
    const key = ['a', 'b'][id];
    assert.deepEqual(
      messages.map((message) => at(message, 'method')),
      ['notifications/progress', 'notifications/progress', 'notifications/message', undefined],
    );
    assert.equal(at(messages[0], 'params', 'progressToken'), key);
    assert.equal(at(messages[1], 'params', 'progressToken'), key);
    assert.equal(at(messages[2], 'params', 'data'), key);
    assert.equal(at(messages[3], 'id'), id);
    assert.equal(textOf(messages[3]), key);
  }
});

test('a stream tells proxies not to hold events back [HTTP-20]', async (t) => {
  const peer = await serve(t, createServer(INFO));
  const answer = await peer.post(request(1, 'subscriptions/listen', { notifications: {} }));
  assert.equal(answer.headers['x-accel-buffering'], 'no');
  assert.equal(answer.headers['content-type'], 'text/event-stream');
});

for (const stream of [true, false]) {
  test(`a client that leaves ${stream ? 'its event stream' : 'before any answer'} has cancelled: the signal is aborted, nothing more is sent [HTTP-22] [HTTP-23] [HTTP-24] [CANC-04] [CANC-12]`, async (t) => {
    const began = defer<Context>();
    const aborted = defer<unknown>();
    const peer = await serve(t, waiting(began, aborted, stream));
    const message = call(1, 'wait', {}, { progressToken: 1 });
    if (stream) {
      const events = await peer.open(message);
      assert.equal(at(await events.next(), 'params', 'progress'), 1);
      events.close();
      await events.ended;
      assert.deepEqual(events.rest(), []);
    } else {
      const connection = await openConnection(peer.port);
      const lines = headerLines({ Host: `localhost:${peer.port}`, ...headersFor(message) });
      connection.write(rawPost(lines, JSON.stringify(message)));
      await began.promise;
      connection.close();
      await connection.closed;
      assert.equal(connection.rest, '');
    }
    const reason = await aborted.promise;
    assert.equal((reason as Error).name, 'AbortError');
    // The process goes on.
    assert.equal((await peer.post(request(2, 'server/discover'))).status, 200);
  });
}

test('a client that stops reading is waited for, and cut off when it takes too long [HTTP-22]', async (t) => {
  const began = defer<void>();
  const ended = defer<unknown>();
  const server = createServer(INFO, { report: () => {} }).tool('flood', {}, async (_args, context) => {
    began.resolve();
    let sent = 0;
    while (!context.signal.aborted) await context.progress(++sent, undefined, 'x'.repeat(65_536));
    ended.resolve(sent);
    return 'never';
  });
  const peer = await serve(t, server, { writeTimeoutMs: 200 });
  const events = await peer.open(call(1, 'flood', {}, { progressToken: 1 }));
  events.pause();
  await began.promise;
  const sent = Number(await ended.promise);
  assert.ok(sent < 1000, `${sent} times 64 KiB were taken for a client that reads nothing`);
});

for (const [kind, meta] of [
  ['an answer', {}],
  ['the end of an event stream', { progressToken: 1 }],
] as const) {
  test(
    `${kind} that nobody reads is cut off when it takes too long [HTTP-22]`,
    { timeout: 20_000 },
    async (t) => {
      const answered = defer<void>();
      const server = createServer(INFO).tool('large', {}, async (_args, context) => {
        await context.progress(1);
        setImmediate(answered.resolve);
        return 'x'.repeat(32 * 1024 * 1024);
      });
      const http = await serveHttp(server, {
        port: 0,
        writeTimeoutMs: 100,
        drainMs: 600_000,
        report: () => {},
      });
      const connection = await openConnection(http.port);
      t.after(() => connection.close());
      connection.socket.pause();
      const message = call(1, 'large', {}, meta);
      const lines = headerLines({ Host: `localhost:${http.port}`, ...headersFor(message) });
      connection.write(rawPost(lines, JSON.stringify(message)));
      await answered.promise;
      // Waits for every connection: without the cut this one would stay.
      await http.close();
    },
  );
}

test('close() does not wait for connections that never asked anything', { timeout: 20_000 }, async (t) => {
  const http = await serveHttp(createServer(INFO), { port: 0, drainMs: 600_000, report: () => {} });
  const connection = await openConnection(http.port);
  t.after(() => connection.close());
  await new HttpPeer(http.port).post(request(1, 'server/discover'));
  await http.close();
  await connection.closed;
});

test('comments keep a quiet stream alive [HTTP-15]', async (t) => {
  const server = createServer(INFO).tool('t', {}, () => '');
  const peer = await serve(t, server, { keepAliveMs: 10 });
  const events = await peer.open(
    request(1, 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
  );
  assert.equal(at(await events.next(), 'method'), 'notifications/subscriptions/acknowledged');
  for (let count = 0; count < 3; count++) assert.equal(await events.comment(), ':');
  server.update((draft) => draft.tool('u', {}, () => ''));
  assert.equal(at(await events.next(), 'method'), 'notifications/tools/list_changed');
  events.close();
});

test('close() answers what runs, ends subscriptions with their result, refuses what comes, and then is done [SUB-08]', async (t) => {
  const began = defer<void>();
  const finish = defer<void>();
  const server = createServer(INFO).tool('slow', {}, async () => {
    began.resolve();
    await finish.promise;
    return 'done';
  });
  const http = await serveHttp(server, { port: 0, drainMs: 600_000, report: () => {} });
  const peer = new HttpPeer(http.port);
  const events = await peer.open(
    request(7, 'subscriptions/listen', { notifications: { toolsListChanged: true } }),
  );
  await events.next();
  // A connection that stays open, with a request on it.
  const message = call(1, 'slow');
  const lines = headerLines({ Host: `localhost:${http.port}`, ...headersFor(message) });
  const connection = await openConnection(http.port);
  t.after(() => connection.close());
  connection.write(rawPost(lines, JSON.stringify(message)));
  // And one in the middle of a request.
  const late = await openConnection(http.port);
  t.after(() => late.close());
  late.write('POST /mcp HTTP/1.1\r\n');
  await peer.post(request(2, 'tools/list'));
  await began.promise;
  const closing = http.close();
  assert.equal(at(await events.next(), 'result', 'resultType'), 'complete');
  assert.equal(await events.ended, true);
  late.write(`${lines.join('\r\n')}\r\nContent-Length: 2\r\n\r\n{}`);
  const refused = await late.next();
  assert.equal(refused.status, 503, 'a request that comes on a connection that is still open');
  assert.match(refused.head, /^Retry-After: 1\r$/m);
  finish.resolve();
  const answer = await connection.next();
  assert.equal(answer.status, 200);
  assert.match(answer.body, /"done"/);
  // The connection is kept alive by its client: the server must not wait for it.
  await closing;
  await assert.rejects(openConnection(http.port), { code: 'ECONNREFUSED' });
});
