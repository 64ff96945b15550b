import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, callTool, questionsOf, ScriptedServer } from '../support/legacy-back.ts';
import type { Json } from '../support/messages.ts';
import { at } from '../support/messages.ts';

const FORM = {
  message: 'Name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};
const SAMPLE = { messages: [], maxTokens: 1 };
const ACCEPT = { action: 'accept', content: { name: 'Ann' } };
const DONE = { content: [{ type: 'text', text: 'done' }] };

const keysOf = (result: Json): readonly string[] => questionsOf(result).map(([key]) => key);

const retry = (asked: Json, inputResponses: Json): Json => ({
  name: 'tool',
  arguments: {},
  inputResponses,
  requestState: asked['requestState'],
});

test('a requestState is good once, for the same request of the same caller [MRTR-09] [MRTR-10] [MRTR-12] [MRTR-13]', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const asking = callTool(server, 'tool', {}, { principal: 'ann' });
  const call = await peer.request('tools/call');
  peer.say('elicitation/create', FORM, 0);
  const asked = await asking;
  const [key = ''] = keysOf(asked);
  const params = retry(asked, { [key]: ACCEPT });
  const refused = (method: string, other: Json, principal = 'ann'): Promise<void> =>
    assert.rejects(ask(server, method, { ...params, ...other }, { principal }), {
      name: 'ProtocolError',
      code: -32602,
    });
  await refused('tools/call', { name: 'other' });
  await refused('tools/call', { arguments: { more: 1 } });
  await refused('prompts/get', {});
  await refused('tools/call', {}, 'bob');
  await refused('tools/call', { requestState: 'guessed' });
  await refused('tools/call', { requestState: 7 });
  assert.deepEqual(peer.rest(), [], 'nothing of it reached the server');

  const result = ask(server, 'tools/call', params, { principal: 'ann' });
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 0, result: ACCEPT });
  peer.answer(call, DONE);
  assert.equal(at(await result, 'content', 0, 'text'), 'done');
  await refused('tools/call', {});
});

test('the order of members in the arguments of a retry means nothing [MRTR-12]', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const asking = callTool(server, 'tool', { a: [1, { b: 2, c: null }], d: '' });
  const call = await peer.request('tools/call');
  peer.say('roots/list', {}, 'r');
  const asked = await asking;
  const result = ask(server, 'tools/call', {
    ...retry(asked, { [keysOf(asked)[0] ?? '']: { roots: [] } }),
    arguments: { d: '', a: [1, { c: null, b: 2 }] },
  });
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 'r', result: { roots: [] } });
  peer.answer(call, DONE);
  await result;
});

test('a caller that does not come back: the questions are cancelled, then the call [CANC-01] [MRTR-11]', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t, { bounds: { parkedMs: 10 } });
  const asking = callTool(server, 'tool');
  const call = await peer.request('tools/call');
  peer.say('elicitation/create', FORM, 1);
  peer.say('sampling/createMessage', SAMPLE, 2);
  const asked = await asking;
  assert.equal(keysOf(asked).length, 2);
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 1, result: { action: 'cancel' } });
  const failed = await peer.next();
  assert.equal(failed['id'], 2);
  assert.equal(at(failed, 'error', 'code'), -32603);
  assert.deepEqual(at(await peer.request('notifications/cancelled'), 'params', 'requestId'), call['id']);
  const late = await ask(server, 'tools/call', retry(asked, {}));
  assert.equal(late['isError'], true);
  assert.match(String(at(late, 'content', 0, 'text')), /came too late/);
  assert.deepEqual(peer.rest(), [], 'the call is not sent again');
  assert.equal(peer.link.open, 0);
});

