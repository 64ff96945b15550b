import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PeerError } from '../../packages/mcpwire/src/protocol/protocol-error.ts';
import {
  ConnectionClosedError,
  SessionLostError,
} from '../../packages/mcpwire/src/transport/client/errors.ts';
import { defer } from '../support/defer.ts';
import { ask, callTool, questionsOf, ScriptedServer } from '../support/legacy-back.ts';
import type { Json } from '../support/messages.ts';
import { at, LOG_LEVEL, SERVER_INFO } from '../support/messages.ts';

const DONE = { content: [{ type: 'text', text: 'done' }] };
const FORM = { message: '?', requestedSchema: { type: 'object', properties: {} } };

test('requests reach the server without the envelope, with trace context and the keys of vendors [BASE-50]', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const meta = {
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    [LOG_LEVEL]: undefined,
    traceparent: '00-1-2-01',
    'example.com/own': 1,
  };
  const calling = callTool(server, 'tool', { a: 1 }, { meta });
  const call = await peer.request('tools/call');
  assert.deepEqual(call['params'], {
    name: 'tool',
    arguments: { a: 1 },
    _meta: { traceparent: '00-1-2-01', 'example.com/own': 1 },
  });
  peer.answer(call, DONE);
  await calling;
  const listing = ask(server, 'tools/list', { cursor: 'c', inputResponses: {} });
  const list = await peer.request('tools/list');
  assert.deepEqual(list['params'], { cursor: 'c' });
  peer.answer(list, { tools: [] });
  await listing;
});

test('results say what the newest revision wants of them, and keep what nobody knows [CACHE-02] [CACHE-06]', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const name = { [SERVER_INFO]: { name: 'scripted', version: '9' } };
  const cached = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  const listing = ask(server, 'tools/list');
  const odd = { name: 't', execution: { taskSupport: 'optional', other: 1 }, 'x-own': [1] };
  peer.answer(await peer.request('tools/list'), {
    tools: [odd, null, 'nonsense', { name: 'u', execution: { taskSupport: 'required' } }],
    nextCursor: 'n',
    ttlMs: 9999,
    _meta: { 'example.com/kept': 1, 'io.modelcontextprotocol/serverInfo': 'forged' },
  });
  assert.deepEqual(await listing, {
    ...cached,
    tools: [{ name: 't', execution: { other: 1 }, 'x-own': [1] }, null, 'nonsense', { name: 'u' }],
    nextCursor: 'n',
    _meta: { 'example.com/kept': 1, ...name },
  });
  const reading = ask(server, 'resources/read', { uri: 'a:b' });
  peer.answer(await peer.request('resources/read'), { contents: [] });
  assert.deepEqual(await reading, { ...cached, contents: [], _meta: name });
  const completing = ask(server, 'completion/complete', { ref: {}, argument: {} });
  peer.answer(await peer.request('completion/complete'), { completion: { values: [] } });
  assert.deepEqual(await completing, { resultType: 'complete', completion: { values: [] }, _meta: name });
});

test('error codes mean what they mean today [BASE-18] [BASE-20]', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const rows = [
    [-32002, { uri: 'a:b' }, -32602, { uri: 'a:b' }],
    [-32602, undefined, -32602, undefined],
    [-32000, 'x', -32000, 'x'],
    [7, { y: 1 }, 7, { y: 1 }],
    [-32021, { requiredCapabilities: {} }, -32603, { code: -32021, data: { requiredCapabilities: {} } }],
    [-32099, undefined, -32603, { code: -32099 }],
    [-32042, { elicitations: [] }, -32603, { code: -32042, data: { elicitations: [] } }],
    [-32022, { supported: ['2025-11-25'] }, -32603, { code: -32022, data: { supported: ['2025-11-25'] } }],
    // It has become a modern server: whoever decided on its era must see exactly this.
    [-32022, { supported: ['2026-07-28'] }, -32022, { supported: ['2026-07-28'] }],
  ] as const;
  for (const [code, data, expected, kept] of rows) {
    for (const method of ['resources/read', 'resources/list']) {
      const asking = ask(server, method, { uri: 'a:b' });
      peer.refuse(await peer.request(method), code, 'no', data);
      await assert.rejects(asking, (error) => {
        assert.ok(error instanceof PeerError);
        assert.equal(error.code, expected);
        assert.deepEqual(error.data, kept);
        assert.equal(error.message, 'no');
        return true;
      });
    }
  }
});

