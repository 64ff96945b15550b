import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from 'mcpwire/server';
import { legacyServer } from '../fixtures/legacy-server.ts';
import { serve } from '../support/http-peer.ts';
import {
  cancelled,
  INITIALIZED,
  initialize,
  legacy,
  legacyCall,
  LEGACY_VERSIONS,
} from '../support/legacy-messages.ts';
import { HttpSession, postLegacy } from '../support/legacy-wire.ts';
import { LEGACY_WIRES } from '../support/legacy-wires.ts';
import { assertError, at, call, listAt, request, textOf } from '../support/messages.ts';
import { openConnection, rawPost } from '../support/raw-http.ts';
import { startStdio } from '../support/stdio-peer.ts';

const FIXTURE = 'run-legacy-stdio.js';
const INFO = { name: 'rules', version: '1.2.3' };

for (const [wire, start] of Object.entries(LEGACY_WIRES)) {
  for (const version of LEGACY_VERSIONS) {
    test(`initialize with ${version} is answered with the same version, the server's name and its capabilities, over ${wire} [${version} basic/lifecycle "Initialization"]`, async (t) => {
      const peer = await start(t, version);
      const { capabilities, ...rest } = peer.welcome as { capabilities: object };
      assert.deepEqual(rest, { protocolVersion: version, serverInfo: INFO, instructions: 'Use with care.' });
      const { completions: _newer, ...since2024 } = {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      };
      const expected = version === '2024-11-05' ? since2024 : { ...since2024, completions: {} };
      assert.deepEqual(capabilities, expected);
      assert.equal(textOf(await peer.ask(legacyCall(1, 'echo', { text: 'hello' }))), 'hello');
    });
  }

  test(`an unknown older or newer version, or the modern one, is answered with the newest legacy version, over ${wire} [2025-11-25 basic/lifecycle "Version Negotiation"]`, async (t) => {
    for (const version of ['1999-01-01', '2025-08-01', '2099-01-01', '2026-07-28', '', 'latest']) {
      const peer = await start(t, version);
      assert.equal(at(peer.welcome, 'protocolVersion'), '2025-11-25', version);
      assert.equal(textOf(await peer.ask(legacyCall(1, 'echo', { text: 'hello' }))), 'hello');
    }
  });

  test(`ping is answered after the handshake, also while calls run, over ${wire} [2025-11-25 basic/utilities/ping]`, async (t) => {
    const peer = await start(t, '2025-11-25');
    assert.deepEqual(await peer.ask(legacy(1, 'ping')), { jsonrpc: '2.0', id: 1, result: {} });
    assert.deepEqual(await peer.ask(legacy('p', 'ping', { _meta: {} })), {
      jsonrpc: '2.0',
      id: 'p',
      result: {},
    });
  });

  test(`a method that the revision doesn't know is -32601, over ${wire}: the modern ones, and completion on no revision is lost`, async (t) => {
    const peer = await start(t, '2025-11-25');
    assertError(await peer.ask(legacy(1, 'server/discover')), 1, -32601);
    assertError(await peer.ask(legacy(2, 'subscriptions/listen', { notifications: {} })), 2, -32601);
    assertError(await peer.ask(legacy(3, 'no/such')), 3, -32601);
  });

  test(`a custom method of the server is served to legacy clients too, over ${wire}`, async (t) => {
    const peer = await start(t, '2025-06-18');
    const answer = await peer.ask(legacy(1, 'example.com/sum', { numbers: [1, 2, 3] }));
    assert.deepEqual(at(answer, 'result'), { sum: 6 });
  });

  test(`modern requests are served beside the session, each id in its own era, over ${wire} [issue 3: both eras interleaved]`, async (t) => {
    const peer = await start(t, '2025-06-18');
    if (!(peer instanceof HttpSession)) {
      const modern = await peer.ask(call(1, 'echo', { text: 'modern' }));
      assert.equal(at(modern, 'result', 'resultType'), 'complete');
      const old = await peer.ask(legacyCall(1, 'echo', { text: 'old' }));
      assert.deepEqual(at(old, 'result'), { content: [{ type: 'text', text: 'old' }] });
      assert.equal(
        at(await peer.ask(request('d', 'server/discover')), 'result', 'supportedVersions', 0),
        '2026-07-28',
      );
      return;
    }
    const [modern, old] = await Promise.all([
      peer.peer.post(call(1, 'echo', { text: 'modern' })),
      peer.post(legacyCall(1, 'echo', { text: 'old' })),
    ]);
    assert.equal(at(modern.json, 'result', 'resultType'), 'complete');
    assert.deepEqual(at(old.json, 'result'), { content: [{ type: 'text', text: 'old' }] });
  });
}

