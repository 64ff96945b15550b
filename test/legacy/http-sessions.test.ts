import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legacyServer } from '../fixtures/legacy-server.ts';
import { startHttpFixture } from '../support/fixture-process.ts';
import { HttpPeer, serve } from '../support/http-peer.ts';
import { ASKABLE, form, initialize, legacy, legacyCall } from '../support/legacy-messages.ts';
import { HttpSession, postLegacy } from '../support/legacy-wire.ts';
import { assertError, at, call, textOf } from '../support/messages.ts';

const SECRET = 'a secret for tests that is long enough';
const OTHER = 'another secret for tests, long enough';

const ping = legacy('p', 'ping');

test('a session id is visible ASCII, of its own for each handshake, and short enough for a header [2025-11-25 basic/transports "Session Management"]', async (t) => {
  const peer = await serve(t, legacyServer());
  const ids = new Set<string>();
  for (let round = 0; round < 5; round++) ids.add((await HttpSession.start(peer, '2025-11-25')).id);
  assert.equal(ids.size, 5);
  for (const id of ids) {
    assert.match(id, /^[\x21-\x7e]+$/);
    assert.ok(id.length < 1000, `${id.length} characters`);
  }
});

test('a request without a session id is 400, with one that is unknown 404, for every method [2025-11-25 basic/transports "Session Management"]', async (t) => {
  const peer = await serve(t, legacyServer());
  const send = (method: string, id: string | undefined) =>
    method === 'POST'
      ? postLegacy(peer, ping, { 'Mcp-Session-Id': id })
      : peer.send(method, {
          Accept: 'text/event-stream',
          'Mcp-Session-Id': id,
          'MCP-Protocol-Version': '2025-06-18',
        });
  for (const method of ['POST', 'GET', 'DELETE']) {
    const missing = await send(method, undefined);
    assert.equal(missing.status, 400, method);
    assertError(missing.json, method === 'POST' ? 'p' : undefined, -32600, /a legacy one has Mcp-Session-Id/);
    for (const id of ['unknown', '1', 'x'.repeat(9000)]) {
      const unknown = await send(method, id);
      assert.equal(unknown.status, 404, method);
      assertError(unknown.json, method === 'POST' ? 'p' : undefined, -32600, /unknown or has ended/);
    }
  }
});

test('a change in any character of a session id is 404: ids are sealed [issue 3: sealed value]', async (t) => {
  const peer = await serve(t, legacyServer());
  const { id, version } = await HttpSession.start(peer, '2025-11-25', ASKABLE);
  for (let place = 0; place < id.length; place++) {
    const other = id[place] === 'A' ? 'B' : 'A';
    const changed = id.slice(0, place) + other + id.slice(place + 1);
    const answer = await new HttpSession(peer, changed, version).post(ping);
    assert.equal(answer.status, 404, `place ${place}`);
  }
  for (const cut of [id.slice(0, -1), id.slice(1), `${id}A`, id.toUpperCase()]) {
    assert.equal((await new HttpSession(peer, cut, version).post(ping)).status, 404);
  }
  assert.equal((await new HttpSession(peer, id, version).post(ping)).status, 200);
});

test('a session of another secret, or of another process without secrets, is 404 [issue 3]', async (t) => {
  const mine = await serve(t, legacyServer(), { legacy: { secrets: [SECRET] } });
  const { id } = await HttpSession.start(mine, '2025-11-25');
  for (const legacyOptions of [{ secrets: [OTHER] }, {}]) {
    const peer = await serve(t, legacyServer(), { legacy: legacyOptions });
    assert.equal((await new HttpSession(peer, id, '2025-11-25').post(ping)).status, 404);
  }
});

test('a session of an old secret goes on while that secret is still named [issue 3: key rotation]', async (t) => {
  const before = await serve(t, legacyServer(), { legacy: { secrets: [OTHER] } });
  const { id } = await HttpSession.start(before, '2025-11-25');
  const after = await serve(t, legacyServer(), { legacy: { secrets: [SECRET, OTHER] } });
  assert.equal((await new HttpSession(after, id, '2025-11-25').post(ping)).status, 200);
});

test('a session that has expired is 404, held or not, whether it is used or not [issue 3]', async (t) => {
  const peer = await serve(t, legacyServer(), { legacy: { secrets: [SECRET], maxAgeMs: 400 } });
  const session = await HttpSession.start(peer, '2025-11-25');
  let answer = await session.post(ping);
  assert.equal(answer.status, 200);
  while (answer.status === 200) answer = await session.post(ping);
  assert.equal(answer.status, 404);
  const other = await serve(t, legacyServer(), { legacy: { secrets: [SECRET] } });
  assert.equal((await new HttpSession(other, session.id, session.version).post(ping)).status, 404);
});

test('DELETE ends a session: 204, then 404 for everything, and its running calls end [2025-11-25 basic/transports "Session Management"]', async (t) => {
  const peer = await serve(t, legacyServer());
  const session = await HttpSession.start(peer, '2025-11-25', ASKABLE);
  const feed = await session.get();
  const stream = await session.open(legacyCall(1, 'ask', { inputRequests: { f: form() } }));
  await stream.message();
  const ended = await session.delete();
  assert.equal(ended.status, 204);
  assert.equal(ended.text, '');
  assert.equal(await stream.ended, true);
  assert.equal(await feed.ended, true);
  assert.equal((await session.post(ping)).status, 404);
  assert.equal((await session.delete()).status, 404);
  const get = await peer.send('GET', { Accept: 'text/event-stream', ...session.headers() });
  assert.equal(get.status, 404);
});

