import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeoutError } from '../../packages/mcpwire/src/async/with-timeout.ts';
import { connectLegacy } from '../../packages/mcpwire/src/legacy/back/connect-legacy.ts';
import { PeerError } from '../../packages/mcpwire/src/protocol/protocol-error.ts';
import { LEGACY_VERSIONS } from '../../packages/mcpwire/src/protocol/revisions/index.ts';
import {
  ConnectionClosedError,
  EraNegotiationError,
} from '../../packages/mcpwire/src/transport/client/errors.ts';
import { ABLE, ask, CLIENT, connectTo, EVERYTHING, ScriptedServer } from '../support/legacy-back.ts';
import { at, SERVER_INFO } from '../support/messages.ts';

const refusal = (result: Promise<unknown>): Promise<unknown> =>
  result.then(
    () => assert.fail('it was not refused'),
    (error: unknown) => error,
  );

test('the handshake offers 2025-11-25 and declares exactly what the caller can do [2025-11-25 basic/lifecycle]', async (t) => {
  const rows = [
    [ABLE, { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} }],
    [{}, {}],
    [{ elicitation: { form: {} }, extensions: { 'a.b/c': {} } }, { elicitation: { form: {} } }],
    [{ roots: { listChanged: true } }, { roots: {} }],
    [{ experimental: { x: {} } }, { experimental: { x: {} } }],
  ] as const;
  for (const [clientCapabilities, capabilities] of rows) {
    const peer = new ScriptedServer();
    const connecting = connectTo(t, peer.maker, { clientCapabilities });
    const { params } = await peer.shakeHands();
    await connecting;
    assert.deepEqual(params, { protocolVersion: '2025-11-25', capabilities, clientInfo: CLIENT });
  }
});

test('an older version can be offered, with the capabilities that it has', async (t) => {
  const rows = [
    ['2025-06-18', { elicitation: {}, sampling: {}, roots: {} }],
    ['2024-11-05', { sampling: {}, roots: {} }],
  ] as const;
  for (const [version, capabilities] of rows) {
    const peer = new ScriptedServer();
    const connecting = connectTo(t, peer.maker, { version });
    const initialize = await peer.shakeHands({ protocolVersion: version });
    await connecting;
    assert.equal(at(initialize, 'params', 'protocolVersion'), version);
    assert.deepEqual(at(initialize, 'params', 'capabilities'), capabilities);
  }
  const only = new ScriptedServer();
  const connecting = connectTo(t, only.maker, {
    version: '2025-06-18',
    clientCapabilities: { elicitation: { url: {} } },
  });
  const urls = await only.shakeHands();
  await connecting;
  assert.deepEqual(at(urls, 'params', 'capabilities'), {}, 'URLs are no forms');
});

test('every legacy version is accepted, and no other one [2025-11-25 basic/lifecycle]', async (t) => {
  for (const version of LEGACY_VERSIONS) {
    const { server } = await new ScriptedServer().connect(t, {}, { protocolVersion: version });
    assert.equal(server.facts.version, version);
  }
  for (const version of ['1999-01-01', '2026-07-28', 7, undefined]) {
    const peer = new ScriptedServer();
    const connecting = refusal(connectTo(t, peer.maker));
    peer.answer(await peer.request('initialize'), { protocolVersion: version, capabilities: {} });
    const error = await connecting;
    assert.ok(error instanceof EraNegotiationError);
    assert.deepEqual(error.offered, ['2025-11-25']);
    assert.deepEqual(error.theirs, typeof version === 'string' ? [version] : []);
  }
});

test('a server without capabilities or a name is taken as it is', async (t) => {
  const { server } = await new ScriptedServer().connect(
    t,
    {},
    { capabilities: undefined, serverInfo: undefined },
  );
  assert.deepEqual(server.facts, { era: 'legacy', version: '2025-11-25', capabilities: {} });
  assert.deepEqual(await ask(server, 'server/discover'), {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: {},
    ttlMs: 0,
    cacheScope: 'private',
  });
});

test('capabilities that are written as true or null are read as what they mean', async (t) => {
  const capabilities = { tools: true, prompts: null, logging: false, resources: { subscribe: null } };
  const { server } = await new ScriptedServer().connect(t, {}, { capabilities });
  assert.deepEqual(server.facts.capabilities, { tools: {}, resources: { subscribe: null } });
});

