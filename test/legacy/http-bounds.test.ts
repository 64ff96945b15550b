import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFetchHandler } from 'mcpwire/http';
import { serveHttp } from 'mcpwire/node';
import type { LegacyHttpOptions } from 'mcpwire/node';
import { createServer } from 'mcpwire/server';
import { legacyServer } from '../fixtures/legacy-server.ts';
import { defer } from '../support/defer.ts';
import { serve } from '../support/http-peer.ts';
import { ASKABLE, cancelled, form, initialize, legacy, legacyCall } from '../support/legacy-messages.ts';
import { HttpSession, postLegacy } from '../support/legacy-wire.ts';
import { assertError, at, textOf } from '../support/messages.ts';

const VERSION = '2025-11-25';
const SECRETS = ['a secret for tests that is long enough'];

test('beyond maxSessions the longest unused idle session makes room, and is made again from its id when it comes back [issue 3: bounds]', async (t) => {
  const peer = await serve(t, legacyServer(), { legacy: { maxSessions: 2 } });
  const [a, b] = [await HttpSession.start(peer, VERSION), await HttpSession.start(peer, VERSION)];
  await a.ask(legacy(1, 'logging/setLevel', { level: 'debug' }));
  await b.ask(legacy(1, 'logging/setLevel', { level: 'debug' }));
  await a.ask(legacy(2, 'ping'));
  await HttpSession.start(peer, VERSION);
  assert.equal((await a.exchange(legacyCall(3, 'log_all'))).length, 9, 'a was used last and is held');
  assert.equal((await b.exchange(legacyCall(3, 'log_all'))).length, 1, 'b lives on without its level');
});

test('where no session is idle a new one is 503 with Retry-After, and the others go on [issue 3: bounds]', async (t) => {
  const peer = await serve(t, legacyServer(), { legacy: { maxSessions: 2, secrets: SECRETS } });
  const asking = await HttpSession.start(peer, VERSION, ASKABLE);
  const stream = await asking.open(legacyCall(1, 'ask', { inputRequests: { f: form() } }));
  const question = await stream.message();
  const listening = await HttpSession.start(peer, VERSION);
  await listening.get();
  const refused = await postLegacy(peer, initialize(VERSION));
  assert.equal(refused.status, 503);
  assert.equal(refused.headers['retry-after'], '10');
  assertError(refused.json, 'init', -32600, /no room for another session/);
  const elsewhere = await serve(t, legacyServer(), { legacy: { secrets: SECRETS } });
  const { id } = await HttpSession.start(elsewhere, VERSION);
  assert.equal((await new HttpSession(peer, id, VERSION).post(legacy(1, 'ping'))).status, 503);
  await asking.tell({ jsonrpc: '2.0', id: at(question, 'id'), result: { action: 'cancel' } });
  assert.match(textOf(await stream.message()), /^answered/);
  assert.equal((await postLegacy(peer, initialize(VERSION))).status, 200);
});

test('an idle session is freed after its time [issue 3: idle expiry]', async (t) => {
  const peer = await serve(t, legacyServer(), { legacy: { idleMs: 20 } });
  const session = await HttpSession.start(peer, VERSION);
  await session.ask(legacy(1, 'logging/setLevel', { level: 'debug' }));
  // Asking would keep it: others are asked until the session has lost what only memory held.
  const watcher = await HttpSession.start(peer, VERSION);
  await watcher.get();
  for (const until = Date.now() + 200; Date.now() < until;) await watcher.ask(legacy(1, 'ping'));
  assert.equal((await session.exchange(legacyCall(2, 'log_all'))).length, 1);
});