test('an unsupported MCP-Protocol-Version is 400 for POST, GET and DELETE; any known one will do [2025-11-25 basic/transports "Protocol Version Header"]', async (t) => {
  const peer = await serve(t, legacyServer());
  const session = await HttpSession.start(peer, '2025-11-25');
  for (const version of ['1999-01-01', 'latest', '2025-11-25x', '']) {
    const header = { 'MCP-Protocol-Version': version };
    const post = await session.post(ping, header);
    assert.equal(post.status, 400, version);
    assertError(post.json, 'p', -32600, /known are 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05/);
    for (const method of ['GET', 'DELETE']) {
      const answer = await peer.send(method, { Accept: 'text/event-stream', ...session.headers(header) });
      assert.equal(answer.status, 400, `${method} ${version}`);
    }
  }
  for (const version of ['2025-11-25', '2025-06-18', '2024-11-05', undefined]) {
    assert.equal((await session.post(ping, { 'MCP-Protocol-Version': version })).status, 200);
  }
});

test('GET and DELETE of the modern era are 405, whatever session they name [2026-07-28 basic/transports]', async (t) => {
  const peer = await serve(t, legacyServer());
  const session = await HttpSession.start(peer, '2025-11-25');
  for (const method of ['GET', 'DELETE']) {
    const headers = {
      Accept: 'text/event-stream',
      ...session.headers({ 'MCP-Protocol-Version': '2026-07-28' }),
    };
    assert.equal((await peer.send(method, headers)).status, 405);
  }
  assert.equal((await session.post(ping)).status, 200);
});

test('the era of a request is what it carries: modern headers beside a session id are modern, Mcp-Method alone is not [issue 3, interop: mcp-remote]', async (t) => {
  const peer = await serve(t, legacyServer());
  const session = await HttpSession.start(peer, '2025-11-25');
  const modern = await peer.post(call(1, 'echo', { text: 'x' }), { 'Mcp-Session-Id': session.id });
  assert.equal(at(modern.json, 'result', 'resultType'), 'complete');
  const old = await session.post(legacyCall(2, 'echo', { text: 'x' }), {
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'echo',
  });
  assert.deepEqual(at(old.json, 'result'), { content: [{ type: 'text', text: 'x' }] });
});

test('a session continues after its process was killed with SIGKILL and started again with the same secrets [issue 3]', async (t) => {
  const options = { legacy: { secrets: [SECRET] } };
  const first = await startHttpFixture(t, options);
  const session = await HttpSession.start(new HttpPeer(first.port), '2025-06-18', { roots: {} });
  assert.equal(textOf(await session.ask(legacyCall(1, 'echo', { text: 'before' }))), 'before');
  await first.kill();
  await startHttpFixture(t, { ...options, port: first.port });
  assert.equal(textOf(await session.ask(legacyCall(2, 'echo', { text: 'after' }))), 'after');
  const asks = legacyCall(3, 'ask', { inputRequests: { r: { method: 'roots/list' }, f: form() } });
  assert.match(textOf(await session.ask(asks)), /does not support elicitation/);
  const roots = legacyCall(4, 'ask', { inputRequests: { r: { method: 'roots/list' } } });
  const answer = await session.ask(roots, () => ({ result: { roots: [] } }));
  assert.equal(textOf(answer), 'answered {"r":{"roots":[]}}', 'the capabilities of the handshake still hold');
});

test('two processes with the same secrets serve one session in turn [issue 3: any instance can serve them]', async (t) => {
  const options = { legacy: { secrets: [SECRET] } };
  const ports = [(await startHttpFixture(t, options)).port, (await startHttpFixture(t, options)).port];
  const [first = 0, second = 0] = ports;
  const { id, version } = await HttpSession.start(new HttpPeer(first), '2025-11-25', ASKABLE);
  for (let round = 0; round < 6; round++) {
    const session = new HttpSession(new HttpPeer(round % 2 === 0 ? second : first), id, version);
    assert.equal(textOf(await session.ask(legacyCall(round, 'echo', { text: `${round}` }))), `${round}`);
    const asked = await session.ask(legacyCall('a', 'ask', { inputRequests: { f: form() } }), () => ({
      result: { action: 'decline' },
    }));
    assert.equal(textOf(asked), 'answered {"f":{"action":"decline"}}');
  }
});

test('messages that arrive together for a session that only its id knows make one session of it', async (t) => {
  const secrets = [SECRET];
  const { id } = await HttpSession.start(
    await serve(t, legacyServer(), { legacy: { secrets } }),
    '2025-11-25',
  );
  const session = new HttpSession(
    await serve(t, legacyServer(), { legacy: { secrets, maxSessions: 1 } }),
    id,
    '2025-11-25',
  );
  const answers = await Promise.all([
    session.ask(legacy(1, 'logging/setLevel', { level: 'debug' })),
    session.ask(legacy(2, 'ping')),
    session.ask(legacy(3, 'ping')),
  ]);
  assert.deepEqual(
    answers.map((answer) => at(answer, 'result')),
    [{}, {}, {}],
  );
  assert.equal((await session.exchange(legacyCall(4, 'log_all'))).length, 9);
});

test('capabilities too large for a session id lose what this protocol does not know; beyond that they are refused', async (t) => {
  const peer = await serve(t, legacyServer());
  const big = { blob: { text: 'x'.repeat(10_000) } };
  const session = await HttpSession.start(peer, '2025-11-25', { ...ASKABLE, experimental: big });
  assert.ok(session.id.length < 1000);
  const answer = await session.ask(legacyCall(1, 'ask', { inputRequests: { f: form() } }), () => ({
    result: { action: 'cancel' },
  }));
  assert.equal(textOf(answer), 'answered {"f":{"action":"cancel"}}');
  const refused = await postLegacy(peer, initialize('2025-11-25', { sampling: big }));
  assert.equal(refused.status, 400);
  assertError(refused.json, 'init', -32602, /too large/);
});