test('methods that the newest revision has no longer are answered here, unknown ones by the server', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  for (const method of [
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'tasks/get',
    'roots/list',
  ]) {
    await assert.rejects(ask(server, method), { name: 'ProtocolError', code: -32601 });
  }
  assert.deepEqual(peer.rest(), []);
  const own = ask(server, 'example.com/own', { x: 1 });
  peer.answer(await peer.request('example.com/own'), { y: 2 });
  assert.equal((await own)['y'], 2);
});

test('progress tokens are minted for each request and progress only rises, also over the legs of a call [PROG-02] [PROG-03]', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const heard: Json[] = [];
  const options = {
    meta: { progressToken: 1 },
    notify: (told: Json) => void heard.push(told['params'] as Json),
  };
  const one = callTool(server, 'one', {}, options);
  const first = await peer.request('tools/call');
  const other = ask(server, 'tools/list', {}, { ...options, meta: { progressToken: 'mine' } });
  const list = await peer.request('tools/list');
  const token = at(first, 'params', '_meta', 'progressToken');
  const listToken = at(list, 'params', '_meta', 'progressToken');
  assert.ok(Number.isSafeInteger(token) && Number.isSafeInteger(listToken));
  assert.notEqual(token, listToken);
  const tell = (progressToken: unknown, progress: unknown, more: Json = {}): void =>
    peer.say('notifications/progress', { progressToken, progress, ...more });
  tell(listToken, 1);
  tell(token, 1, { total: 5, message: 'm' });
  tell(token, 1);
  tell(token, 0.5);
  tell(token, 'x');
  tell('unknown', 1);
  peer.answer(list, { tools: [] });
  await other;
  tell(listToken, 2);
  peer.say('elicitation/create', FORM, 'q', first);
  const asked = await one;
  tell(token, 2);
  const [key = ''] = questionsOf(asked).map(([each]) => each);
  const { requestState } = asked;
  const retry = {
    name: 'one',
    arguments: {},
    requestState,
    inputResponses: { [key]: { action: 'decline' } },
  };
  const last = ask(server, 'tools/call', retry, { ...options, meta: { progressToken: 'second' } });
  await peer.next();
  tell(token, 1);
  tell(token, 3);
  peer.answer(first, DONE);
  await last;
  tell(token, 4);
  assert.deepEqual(heard, [
    { progressToken: 'mine', progress: 1 },
    { progressToken: 1, progress: 1, total: 5, message: 'm' },
    { progressToken: 'second', progress: 3 },
  ]);
});

test('the server is told the lowest level that an open request wants, and only when it changes [LOG-04] [LOG-06]', async (t) => {
  const peer = new ScriptedServer();
  const { server, reports } = await peer.connect(t);
  const heard: { [name: string]: unknown[] } = { warning: [], info: [], none: [] };
  const start = (name: string, meta: Json): Promise<Json> =>
    callTool(server, name, {}, { meta, notify: ({ params }) => void heard[name]?.push(at(params, 'data')) });
  const log = (level: string, data: string, on?: Json): void =>
    peer.say('notifications/message', { level, data }, undefined, on);

  const none = start('none', {});
  const plain = await peer.request('tools/call');
  log('error', 'nobody asked');
  const warning = start('warning', { [LOG_LEVEL]: 'warning' });
  const set = await peer.request('logging/setLevel');
  assert.deepEqual(set['params'], { level: 'warning' });
  peer.answer(set, {});
  const first = await peer.request('tools/call');
  const info = start('info', { [LOG_LEVEL]: 'info' });
  const lower = await peer.request('logging/setLevel');
  assert.deepEqual(lower['params'], { level: 'info' });
  peer.refuse(lower, -32603);
  const second = await peer.request('tools/call');
  log('debug', 'a');
  log('info', 'b');
  log('error', 'c');
  log('error', 'd', first);
  log('error', 'e', plain);
  peer.say('notifications/message', { level: 'loud', data: 'f' });
  const again = start('again', { [LOG_LEVEL]: 'error' });
  peer.answer(await peer.request('tools/call'), DONE);
  for (const call of [plain, first, second]) peer.answer(call, DONE);
  await Promise.all([none, warning, info, again]);
  log('error', 'late');
  assert.deepEqual(heard, { warning: ['c', 'd'], info: ['b', 'c'], none: [] });
  assert.deepEqual(
    reports.map(({ kind }) => kind),
    ['log-dropped', 'log-level-refused', 'log-malformed'],
  );
  await server.close();
  assert.match(reports.at(-1)?.message ?? '', /4 times/);
});

