import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from 'mcpwire/server';
import { rulesServer } from '../fixtures/rules-server.ts';
import { serve } from '../support/http-peer.ts';
import type { Json } from '../support/messages.ts';
import { assertError, at, call, CLIENT_CAPABILITIES, request, textOf } from '../support/messages.ts';
import { WIRES } from '../support/wires.ts';

const FORM = { type: 'object', properties: { name: { type: 'string' } } };
const ELICIT = { method: 'elicitation/create', params: { message: 'Name?', requestedSchema: FORM } };
const HELLO = { role: 'user', content: { type: 'text', text: 'Hello' } };
const SAMPLE = { method: 'sampling/createMessage', params: { messages: [HELLO], maxTokens: 10 } };
const ROOTS = { method: 'roots/list' };
const ALL = {
  roots: {},
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
};

/** A call that makes the fixture ask these questions of a client with these capabilities. */
function ask(inputRequests: unknown, capabilities: object = ALL): Json {
  return call(1, 'ask', { inputRequests }, { [CLIENT_CAPABILITIES]: capabilities });
}

for (const [wire, start] of Object.entries(WIRES)) {
  test(`a question to the user travels in a result over ${wire}, never as a request of the server [MRTR-01] [MRTR-05] [MRTR-06] [PAT-01] [HTTP-18] [STDIO-08]`, async (t) => {
    const peer = await start(t);
    const questions = { name: ELICIT, model: SAMPLE, where: ROOTS };
    const messages = await peer.exchange(ask(questions));
    assert.equal(messages.length, 1);
    assert.equal(at(messages[0], 'result', 'resultType'), 'input_required');
    assert.deepEqual(at(messages[0], 'result', 'inputRequests'), questions);
    for (const message of messages) assert.equal(at(message, 'method'), undefined);
  });

  test(`a resource and a prompt may ask over ${wire} as well [MRTR-04]`, async (t) => {
    const peer = await start(t);
    const able = { [CLIENT_CAPABILITIES]: ALL };
    const read = await peer.ask(request(1, 'resources/read', { uri: 'test://asks' }, able));
    const get = await peer.ask(request(2, 'prompts/get', { name: 'asks' }, able));
    for (const answer of [read, get]) {
      assert.equal(at(answer, 'result', 'resultType'), 'input_required');
      assert.deepEqual(at(answer, 'result', 'inputRequests'), { roots: ROOTS });
    }
  });

  test(`a client that never comes back with the answers holds nothing up over ${wire} [MRTR-16]`, async (t) => {
    const peer = await start(t);
    for (let round = 0; round < 300; round++) await peer.ask(ask({ where: ROOTS }));
    assert.equal(textOf(await peer.ask(call(2, 'echo', { text: 'x' }))), 'x');
  });

  test(`input responses of the wrong type are -32602 over ${wire} [MRTR-23] [MRTR-24]`, async (t) => {
    const peer = await start(t);
    for (const inputResponses of [5, 'x', [], null, true]) {
      const params = { name: 'ask', arguments: {}, inputResponses };
      assertError(await peer.ask(request(1, 'tools/call', params)), 1, -32602, /inputResponses/);
    }
    for (const requestState of [5, {}, null]) {
      const read = request(2, 'resources/read', { uri: 'test://text', requestState });
      assertError(await peer.ask(read), 2, -32602, /requestState/);
      const get = request(3, 'prompts/get', { name: 'picture', requestState });
      assertError(await peer.ask(get), 3, -32602, /requestState/);
    }
  });
}

test('the answers of a retry reach the handler, known and unknown ones [MRTR-25]', async (t) => {
  const peer = await serve(t, rulesServer());
  const inputResponses = { where: { roots: [] }, other: { action: 'accept' } };
  const answer = await peer.post(request(2, 'tools/call', { name: 'ask', arguments: {}, inputResponses }));
  assert.equal(textOf(answer.json), `answered ${JSON.stringify(inputResponses)}`);
});

