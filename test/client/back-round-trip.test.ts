import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { LegacyServer } from '../../packages/mcpwire/src/legacy/back/connect-legacy.ts';
import type { LinkMaker } from '../../packages/mcpwire/src/legacy/back/upstream.ts';
import { LEGACY_VERSIONS } from '../../packages/mcpwire/src/protocol/revisions/index.ts';
import { roundTripServer } from '../fixtures/round-trip-server.ts';
import { ask, callTool, connectTo, drive } from '../support/legacy-back.ts';
import { MessageLink } from '../support/message-link.ts';
import type { Json } from '../support/messages.ts';
import { at, LOG_LEVEL, textOf } from '../support/messages.ts';
import { Queue } from '../support/queue.ts';
import { startStdio } from '../support/stdio-peer.ts';

/** The fixture in a process of its own, spoken to in the legacy era. */
function pipe(t: TestContext): LinkMaker {
  return (events) => {
    const peer = startStdio(t, {}, 'run-round-trip.js');
    const link = new MessageLink(events, (message) => peer.send(message));
    void (async () => {
      for (;;) link.receive(await peer.next());
    })().catch((error: unknown) => link.break(error as Error));
    return link;
  };
}

interface Both {
  /** Our server called directly. */
  readonly direct: LegacyServer;
  /** The same behind a legacy connection. */
  readonly behind: LegacyServer;
}

async function both(t: TestContext): Promise<Both> {
  const direct = { handle: roundTripServer().handle } as unknown as LegacyServer;
  return { direct, behind: (await connectTo(t, pipe(t))).server };
}

/** What the legacy era has no words for is filled in: how long a result keeps. */
function plain(result: Json): Json {
  return 'ttlMs' in result ? { ...result, ttlMs: 0, cacheScope: 'private' } : result;
}

test('lists, results and errors of our own server are the same behind a legacy connection', async (t) => {
  const { direct, behind } = await both(t);
  const requests: readonly (readonly [string, Json])[] = [
    ['server/discover', {}],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['prompts/list', {}],
    ['resources/read', { uri: 'test://text' }],
    ['resources/read', { uri: 'test://binary' }],
    ['prompts/get', { name: 'modern' }],
    ['prompts/get', { name: 'greet', arguments: { name: 'Ann' } }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'tone', value: 'w' } },
    ],
    ['tools/call', { name: 'new_content' }],
    ['tools/call', { name: 'object_output' }],
    ['tools/call', { name: 'echo', arguments: {} }],
    ['tools/call', { name: 'echo', arguments: { text: 'Ä\u2028' } }],
    ['example.com/sum', { numbers: [1, 2] }],
  ];
  for (const [method, params] of requests) {
    const expected = plain(await ask(direct, method, params));
    assert.deepEqual(await ask(behind, method, params), expected, method);
  }
  const failures: readonly (readonly [string, Json])[] = [
    ['resources/read', { uri: 'test://none' }],
    ['resources/read', { uri: 'test://gone' }],
    ['tools/call', { name: 'none' }],
    ['prompts/get', { name: 'none' }],
    ['example.com/none', {}],
  ];
  const failure = (server: LegacyServer, method: string, params: Json): Promise<unknown> =>
    ask(server, method, params).then(
      () => assert.fail('it did not fail'),
      (error: unknown) => [at(error, 'code'), at(error, 'message'), at(error, 'data')],
    );
  for (const [method, params] of failures) {
    assert.deepEqual(await failure(behind, method, params), await failure(direct, method, params), method);
  }
});

test('tools are the same but for outputs that the legacy era wraps', async (t) => {
  const { direct, behind } = await both(t);
  const tools = async (server: LegacyServer): Promise<readonly Json[]> =>
    ((await ask(server, 'tools/list'))['tools'] as Json[])
      .map(({ outputSchema: _output, ...rest }) => rest)
      .filter(({ name }) => !String(name).startsWith('test_'));
  assert.deepEqual(await tools(behind), await tools(direct));
});

const answer = (question: Json): Json => {
  switch (question['method']) {
    case 'roots/list':
      return { roots: [{ uri: 'file:///project' }] };
    case 'sampling/createMessage':
      return { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'm' };
    default:
      return { action: 'accept', content: { username: 'ann', email: 'ann@example.com' } };
  }
};