test('server/discover is answered from the handshake, in modern words [DISC-02] [CACHE-01]', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(
    t,
    {},
    { capabilities: { ...EVERYTHING, tasks: { list: {} } }, instructions: 'With care.' },
  );
  const serverInfo = { name: 'scripted', version: '9' };
  assert.deepEqual(await ask(server, 'server/discover'), {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: EVERYTHING,
    instructions: 'With care.',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [SERVER_INFO]: serverInfo },
  });
  assert.deepEqual(server.facts.serverInfo, serverInfo);
  assert.equal(server.facts.instructions, 'With care.');
  assert.equal(server.transport, 'in-process');
  assert.deepEqual(peer.rest(), [], 'nothing was sent for it');
});

test('a refusal of initialize goes out as it came, and the link stays open', async (t) => {
  for (const code of [-32022, -32601, 0]) {
    const peer = new ScriptedServer();
    const connecting = refusal(connectTo(t, peer.maker));
    peer.refuse(await peer.request('initialize'), code, 'not me', { supported: ['2026-07-28'] });
    const error = await connecting;
    assert.ok(error instanceof PeerError);
    assert.equal(error.code, code);
    assert.deepEqual(error.data, { supported: ['2026-07-28'] });
    const again = peer.link.request({
      method: 'x',
      params: {},
      cancellation: { aborted: false, reason: undefined, onAbort() {}, ignore() {} },
      hear() {},
    });
    peer.answer(await peer.request('x'), { still: 'open' });
    assert.deepEqual(await again, { still: 'open' });
  }
});

test('a handshake has an end: a mute server, a broken link, a caller that leaves', async (t) => {
  const mute = new ScriptedServer();
  assert.ok(
    (await refusal(connectTo(t, mute.maker, { bounds: { handshakeMs: 20 } }))) instanceof TimeoutError,
  );
  assert.equal(mute.link.open, 0);

  const broken = new ScriptedServer();
  const connecting = refusal(connectTo(t, broken.maker));
  await broken.request('initialize');
  const gone = new ConnectionClosedError('it is gone');
  broken.link.break(gone);
  assert.equal(await connecting, gone);

  const left = new ScriptedServer();
  const leaving = new AbortController();
  const waiting = refusal(connectTo(t, left.maker, { signal: leaving.signal }));
  await left.request('initialize');
  leaving.abort(new Error('never mind'));
  assert.match(String(await waiting), /never mind/);
});

test('a ping before the answer to initialize is answered, messages that come while the link is made are not lost', async (t) => {
  const peer = new ScriptedServer();
  const connecting = connectTo(t, async (events) => {
    const link = await peer.maker(events);
    peer.say('ping', {}, 'early');
    return link;
  });
  const first = [await peer.next(), await peer.next()];
  assert.deepEqual(
    first.find(({ id }) => id === 'early'),
    { jsonrpc: '2.0', id: 'early', result: {} },
  );
  const initialize = first.find(({ method }) => method === 'initialize');
  assert.ok(initialize !== undefined);
  peer.answer(initialize, { protocolVersion: '2025-06-18' });
  await connecting;
});

test('questions before the answer to initialize are answered too', async (t) => {
  const peer = new ScriptedServer();
  const connecting = connectTo(t, peer.maker, { answer: () => Promise.resolve({ roots: [] }) });
  const initialize = await peer.request('initialize');
  peer.say('roots/list', {}, 0);
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 0, result: { roots: [] } });
  peer.say('notifications/tools/list_changed');
  peer.say('notifications/message', { level: 'info', data: 'starting' });
  peer.answer(initialize, { protocolVersion: '2025-11-25' });
  await connecting;
});

test('bounds and versions that cannot be meant are refused at once', async () => {
  const peer = new ScriptedServer();
  const options = { clientCapabilities: {}, clientInfo: CLIENT };
  await assert.rejects(
    connectLegacy(peer.maker, { ...options, bounds: { parkedMs: -1 } }),
    /bounds\.parkedMs/,
  );
  await assert.rejects(
    connectLegacy(peer.maker, { ...options, version: '2026-07-28' }),
    /version must be one of/,
  );
  assert.throws(() => peer.link);
});