test('what was not answered is asked again, what was not asked is ignored [MRTR-25] [MRTR-26]', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const asking = callTool(server, 'tool');
  const call = await peer.request('tools/call');
  peer.say('elicitation/create', FORM, 1);
  peer.say('roots/list', {}, 2);
  peer.say('sampling/createMessage', SAMPLE, 3);
  const first = await asking;
  const [form = '', roots = '', sample = ''] = keysOf(first);
  const malformed = { [form]: { action: 'maybe' }, [roots]: { roots: [] }, [sample]: 'x', other: ACCEPT };
  const second = await ask(server, 'tools/call', retry(first, malformed));
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 2, result: { roots: [] } });
  assert.deepEqual(
    questionsOf(second).map(([, question]) => question['method']),
    ['elicitation/create', 'sampling/createMessage'],
  );
  assert.notEqual(second['requestState'], first['requestState']);
  const [formAgain = '', sampleAgain = ''] = keysOf(second);
  const sampled = { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' };
  const result = ask(server, 'tools/call', retry(second, { [formAgain]: ACCEPT, [sampleAgain]: sampled }));
  assert.deepEqual(
    [await peer.next(), await peer.next()],
    [
      { jsonrpc: '2.0', id: 1, result: ACCEPT },
      { jsonrpc: '2.0', id: 3, result: sampled },
    ],
  );
  peer.answer(call, DONE);
  assert.equal((await result)['resultType'], 'complete');
});

test('leaving a leg in flight cancels the call, leaving one that has returned does not [CANC-01]', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const leaving = new AbortController();
  const gone = callTool(server, 'tool', {}, { signal: leaving.signal });
  const call = await peer.request('tools/call');
  leaving.abort(new Error('enough'));
  await assert.rejects(gone, /enough/);
  assert.deepEqual(at(await peer.request('notifications/cancelled'), 'params', 'requestId'), call['id']);

  const leg = new AbortController();
  const asking = callTool(server, 'tool', {}, { signal: leg.signal });
  const parked = await peer.request('tools/call');
  peer.say('elicitation/create', FORM, 1);
  const asked = await asking;
  leg.abort();
  const result = ask(server, 'tools/call', retry(asked, { [keysOf(asked)[0] ?? '']: ACCEPT }));
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 1, result: ACCEPT });
  peer.answer(parked, DONE);
  await result;

  const second = new AbortController();
  const askingAgain = callTool(server, 'tool');
  await peer.request('tools/call');
  peer.say('elicitation/create', FORM, 2);
  const askedAgain = await askingAgain;
  second.abort(new Error('gone before'));
  await assert.rejects(
    ask(server, 'tools/call', retry(askedAgain, {}), { signal: second.signal }),
    /gone before/,
  );
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 2, result: { action: 'cancel' } });
  await peer.request('notifications/cancelled');
});

test('a result, or an error, that comes while the caller is asked is kept for the retry', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  for (const outcome of ['result', 'error']) {
    const asking = callTool(server, 'tool');
    const call = await peer.request('tools/call');
    peer.say('elicitation/create', FORM, outcome);
    const asked = await asking;
    if (outcome === 'result') peer.answer(call, DONE);
    else peer.refuse(call, -32603, 'the form timed out');
    const answered = ask(server, 'tools/call', retry(asked, { [keysOf(asked)[0] ?? '']: ACCEPT }));
    if (outcome === 'result') assert.equal(at(await answered, 'content', 0, 'text'), 'done');
    else await assert.rejects(answered, { name: 'PeerError', message: 'the form timed out' });
    assert.equal((await peer.next())['id'], outcome);
  }
});

test('further questions while the caller is asked wait for the retry', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const asking = callTool(server, 'tool');
  const call = await peer.request('tools/call');
  peer.say('elicitation/create', FORM, 1);
  const first = await asking;
  peer.say('roots/list', {}, 2);
  const second = await ask(server, 'tools/call', retry(first, { [keysOf(first)[0] ?? '']: ACCEPT }));
  assert.equal((await peer.next())['id'], 1);
  const [key = ''] = keysOf(second);
  assert.match(key, /roots\/list/);
  const result = ask(server, 'tools/call', retry(second, { [key]: { roots: [] } }));
  assert.equal((await peer.next())['id'], 2);
  peer.answer(call, DONE);
  await result;
});