test('questions of our own server are answered the same way behind a legacy connection', async (t) => {
  const { direct, behind } = await both(t);
  const message = 'Who are you?';
  const calls: readonly (readonly [string, Json])[] = [
    ['tools/call', { name: 'ask', arguments: { inputRequests: { r: { method: 'roots/list' } } } }],
    ['tools/call', { name: 'test_sampling', arguments: { prompt: 'Hi' } }],
    ['tools/call', { name: 'test_elicitation', arguments: { message } }],
    ['tools/call', { name: 'test_elicitation_sep1034_defaults' }],
    ['tools/call', { name: 'ask_url' }],
    ['tools/call', { name: 'ask_roots' }],
    ['tools/call', { name: 'ask_all' }],
  ];
  for (const [method, params] of calls) {
    const asked: Json[] = [];
    const result = await drive(behind, method, params, (question) => {
      // Without params, or with empty ones: it means the same.
      asked.push({ params: {}, ...question });
      return answer(question);
    });
    const askedDirectly: Json[] = [];
    const expected = await drive(direct, method, params, (question) => {
      askedDirectly.push({ params: {}, ...question });
      return answer(question);
    });
    assert.ok(asked.length > 0);
    assert.deepEqual(asked, askedDirectly);
    assert.deepEqual(result, expected, JSON.stringify(params));
  }
  const rounds = await drive(behind, 'tools/call', { name: 'rounds', arguments: { count: 3 } }, answer);
  assert.match(textOf({ result: rounds }), /^after 3 rounds/);
});

test("calls that ask at the same time do not take one another's answers", async (t) => {
  const { behind } = await both(t);
  const calls = Array.from({ length: 20 }, async (_, index) => {
    const params = { name: 'test_elicitation', arguments: { message: `call ${index}` } };
    const result = await drive(behind, 'tools/call', params, (question) => ({
      action: 'accept',
      content: { username: at(question, 'params', 'message'), email: 'a@example.com' },
    }));
    assert.match(textOf({ result }), new RegExp(`"call ${index}"`));
  });
  await Promise.all(calls);
});

test('progress, logs and subscriptions come through a legacy connection', async (t) => {
  const { direct, behind } = await both(t);
  for (const [name, args, meta] of [
    ['progress', { values: [1, 2, 3] }, { progressToken: 'p' }],
    ['progress', { values: [1, 2] }, { progressToken: 0 }],
    ['log_all', {}, { [LOG_LEVEL]: 'error' }],
    ['log_all', {}, { [LOG_LEVEL]: 'debug' }],
  ] as const) {
    const told = async (server: LegacyServer): Promise<readonly Json[]> => {
      const heard: Json[] = [];
      await callTool(server, name, args, { meta, notify: (notification) => void heard.push(notification) });
      return heard;
    };
    const heard = await told(behind);
    assert.ok(heard.length > 0);
    assert.deepEqual(heard, JSON.parse(JSON.stringify(await told(direct))));
  }
});

test('every legacy version is spoken to, and the results have the words of the newest', async (t) => {
  for (const version of LEGACY_VERSIONS) {
    const { server } = await connectTo(t, pipe(t), { version });
    assert.equal(server.facts.version, version);
    const result = await callTool(server, 'echo', { text: version });
    assert.deepEqual(result['content'], [{ type: 'text', text: version }]);
    assert.equal(result['resultType'], 'complete');
    const roots = { name: 'ask', arguments: { inputRequests: { r: { method: 'roots/list' } } } };
    const asked = await drive(server, 'tools/call', roots, answer);
    assert.match(textOf({ result: asked }), /file:\/\/\/project/);
    await server.close();
  }
});

test('a change is told through a legacy connection', async (t) => {
  const { server } = await connectTo(t, pipe(t));
  const heard = new Queue<Json>();
  const leaving = new AbortController();
  const listening = ask(
    server,
    'subscriptions/listen',
    { notifications: { toolsListChanged: true, resourceSubscriptions: ['test://text'] } },
    { signal: leaving.signal, notify: (notification) => heard.push(notification) },
  );
  assert.deepEqual(await heard.next(), {
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['test://text'] } },
  });
  await callTool(server, 'touch', { uri: 'test://text' });
  assert.deepEqual(await heard.next(), {
    method: 'notifications/resources/updated',
    params: { uri: 'test://text' },
  });
  await callTool(server, 'change', { list: 'tools' });
  assert.deepEqual(await heard.next(), { method: 'notifications/tools/list_changed', params: {} });
  leaving.abort();
  await listening;
});
