import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PeerError } from '../../packages/mcpwire/src/protocol/protocol-error.ts';
import { ask, callTool, connectTo, drive, questionsOf } from '../support/legacy-back.ts';
import type { Json } from '../support/messages.ts';
import { at, LOG_LEVEL, SERVER_INFO } from '../support/messages.ts';
import { askingServer, sdkLink } from '../support/sdk-server.ts';

/** Answers each question with what it is about. */
const answer = (question: Json): Json => {
  switch (question['method']) {
    case 'roots/list':
      return { roots: [{ uri: 'file:///project', name: 'work' }] };
    case 'sampling/createMessage':
      return { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'm-1' };
    default:
      return at(question, 'params', 'mode') === 'url'
        ? { action: 'accept' }
        : { action: 'accept', content: { name: at(question, 'params', 'message') } };
  }
};

const textOf = (result: Json): unknown => at(result, 'content', 0, 'text');
const named = (name: string): string => `accept {"name":"${name}"}`;

test('each kind of question of an official server is answered by a retry [MRTR-06]', async (t) => {
  const { server } = await connectTo(t, sdkLink(askingServer()));
  const run = async (name: string, args: Json = {}): Promise<unknown> =>
    textOf(await drive(server, 'tools/call', { name, arguments: args }, answer));
  assert.equal(await run('form', { of: 'a form' }), named('a form'));
  assert.equal(await run('url'), 'accept');
  assert.equal(await run('sample'), 'm-1 {"type":"text","text":"Hello"}');
  assert.equal(await run('roots'), '[{"uri":"file:///project","name":"work"}]');
  assert.equal(
    await run('rounds', { of: 'r', count: 3 }),
    [named('r 0'), named('r 1'), named('r 2')].join('; '),
  );
  const prompt = await drive(server, 'prompts/get', { name: 'asking' }, answer);
  assert.equal(at(prompt, 'messages', 0, 'content', 'text'), named('for the prompt'));
  const read = await drive(server, 'resources/read', { uri: 'test://asking' }, answer);
  assert.equal(at(read, 'contents', 0, 'text'), named('for the resource'));
  assert.equal(read['ttlMs'], 0);
  assert.equal(read['cacheScope'], 'private');
});

test('a question has the words of the newest revision, and its result names the server [MRTR-14] [CACHE-07]', async (t) => {
  const { server } = await connectTo(t, sdkLink(askingServer()));
  const { requestState, ...asked } = await callTool(server, 'url');
  assert.equal(typeof requestState, 'string');
  assert.deepEqual(asked, {
    resultType: 'input_required',
    inputRequests: {
      'elicitation/create#1': {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Please look', url: 'https://example.com/look' },
      },
    },
    _meta: { [SERVER_INFO]: { name: 'official', version: '1.0.0' } },
  });
});

test('questions that come together are one round, and decline and cancel arrive as such [MRTR-05]', async (t) => {
  const { server } = await connectTo(t, sdkLink(askingServer()));
  const params = { name: 'forms', arguments: { count: 3 } };
  const asked = await ask(server, 'tools/call', params);
  const questions = questionsOf(asked);
  assert.deepEqual(
    questions.map(([, question]) => at(question, 'params', 'message')),
    ['number 0', 'number 1', 'number 2'],
  );
  const answers = [{ action: 'accept', content: { name: 'x' } }, { action: 'decline' }, { action: 'cancel' }];
  const inputResponses = Object.fromEntries(questions.map(([key], index) => [key, answers[index]]));
  const { requestState } = asked;
  const result = await ask(server, 'tools/call', { ...params, inputResponses, requestState });
  assert.equal(textOf(result), 'accept {"name":"x"}; decline null; cancel null');
});

test('40 of 40 answers of 8 parallel calls over one session reach the right call', async (t) => {
  const { server } = await connectTo(t, sdkLink(askingServer()));
  const calls = Array.from({ length: 8 }, async (_, index) => {
    const args = { of: `call ${index} round`, count: 5 };
    return textOf(await drive(server, 'tools/call', { name: 'rounds', arguments: args }, answer));
  });
  const right = Array.from({ length: 8 }, (_, index) =>
    Array.from({ length: 5 }, (_none, round) => named(`call ${index} round ${round}`)).join('; '),
  );
  assert.deepEqual(await Promise.all(calls), right);
});