test('a question on the own way of a call goes to that call, any other to the oldest that is open', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const oldest = callTool(server, 'oldest');
  const first = await peer.request('tools/call');
  const newest = callTool(server, 'newest');
  const second = await peer.request('tools/call');
  peer.say('elicitation/create', { ...FORM, message: 'sure' }, 1, second);
  assert.equal(at(questionsOf(await newest)[0]?.[1], 'params', 'message'), 'sure');
  peer.say('elicitation/create', { ...FORM, message: 'unsure' }, 2);
  assert.equal(at(questionsOf(await oldest)[0]?.[1], 'params', 'message'), 'unsure');
  peer.answer(first, DONE);
});

test('a question that may have been of another call moves on to it when its caller leaves, a later call never gets it', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t, { bounds: { parkedMs: 10 } });
  const asking = callTool(server, 'oldest');
  await peer.request('tools/call');
  const other = callTool(server, 'other');
  const call = await peer.request('tools/call');
  peer.say('elicitation/create', FORM, 1);
  await asking;
  const later = callTool(server, 'later');
  const last = await peer.request('tools/call');
  const moved = await other;
  assert.equal(keysOf(moved).length, 1, 'the first caller did not come back');
  await peer.request('notifications/cancelled');
  // Nor does the second one; the third came after the question.
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 1, result: { action: 'cancel' } });
  assert.equal(at(await peer.request('notifications/cancelled'), 'params', 'requestId'), call['id']);
  peer.answer(last, DONE);
  assert.equal((await later)['resultType'], 'complete');
});

test('a question that the server withdraws is asked no more', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const asking = callTool(server, 'tool');
  const call = await peer.request('tools/call');
  peer.say('elicitation/create', FORM, 1);
  peer.say('roots/list', {}, 2);
  peer.say('notifications/cancelled', { requestId: 1 });
  peer.say('notifications/cancelled', { requestId: 'unknown' });
  const asked = await asking;
  assert.deepEqual(keysOf(asked), ['roots/list#1']);
  peer.say('notifications/cancelled', { requestId: 2 });
  const result = ask(server, 'tools/call', retry(asked, { 'roots/list#1': { roots: [] } }));
  peer.answer(call, DONE);
  await result;
  assert.deepEqual(peer.rest(), [], 'nobody waits for the answer');
});

test('a question while no call is open is refused in words that say why', async (t) => {
  const peer = new ScriptedServer();
  const { server, reports } = await peer.connect(t, {
    clientCapabilities: { elicitation: { form: {} }, sampling: {} },
  });
  peer.say('elicitation/create', FORM, 1);
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 1, result: { action: 'cancel' } });
  peer.say('sampling/createMessage', SAMPLE, 2);
  assert.equal(at(await peer.next(), 'error', 'code'), -32603);
  const undeclared = [
    ['roots/list', {}],
    ['elicitation/create', { mode: 'url', message: '?', url: 'https://example.com', elicitationId: '1' }],
    ['sampling/createMessage', { ...SAMPLE, tools: [] }],
    ['tasks/list', {}],
    ['example.com/strange', {}],
  ] as const;
  for (const [method, params] of undeclared) {
    peer.say(method, params, method);
    const refused = await peer.next();
    assert.equal(refused['id'], method);
    assert.equal(at(refused, 'error', 'code'), -32601, method);
  }
  // A list can't ask: nothing of it is open either.
  const listing = ask(server, 'tools/list');
  const list = await peer.request('tools/list');
  peer.say('elicitation/create', FORM, 3, list);
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 3, result: { action: 'cancel' } });
  peer.answer(list, { tools: [] });
  await listing;
  assert.deepEqual(
    [...new Set(reports.map(({ kind }) => kind))],
    ['question-dropped', 'question-refused', 'request-refused'],
    'what the server should not do is reported',
  );
});