test('of a stream the last maxEvents events are kept [issue 3: buffered events]', async (t) => {
  const peer = await serve(t, legacyServer(), { legacy: { maxEvents: 3 } });
  const session = await HttpSession.start(peer, VERSION);
  const values = [1, 2, 3, 4, 5, 6];
  const stream = await session.open(legacyCall(1, 'progress', { values }, { progressToken: 'p' }));
  const { id } = await stream.next();
  await stream.ended;
  const back = await session.get({ 'Last-Event-ID': id });
  assert.equal(at(await back.message(), 'params', 'progress'), 5);
  assert.equal(at(await back.message(), 'params', 'progress'), 6);
  assert.equal(textOf(await back.message()), 'done');
  assert.equal(await back.ended, true);
});

test('of a stream the last maxChars characters are kept, and the last event in any case [issue 3: buffered events]', async (t) => {
  const peer = await serve(t, legacyServer(), { legacy: { maxChars: 10 } });
  const session = await HttpSession.start(peer, VERSION);
  const stream = await session.open(legacyCall(1, 'progress', { values: [1, 2] }, { progressToken: 'p' }));
  const { id } = await stream.next();
  await stream.ended;
  const back = await session.get({ 'Last-Event-ID': id });
  assert.equal(textOf(await back.message()), 'done');
  assert.equal(await back.ended, true);
});

for (const bound of [{ maxStreams: 2 }, { maxKeptChars: 400 }]) {
  test(`beyond ${Object.keys(bound).join()} the oldest complete streams are forgotten [issue 3: buffered events]`, async (t) => {
    const peer = await serve(t, legacyServer(), { legacy: bound });
    const session = await HttpSession.start(peer, VERSION);
    const ids: (string | undefined)[] = [];
    for (let round = 0; round < 4; round++) {
      const stream = await session.open(
        legacyCall(round, 'progress', { values: [1] }, { progressToken: 'p' }),
      );
      ids.push((await stream.next()).id);
      await stream.ended;
    }
    const statuses = [];
    for (const id of ids) {
      const headers = { Accept: 'text/event-stream', ...session.headers({ 'Last-Event-ID': id }) };
      statuses.push((await session.peer.send('GET', headers)).status);
    }
    assert.deepEqual(statuses, [400, 400, 200, 200]);
  });
}

test('what is kept of one session makes room for another: the bound is for all of them together', async (t) => {
  const peer = await serve(t, legacyServer(), { legacy: { maxKeptChars: 300 } });
  const complete = async (session: HttpSession): Promise<string | undefined> => {
    const stream = await session.open(legacyCall(1, 'progress', { values: [1] }, { progressToken: 'p' }));
    const { id } = await stream.next();
    await stream.ended;
    return id;
  };
  const one = await HttpSession.start(peer, VERSION);
  const id = await complete(one);
  await complete(await HttpSession.start(peer, VERSION));
  const headers = { Accept: 'text/event-stream', ...one.headers({ 'Last-Event-ID': id }) };
  assert.equal((await peer.send('GET', headers)).status, 400);
});

test('beyond maxSubscriptions a notification stream is 503, unless it replaces one', async (t) => {
  const peer = await serve(t, legacyServer(), { maxSubscriptions: 1 });
  const one = await HttpSession.start(peer, VERSION);
  const two = await HttpSession.start(peer, VERSION);
  await one.get();
  const headers = { Accept: 'text/event-stream', ...two.headers() };
  assert.equal((await peer.send('GET', headers)).status, 503);
  await one.get();
});

test('beyond maxConcurrent a call is 503; a ping is not, nor is what stops a call', async (t) => {
  const server = legacyServer();
  const peer = await serve(t, server, { maxConcurrent: 1 });
  const session = await HttpSession.start(peer, VERSION, ASKABLE);
  const stream = await session.open(legacyCall(1, 'ask', { inputRequests: { f: form() } }));
  await stream.message();
  const refused = await session.post(legacyCall(2, 'echo', { text: 'x' }));
  assert.equal(refused.status, 503);
  assert.equal(refused.headers['retry-after'], '1');
  assert.deepEqual(at((await session.post(legacy(3, 'ping'))).json, 'result'), {});
  await session.tell(cancelled(1));
  await stream.ended;
  assert.equal(textOf(await session.ask(legacyCall(4, 'echo', { text: 'x' }))), 'x');
});