test('what a caller cannot be asked the server is told of, and the call goes on [MRTR-15]', async (t) => {
  const { server, reports } = await connectTo(t, sdkLink(askingServer()), { clientCapabilities: {} });
  const result = await callTool(server, 'form', { of: 'nobody' }, { capabilities: {} });
  assert.equal(result['isError'], true);
  assert.match(String(textOf(result)), /does not support/);
  assert.deepEqual(reports, []);
});

test('-32042 becomes a URL elicitation, and the retry sends the call again', async (t) => {
  const { server } = await connectTo(t, sdkLink(askingServer()), { bounds: { urlCompletionMs: 1 } });
  const params = { name: 'locked', arguments: { times: 2 } };
  const asked = await ask(server, 'tools/call', params);
  assert.deepEqual(
    questionsOf(asked).map(([, question]) => question),
    [
      {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Please unlock', url: 'https://example.com/key' },
      },
    ],
  );
  assert.equal(textOf(await drive(server, 'tools/call', params, answer)), 'unlocked');
});

test('progress has the token of the caller, whatever its type, and logs the level that it asked for [PROG-02] [LOG-06]', async (t) => {
  const { server } = await connectTo(t, sdkLink(askingServer()));
  const told = async (meta: Json): Promise<readonly Json[]> => {
    const heard: Json[] = [];
    await callTool(server, 'steps', {}, { meta, notify: (notification) => void heard.push(notification) });
    return heard;
  };
  for (const progressToken of [0, '0', 'token', 7]) {
    assert.deepEqual(await told({ progressToken }), [
      { method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } },
      { method: 'notifications/progress', params: { progressToken, progress: 2, total: 2 } },
    ]);
  }
  const log = (level: string, data: string): Json => ({
    method: 'notifications/message',
    params: { level, data },
  });
  assert.deepEqual(await told({ [LOG_LEVEL]: 'error' }), [log('error', 'stumbling')]);
  assert.deepEqual(await told({ [LOG_LEVEL]: 'debug' }), [
    log('info', 'stepping'),
    log('error', 'stumbling'),
  ]);
  assert.deepEqual(await told({}), []);
});

test("lists and errors of an official server come in the newest revision's words [CACHE-02]", async (t) => {
  const { server } = await connectTo(t, sdkLink(askingServer()));
  const { tools, ...rest } = await ask(server, 'tools/list');
  assert.deepEqual(rest, {
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [SERVER_INFO]: { name: 'official', version: '1.0.0' } },
  });
  assert.ok(Array.isArray(tools) && tools.length === 8);
  assert.ok(tools.every((tool) => at(tool, 'execution') === undefined));
  await assert.rejects(ask(server, 'resources/read', { uri: 'test://none' }), (error) => {
    assert.ok(error instanceof PeerError);
    assert.equal(error.code, -32602);
    return true;
  });
  await assert.rejects(ask(server, 'example.com/none', {}), { name: 'PeerError', code: -32601 });
  await assert.rejects(ask(server, 'logging/setLevel', { level: 'info' }), {
    name: 'ProtocolError',
    code: -32601,
  });
});

test('the answer option answers what belongs to no call', async (t) => {
  const official = askingServer();
  const { server } = await connectTo(t, sdkLink(official), {
    answer: (question) => Promise.resolve(answer({ ...question })),
  });
  assert.deepEqual(at(await official.server.listRoots(), 'roots', 0, 'uri'), 'file:///project');
  const form = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
  const elicited = await official.server.elicitInput({ message: 'alone', requestedSchema: form });
  assert.deepEqual(elicited, { action: 'accept', content: { name: 'alone' } });
  assert.equal(textOf(await drive(server, 'tools/call', { name: 'url' }, answer)), 'accept');
});