test('a server without logging is not told of levels [2025-11-25 server/utilities/logging]', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t, {}, { capabilities: { tools: {} } });
  const calling = callTool(server, 'tool', {}, { meta: { [LOG_LEVEL]: 'debug' } });
  peer.answer(await peer.request('tools/call'), DONE);
  await calling;
});

test('notifications reach the caller in order and before the result, and a caller that never takes them can leave', async (t) => {
  const peer = new ScriptedServer();
  const { server, reports } = await peer.connect(t, { bounds: { maxPendingNotifications: 2 } });
  const gate = defer<undefined>();
  const events: unknown[] = [];
  const notify = async ({ method, params }: Json): Promise<void> => {
    await gate.promise;
    events.push(method === 'notifications/progress' ? at(params, 'progress') : method);
  };
  const calling = callTool(server, 'tool', {}, { meta: { progressToken: 1 }, notify }).then(() =>
    events.push('result'),
  );
  const call = await peer.request('tools/call');
  const progressToken = at(call, 'params', '_meta', 'progressToken');
  peer.say('example.com/note', {}, undefined, call);
  for (const progress of [1, 2]) peer.say('notifications/progress', { progressToken, progress });
  peer.answer(call, DONE);
  gate.resolve(undefined);
  await calling;
  assert.deepEqual(events, ['example.com/note', 1, 'result']);
  assert.deepEqual(
    reports.map(({ kind }) => kind),
    ['notification-dropped'],
  );

  const leaving = new AbortController();
  const never = { signal: leaving.signal, notify: () => new Promise<void>(() => {}) };
  const stuck = callTool(server, 'tool', {}, never);
  const second = await peer.request('tools/call');
  peer.say('example.com/note', {}, undefined, second);
  peer.answer(second, DONE);
  leaving.abort(new Error('gone'));
  await stuck.catch(() => {});
});

test('notifications that belong to nothing are reported once', async (t) => {
  const peer = new ScriptedServer();
  const { reports } = await peer.connect(t);
  for (let count = 0; count < 3; count++) peer.say('example.com/strange', {});
  peer.say('notifications/progress', { progressToken: 99, progress: 1 });
  assert.deepEqual(
    reports.map(({ kind }) => kind),
    ['notification-ignored'],
  );
});

test('a lost session is made anew once for all, and what is safe to repeat is sent again', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const listing = ask(server, 'tools/list');
  peer.answer(await peer.request('tools/list'), {
    tools: [
      { name: 'reader', annotations: { readOnlyHint: true } },
      { name: 'same', annotations: { idempotentHint: true } },
      { name: 'writer', annotations: { destructiveHint: true } },
    ],
  });
  await listing;
  const names = ['reader', 'same', 'writer', 'unknown'];
  const calls = names.map((name) => callTool(server, name));
  const reading = ask(server, 'resources/read', { uri: 'a:b' });
  const refused = Promise.all(
    calls.slice(2).map((call) => assert.rejects(call, { name: 'SessionLostError', message: /may have run/ })),
  );
  const ids: unknown[] = [];
  for (let count = 0; count < 5; count++) ids.push((await peer.next())['id']);
  for (const id of ids) peer.link.fail(id, new SessionLostError('404'));
  await peer.shakeHands({ serverInfo: { name: 'newer', version: '10' } });
  await refused;
  for (let count = 0; count < 3; count++) {
    const again = await peer.next();
    assert.ok(['reader', 'same', undefined].includes(at(again, 'params', 'name') as string | undefined));
    peer.answer(again, again['method'] === 'resources/read' ? { contents: [] } : DONE);
  }
  await Promise.all([...calls.slice(0, 2), reading]);
  assert.deepEqual(peer.rest(), []);
  assert.equal(server.facts.serverInfo?.name, 'newer');

  // Lost again at once: that is the answer.
  const unlucky = ask(server, 'tools/list');
  peer.link.fail((await peer.request('tools/list'))['id'], new SessionLostError('404'));
  await peer.shakeHands();
  peer.link.fail((await peer.request('tools/list'))['id'], new SessionLostError('404'));
  await assert.rejects(unlucky, { name: 'SessionLostError' });
});