test('ids of two types are two questions, and an id that is in use is refused [BASE-03]', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const asking = callTool(server, 'tool');
  const call = await peer.request('tools/call');
  peer.say('roots/list', {}, 0);
  peer.say('roots/list', {}, '0');
  peer.say('roots/list', {}, 0);
  assert.equal(at(await peer.next(), 'error', 'code'), -32600);
  const asked = await asking;
  const [number = '', text = ''] = keysOf(asked);
  const result = ask(
    server,
    'tools/call',
    retry(asked, { [number]: { roots: [] }, [text]: { roots: [{ uri: 'file:///t' }] } }),
  );
  assert.deepEqual(
    [await peer.next(), await peer.next()],
    [
      { jsonrpc: '2.0', id: 0, result: { roots: [] } },
      { jsonrpc: '2.0', id: '0', result: { roots: [{ uri: 'file:///t' }] } },
    ],
  );
  peer.answer(call, DONE);
  await result;
});

test('a ping is answered at once, also in the middle of a call', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const calling = callTool(server, 'tool');
  const call = await peer.request('tools/call');
  peer.say('ping', {}, 0, call);
  peer.say('ping', {}, 'p');
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 0, result: {} });
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 'p', result: {} });
  peer.answer(call, DONE);
  await calling;
});

test('a call whose own capabilities lack something is not asked for it [MRTR-15]', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t);
  const unable = callTool(server, 'unable', {}, { capabilities: {} });
  const first = await peer.request('tools/call');
  const able = callTool(server, 'able');
  const second = await peer.request('tools/call');
  peer.say('elicitation/create', FORM, 1);
  assert.equal(keysOf(await able).length, 1);
  peer.say('elicitation/create', FORM, 2, first);
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 2, result: { action: 'cancel' } });
  peer.answer(first, DONE);
  await unable;
  peer.answer(second, DONE);
});

test('what a server asks is bounded: questions, rounds, and calls that wait', async (t) => {
  const peer = new ScriptedServer();
  const bounds = { maxQuestions: 2, maxRounds: 1, maxParkedCalls: 1, maxOpenCalls: 2 };
  const { server, reports } = await peer.connect(t, { bounds });
  const asking = callTool(server, 'tool');
  const call = await peer.request('tools/call');
  for (const id of [1, 2, 3]) peer.say('elicitation/create', FORM, id);
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 3, result: { action: 'cancel' } });
  const asked = await asking;
  const [one = '', two = ''] = keysOf(asked);

  const other = callTool(server, 'other');
  const second = await peer.request('tools/call');
  await assert.rejects(callTool(server, 'third'), /at most 2 requests/);
  const again = ask(server, 'tools/call', retry(asked, { [one]: ACCEPT }));
  assert.equal((await peer.next())['id'], 1);
  // A second round is one too many: what is left is cancelled, the call goes on.
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 2, result: { action: 'cancel' } });
  assert.notEqual(two, '');
  peer.answer(call, DONE);
  await again;
  peer.answer(second, DONE);
  await other;
  assert.deepEqual(
    reports.map(({ kind }) => kind),
    ['question-dropped'],
  );

  const parked = callTool(server, 'parked');
  const third = await peer.request('tools/call');
  peer.say('roots/list', {}, 4);
  await parked;
  const full = callTool(server, 'full');
  const fourth = await peer.request('tools/call');
  peer.say('roots/list', {}, 5, fourth);
  assert.equal(at(await peer.next(), 'error', 'code'), -32603, 'no room to wait in');
  peer.answer(fourth, DONE);
  await full;
  peer.answer(third, DONE);
});