test('a call that was cancelled and goes on all the same still counts until it is done', async (t) => {
  const began = defer<void>();
  const go = defer<void>();
  const server = createServer({ name: 's', version: '1' }).tool('deaf', {}, async () => {
    began.resolve();
    await go.promise;
    return 'done';
  });
  const session = await HttpSession.start(await serve(t, server, { maxConcurrent: 1 }), VERSION);
  const first = session.post(legacyCall(1, 'deaf'));
  await began.promise;
  await session.tell(cancelled(1));
  assert.equal((await first).text, '');
  assert.equal((await session.post(legacyCall(2, 'deaf'))).status, 503);
  go.resolve();
  for (;;) {
    const answer = await session.post(legacyCall(3, 'deaf'));
    if (answer.status === 200) break;
  }
});

test('a body over maxBodyBytes is 413, one that is no JSON -32700, one too deep -32600: the session lives on', async (t) => {
  const peer = await serve(t, legacyServer(), { maxBodyBytes: 2000 });
  const session = await HttpSession.start(peer, VERSION);
  const big = await session.post(legacyCall(1, 'echo', { text: 'x'.repeat(3000) }));
  assert.equal(big.status, 413);
  const headers = { 'Content-Type': 'application/json', ...session.headers() };
  const broken = await peer.send('POST', headers, '{"jsonrpc":');
  assert.equal(broken.status, 400);
  assertError(broken.json, undefined, -32700);
  const deep = await peer.send(
    'POST',
    headers,
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(70)}${']'.repeat(70)}}`,
  );
  assert.equal(deep.status, 400);
  assertError(deep.json, 1, -32600);
  for (const odd of ['7', 'null', '"text"', '{}', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}']) {
    const answer = await peer.send('POST', headers, odd);
    assert.equal(answer.status, 400, odd);
    assert.equal(at(answer.json, 'error', 'code'), -32600, odd);
  }
  assert.deepEqual(at((await session.post(legacy(9, 'ping'))).json, 'result'), {});
});

test('options of the legacy era that can not be meant are refused at the start, not when its first client comes', async () => {
  const refused: readonly [RegExp, LegacyHttpOptions][] = [
    [/at least 32 characters/, { secrets: ['short'] }],
    [/at least 32 characters/, { secrets: [undefined as unknown as string] }],
    [/at least one secret/, { secrets: [] }],
    [/legacy\.mode must be/, { mode: 'bogus' as 'sessions' }],
    [/legacy\.questionTimeoutMs must be/, { questionTimeoutMs: 2 ** 31 }],
    [/legacy\.questionTimeoutMs must be/, { questionTimeoutMs: Infinity }],
    [/legacy\.maxRounds must be/, { maxRounds: 1.5 }],
    [/legacy\.retryMs must be/, { retryMs: -1 }],
  ];
  for (const [expected, options] of refused) {
    await assert.rejects(serveHttp(legacyServer(), { port: 0, legacy: options }), expected);
    assert.throws(() => toFetchHandler(legacyServer(), { legacy: options }), expected);
  }
  await assert.rejects(
    serveHttp(legacyServer(), { port: 0, legacy: false, sse: true }),
    /drop one of the two/,
  );
  await assert.rejects(serveHttp(legacyServer(), { port: 0, drainMs: Number.NaN }), /drainMs must be/);
  await assert.rejects(
    serveHttp(legacyServer(), { port: 0, sse: { maxStreams: -1 } }),
    /sse\.maxStreams must be/,
  );
});

test('an option that is undefined has its default', async (t) => {
  const unset = { questionTimeoutMs: undefined, maxRounds: undefined, retryMs: undefined } as unknown;
  const peer = await serve(t, legacyServer(), { legacy: unset as LegacyHttpOptions });
  const session = await HttpSession.start(peer, '2025-11-25', ASKABLE);
  const events = await session.get();
  assert.equal((await events.next()).retry, '1000');
  events.close();
});