test('a new session that cannot be had is tried for again with the next request', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const listing = ask(server, 'tools/list');
  peer.link.fail((await peer.request('tools/list'))['id'], new SessionLostError('404'));
  peer.refuse(await peer.request('initialize'), -32603, 'not now');
  await assert.rejects(listing, { name: 'PeerError', message: 'not now' });
  const again = ask(server, 'tools/list');
  await peer.shakeHands();
  peer.answer(await peer.request('tools/list'), { tools: [] });
  await again;
});

test('closing ends everything: pending calls, those that wait for a retry, questions', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const asking = callTool(server, 'asks');
  await peer.request('tools/call');
  peer.say('elicitation/create', FORM, 1);
  const asked = await asking;
  const pending = callTool(server, 'pending');
  const listing = ask(server, 'tools/list');
  await peer.request('tools/call');
  await peer.request('tools/list');
  const ends = Promise.all([pending, listing].map((each) => assert.rejects(each, ConnectionClosedError)));
  await server.close();
  await ends;
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 1, result: { action: 'cancel' } });
  assert.equal(peer.link.open, 0);
  const { requestState } = asked;
  await assert.rejects(ask(server, 'tools/call', { name: 'asks', arguments: {}, requestState }), {
    code: -32602,
  });
  await assert.rejects(ask(server, 'tools/list'), ConnectionClosedError);
});

test('a link that breaks ends what waits, and who made it hears why', async (t) => {
  const peer = new ScriptedServer();
  const closed = defer<Error>();
  const { server } = await peer.connect(t, { onClosed: closed.resolve });
  const pending = callTool(server, 'pending');
  await peer.request('tools/call');
  const asking = callTool(server, 'asks');
  const call = await peer.request('tools/call');
  peer.say('elicitation/create', FORM, 1, call);
  const { requestState } = await asking;
  const gone = new ConnectionClosedError('exit code 1');
  const ended = assert.rejects(pending, gone);
  peer.link.break(gone);
  await ended;
  assert.equal(await closed.promise, gone);
  await assert.rejects(ask(server, 'tools/call', { name: 'asks', arguments: {}, requestState }), gone);
});

test('a request whose signal has aborted before is never sent', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  await assert.rejects(callTool(server, 'tool', {}, { signal: AbortSignal.abort(new Error('no')) }), /no/);
  assert.deepEqual(peer.rest(), []);
});

test('completion before 2025-06-18 has no context to send [2025-03-26 server/utilities/completion]', async (t) => {
  for (const [version, has] of [
    ['2025-03-26', false],
    ['2025-06-18', true],
  ] as const) {
    const peer = new ScriptedServer();
    const { server } = await peer.connect(t, {}, { protocolVersion: version });
    const completing = ask(server, 'completion/complete', {
      ref: {},
      argument: {},
      context: { arguments: {} },
    });
    const sent = await peer.request('completion/complete');
    assert.equal('context' in (sent['params'] as Json), has);
    peer.answer(sent, { completion: { values: [] } });
    await completing;
  }
});

test('questions of a lost session are forgotten: in the new one the same id is another question', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const asking = callTool(server, 'old');
  const old = await peer.request('tools/call');
  peer.say('elicitation/create', FORM, 0);
  const { requestState } = await asking;
  peer.link.fail(old['id'], new SessionLostError('404'));
  await peer.shakeHands();
  const again = callTool(server, 'new');
  const call = await peer.request('tools/call');
  peer.say('elicitation/create', { ...FORM, message: 'new' }, 0);
  const [[, question] = []] = questionsOf(await again);
  assert.equal(at(question, 'params', 'message'), 'new');
  await assert.rejects(ask(server, 'tools/call', { name: 'old', arguments: {}, requestState }), {
    name: 'SessionLostError',
  });
  assert.deepEqual(peer.rest(), [], 'the old question is not answered');
  peer.answer(call, DONE);
});