test('both eras alternate on one socket [issue 3: both eras interleaved from one socket]', async (t) => {
  const peer = await serve(t, legacyServer());
  const session = await HttpSession.start(peer, '2025-11-25');
  const connection = await openConnection(peer.port);
  t.after(() => connection.close());
  const host = [`Host: 127.0.0.1:${peer.port}`, 'Content-Type: application/json'];
  const modernHead = [
    ...host,
    'MCP-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/call',
    'Mcp-Name: echo',
  ];
  const legacyHead = [...host, `Mcp-Session-Id: ${session.id}`, 'MCP-Protocol-Version: 2025-11-25'];
  for (let round = 0; round < 5; round++) {
    const text = `round ${round}`;
    connection.write(rawPost(modernHead, JSON.stringify(call(round, 'echo', { text }))));
    const modern: unknown = JSON.parse((await connection.next()).body);
    assert.equal(at(modern, 'result', 'resultType'), 'complete');
    assert.equal(textOf(modern), text);
    connection.write(rawPost(legacyHead, JSON.stringify(legacyCall(round, 'echo', { text }))));
    const old: unknown = JSON.parse((await connection.next()).body);
    assert.deepEqual(old, {
      jsonrpc: '2.0',
      id: round,
      result: { content: [{ type: 'text', text }] },
    });
  }
});

test('ping is answered before the handshake on stdio, as all but a few servers in the field do [2025-11-25 basic/lifecycle "Initialization"]', async (t) => {
  const peer = startStdio(t, {}, FIXTURE);
  assert.deepEqual(await peer.ask(legacy(1, 'ping')), { jsonrpc: '2.0', id: 1, result: {} });
});

test('a request before any handshake is no request of any era on stdio: -32602 names what a modern one needs', async (t) => {
  const peer = startStdio(t, {}, FIXTURE);
  assertError(await peer.ask(legacy(1, 'tools/list')), 1, -32602, /_meta/);
});

test('a modern server/discover probe followed by initialize in the same process works [issue 3: stdio]', async (t) => {
  const peer = startStdio(t, {}, FIXTURE);
  const probe = await peer.ask(request('probe', 'server/discover'));
  assert.deepEqual(at(probe, 'result', 'supportedVersions'), ['2026-07-28']);
  const welcome = await peer.ask(initialize('2025-11-25'));
  assert.equal(at(welcome, 'result', 'protocolVersion'), '2025-11-25');
  peer.send(INITIALIZED);
  assert.equal(textOf(await peer.ask(legacyCall(1, 'echo', { text: 'old' }))), 'old');
});

test('everything that a script sends at once is answered in order: initialize, initialized, calls, end of input [stdio]', async (t) => {
  const peer = startStdio(t, {}, FIXTURE);
  const messages = [
    initialize('2025-06-18'),
    INITIALIZED,
    legacy(1, 'tools/list'),
    legacyCall(2, 'echo', { text: 'two' }),
    cancelled(99),
    legacy(3, 'ping'),
  ];
  peer.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  peer.closeInput();
  const first = await peer.next();
  assert.equal(at(first, 'id'), 'init');
  const rest = [await peer.next(), await peer.next(), await peer.next()];
  assert.deepEqual(new Set(rest.map((answer) => at(answer, 'id'))), new Set([1, 2, 3]));
  for (const answer of rest) assert.equal(at(answer, 'error'), undefined, JSON.stringify(answer));
  assert.equal(await peer.exited, 0);
});

test('after an initialize that failed, what was sent behind it is refused and not lost [stdio]', async (t) => {
  const peer = startStdio(t, {}, FIXTURE);
  const messages = [initialize(7), legacy(1, 'tools/list'), initialize('2025-06-18', {}, 'again')];
  peer.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  assertError(await peer.next(), 'init', -32602, /protocolVersion must be a string/);
  assertError(await peer.next(), 1, -32600, /start with initialize/);
  assert.equal(at(await peer.next(), 'result', 'protocolVersion'), '2025-06-18');
});

test('a second initialize on stdio starts afresh: its version counts, and what ran before is cancelled', async (t) => {
  const peer = startStdio(t, {}, FIXTURE);
  await peer.ask(initialize('2025-11-25', { roots: {} }));
  peer.send(legacyCall(1, 'wait', { key: 'a' }));
  await peer.stderr(/wait a began/);
  const welcome = await peer.ask(initialize('2024-11-05', {}, 'second'));
  assert.equal(at(welcome, 'result', 'protocolVersion'), '2024-11-05');
  await peer.stderr(/wait a aborted/);
  const tools = await peer.ask(legacy(2, 'tools/list'));
  assert.equal(at(tools, 'result', 'tools', 0, 'outputSchema'), undefined);
  const answer = await peer.ask(legacyCall(3, 'ask', { inputRequests: { r: { method: 'roots/list' } } }));
  assert.match(textOf(answer), /does not support roots/);
});