test('a question that asks nothing, or something that nobody can answer, never goes out [MRTR-06] [MRTR-14]', async (t) => {
  const peer = await serve(t, rulesServer());
  const wrong = [
    {},
    { requestState: 5 },
    { inputRequests: [] },
    { inputRequests: 'x' },
    { inputRequests: { a: null } },
    { inputRequests: { a: { method: 'tools/list' } } },
    { inputRequests: { a: { method: '__proto__' } } },
    { inputRequests: { a: { method: 'roots/list', params: 5 } } },
  ];
  for (const args of wrong) {
    const answer = await peer.post(call(1, 'ask', args, { [CLIENT_CAPABILITIES]: ALL }));
    assert.equal(at(answer.json, 'result', 'isError'), true, JSON.stringify(args));
    assert.equal(at(answer.json, 'result', 'resultType'), 'complete');
  }
  const stateAlone = await peer.post(call(1, 'ask', { requestState: 'opaque' }));
  assert.equal(at(stateAlone.json, 'result', 'requestState'), 'opaque');
});

test('only what the client declared is asked of it, down to the mode [MRTR-15] [BASE-56] [ELIC-08] [ELIC-10] [SAMP-06] [SAMP-10]', async (t) => {
  const peer = await serve(t, rulesServer());
  const url = {
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Go', url: 'https://a.example/' },
  };
  const sample = (more: object): object => ({ ...SAMPLE, params: { ...SAMPLE.params, ...more } });
  const rows: readonly (readonly [object, object, object])[] = [
    [ROOTS, { elicitation: {}, sampling: {} }, { roots: {} }],
    [ELICIT, { roots: {}, sampling: {} }, { elicitation: { form: {} } }],
    [ELICIT, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    [url, { elicitation: {} }, { elicitation: { url: {} } }],
    [url, { elicitation: { form: {} } }, { elicitation: { url: {} } }],
    [SAMPLE, { elicitation: {} }, { sampling: {} }],
    [sample({ tools: [] }), { sampling: {} }, { sampling: { tools: {} } }],
    [sample({ toolChoice: { mode: 'auto' } }), { sampling: { context: {} } }, { sampling: { tools: {} } }],
    [sample({ includeContext: 'allServers' }), { sampling: {} }, { sampling: { context: {} } }],
  ];
  for (const [question, declared, requiredCapabilities] of rows) {
    const answer = await peer.post(ask({ q: question }, declared));
    assert.equal(answer.status, 400);
    assertError(answer.json, 1, -32021);
    assert.deepEqual(at(answer.json, 'error', 'data'), { requiredCapabilities });
    const able = await peer.post(ask({ q: question }, requiredCapabilities));
    assert.equal(at(able.json, 'result', 'resultType'), 'input_required', able.text);
  }
  const formByDefault = await peer.post(ask({ q: ELICIT }, { elicitation: {} }));
  assert.equal(at(formByDefault.json, 'result', 'resultType'), 'input_required');
  const noContext = await peer.post(ask({ q: sample({ includeContext: 'none' }) }, { sampling: {} }));
  assert.equal(at(noContext.json, 'result', 'resultType'), 'input_required');
});

test("a method of one's own and a completion can not ask [MRTR-04]", async (t) => {
  const question = { resultType: 'input_required', inputRequests: { where: ROOTS } };
  const server = createServer({ name: 's', version: '1' }, { report: () => {} })
    .method('example.com/ask', {}, () => question)
    .prompt(
      'p',
      {
        args: { type: 'object', properties: { a: { type: 'string' } } },
        complete: { a: () => question as unknown as string[] },
      },
      () => 'x',
    );
  const peer = await serve(t, server, { report: () => {} });
  const able = { [CLIENT_CAPABILITIES]: ALL };
  const own = await peer.post(request(1, 'example.com/ask', {}, able));
  assert.equal(own.status, 500);
  assertError(own.json, 1, -32603);
  const ref = { type: 'ref/prompt', name: 'p' };
  const completion = await peer.post(
    request(2, 'completion/complete', { ref, argument: { name: 'a', value: '' } }, able),
  );
  assertError(completion.json, 2, -32603);
});