test('URLs that a server wants opened first: asked again what is unanswered, and an end to it', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t, { bounds: { maxUrlRetries: 2 } });
  const data = {
    elicitations: [{ mode: 'url', elicitationId: 'k', message: 'Unlock', url: 'https://example.com/k' }],
  };
  const asking = callTool(server, 'tool');
  peer.refuse(await peer.request('tools/call'), -32042, 'first the key', data);
  const first = await asking;
  const unanswered = await ask(server, 'tools/call', retry(first, {}));
  const [key = ''] = keysOf(unanswered);
  const again = ask(server, 'tools/call', retry(unanswered, { [key]: { action: 'accept' } }));
  peer.refuse(await peer.request('tools/call'), -32042, 'first the key', data);
  const second = await again;

  // Asked for the same URL twice, the server's word is waited for.
  const last = ask(server, 'tools/call', retry(second, { [keysOf(second)[0] ?? '']: { action: 'accept' } }));
  peer.say('notifications/elicitation/complete', { elicitationId: 'k' });
  peer.refuse(await peer.request('tools/call'), -32042, 'first the key', data);
  await assert.rejects(last, { code: -32603 });

  const declining = callTool(server, 'tool');
  peer.refuse(await peer.request('tools/call'), -32042, 'first the key', data);
  const asked = await declining;
  const declined = await ask(
    server,
    'tools/call',
    retry(asked, { [keysOf(asked)[0] ?? '']: { action: 'decline' } }),
  );
  assert.equal(declined['isError'], true);
  assert.deepEqual(peer.rest(), []);

  const unable = callTool(server, 'tool', {}, { capabilities: { elicitation: { form: {} } } });
  peer.refuse(await peer.request('tools/call'), -32042, 'first the key', data);
  await assert.rejects(unable, { name: 'ProtocolError', code: -32021 });
});

test('includeContext is left out for a client that has no context to include', async (t) => {
  const peer = new ScriptedServer();
  const able = { sampling: {} };
  const { server } = await peer.connect(t, { clientCapabilities: able });
  const asking = callTool(server, 'tool', {}, { capabilities: able });
  await peer.request('tools/call');
  peer.say('sampling/createMessage', { ...SAMPLE, includeContext: 'thisServer' }, 1);
  assert.deepEqual(questionsOf(await asking)[0]?.[1]['params'], SAMPLE);
});

test('where nothing answers well the server hears an error, never the reason', async (t) => {
  const peer = new ScriptedServer();
  const { reports } = await peer.connect(t, {
    answer: ({ method }) =>
      method === 'roots/list' ? Promise.resolve({ no: 'roots' }) : Promise.reject(new Error('a secret')),
  });
  peer.say('roots/list', {}, 1);
  assert.equal(at(await peer.next(), 'error', 'code'), -32603);
  peer.say('sampling/createMessage', SAMPLE, 2);
  const failed = await peer.next();
  assert.equal(at(failed, 'error', 'code'), -32603);
  assert.doesNotMatch(JSON.stringify(failed), /secret/);
  peer.say('elicitation/create', FORM, 3);
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 3, result: { action: 'cancel' } });
  assert.ok(reports.length > 0);
});

test('a call that carries all that it may leaves further questions to the next one, and there is an end to them', async (t) => {
  const peer = new ScriptedServer();
  const { server } = await peer.connect(t, { bounds: { maxQuestions: 1, maxOpenQuestions: 2 } });
  const one = callTool(server, 'one');
  const first = await peer.request('tools/call');
  const two = callTool(server, 'two');
  const second = await peer.request('tools/call');
  for (const id of [1, 2, 3]) peer.say('elicitation/create', { ...FORM, message: `${id}` }, id);
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 3, result: { action: 'cancel' } });
  const asked = [await one, await two].map((result) => questionsOf(result).map(([, question]) => question));
  assert.deepEqual(
    asked.map((questions) => questions.map((question) => at(question, 'params', 'message'))),
    [['1'], ['2']],
  );
  peer.answer(first, DONE);
  peer.answer(second, DONE);
});