test('initialize needs a version, and objects for capabilities and clientInfo: -32602 names the field', async (t) => {
  const peer = await serve(t, legacyServer());
  const cases: readonly (readonly [object, RegExp])[] = [
    [{}, /protocolVersion must be a string/],
    [{ protocolVersion: '2025-06-18', capabilities: [] }, /capabilities must be an object/],
    [{ protocolVersion: '2025-06-18', clientInfo: 'me' }, /clientInfo must be an object/],
  ];
  for (const [params, message] of cases) {
    const answer = await postLegacy(peer, legacy(1, 'initialize', { ...params }));
    assert.equal(answer.status, 400);
    assertError(answer.json, 1, -32602, message);
    assert.equal(answer.headers['mcp-session-id'], undefined);
  }
});

test('an initialize with a _meta of its own is a handshake: a progress token or trace context changes no era', async (t) => {
  const peer = await serve(t, legacyServer());
  const message = initialize('2025-11-25');
  const params = { ...(message['params'] as object), _meta: { progressToken: 1 } };
  const answer = await postLegacy(peer, { ...message, params });
  assert.equal(at(answer.json, 'result', 'protocolVersion'), '2025-11-25');
  const strict = await serve(t, legacyServer(), { legacy: false });
  assertError((await postLegacy(strict, { ...message, params })).json, 'init', -32022);
});

test('modern only: initialize is answered -32022 with the versions that are served, on both transports [issue 3]', async (t) => {
  const stdio = startStdio(t, { stdio: { legacy: false } }, FIXTURE);
  const http = await serve(t, legacyServer(), { legacy: false });
  const overHttp = await postLegacy(http, initialize('2025-11-25'));
  assert.equal(overHttp.status, 400);
  assert.equal(overHttp.headers['mcp-session-id'], undefined);
  for (const answer of [await stdio.ask(initialize('2025-11-25')), overHttp.json]) {
    assertError(answer, 'init', -32022);
    assert.deepEqual(at(answer, 'error', 'data'), { supported: ['2026-07-28'], requested: '2025-11-25' });
  }
  const get = await http.send('GET', { Accept: 'text/event-stream' });
  assert.equal(get.status, 405);
  assert.equal(textOf(await stdio.ask(call(1, 'echo', { text: 'modern' }))), 'modern');
});

test('stateless: requests stand alone, and nothing is promised that needs a session [issue 3: stateless legacy serving]', async (t) => {
  const peer = await serve(t, legacyServer(), { legacy: { mode: 'stateless' } });
  const welcome = await postLegacy(peer, initialize('2025-06-18', { sampling: {} }));
  assert.equal(welcome.headers['mcp-session-id'], undefined);
  assert.deepEqual(at(welcome.json, 'result', 'capabilities'), {
    tools: {},
    resources: {},
    prompts: {},
    completions: {},
  });
  const named = { 'MCP-Protocol-Version': '2025-06-18' };
  assert.equal((await postLegacy(peer, INITIALIZED, named)).status, 202);
  assert.equal(textOf((await postLegacy(peer, legacyCall(1, 'echo', { text: 'x' }), named)).json), 'x');
  assert.deepEqual(at((await postLegacy(peer, legacy(1, 'ping'), named)).json, 'result'), {});
  const asks = legacyCall(2, 'ask', { inputRequests: { r: { method: 'roots/list' } } });
  assert.match(textOf((await postLegacy(peer, asks, named)).json), /does not support roots/);
  for (const method of ['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']) {
    const params = { level: 'info', uri: 'test://text' };
    assertError((await postLegacy(peer, legacy(3, method, params), named)).json, 3, -32601);
  }
  for (const method of ['GET', 'DELETE']) {
    const answer = await peer.send(method, { Accept: 'text/event-stream', ...named });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers['allow'], 'POST');
  }
});

test('stateless without the version header is 2025-03-26, batches and all [2025-06-18 basic/transports "Protocol Version Header"]', async (t) => {
  const peer = await serve(t, legacyServer(), { legacy: { mode: 'stateless' } });
  const answer = await postLegacy(peer, [legacyCall(1, 'new_content'), legacy(2, 'ping')]);
  const called = listAt(answer.json).find((one) => at(one, 'id') === 1);
  assert.equal(at(called, 'result', 'content', 1, 'type'), 'text');
});

test('a server with neither name in _meta nor instructions is presented with a placeholder', async (t) => {
  const peer = await serve(t, createServer({ name: 's', version: '1' }, { serverInfo: false }));
  const session = await HttpSession.start(peer, '2025-11-25');
  assert.deepEqual(session.welcome, {
    protocolVersion: '2025-11-25',
    capabilities: {},
    serverInfo: { name: 'unnamed', version: 'unknown' },
  });
});
