import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { rulesServer } from '../fixtures/rules-server.ts';
import { serve } from '../support/http-peer.ts';
import { at, call, CLIENT_CAPABILITIES } from '../support/messages.ts';

const ALL = { elicitation: { form: {}, url: {} }, sampling: { tools: {} } };

/** Makes the fixture ask: true where the question went out, false where the server kept it. */
async function asker(t: TestContext, method: string): Promise<(params: unknown) => Promise<boolean>> {
  const peer = await serve(t, rulesServer());
  return async (params) => {
    const question = call(
      1,
      'ask',
      { inputRequests: { q: { method, params } } },
      { [CLIENT_CAPABILITIES]: ALL },
    );
    const answer = await peer.post(question);
    assert.equal(answer.status, 200, answer.text);
    if (at(answer.json, 'result', 'resultType') === 'input_required') {
      assert.deepEqual(at(answer.json, 'result', 'inputRequests', 'q', 'params'), params);
      return true;
    }
    assert.equal(at(answer.json, 'result', 'isError'), true);
    return false;
  };
}

test('an elicitation has a message and a known mode [ELIC-11] [ELIC-13] [ELIC-16]', async (t) => {
  const goesOut = await asker(t, 'elicitation/create');
  const requestedSchema = { type: 'object', properties: {} };
  const url = 'https://a.example/form?x=1';
  assert.ok(await goesOut({ message: 'x', requestedSchema }));
  assert.ok(await goesOut({ mode: 'form', message: 'x', requestedSchema }));
  assert.ok(await goesOut({ mode: 'url', message: 'x', url }));
  assert.ok(!(await goesOut({ requestedSchema })));
  assert.ok(!(await goesOut({ message: 5, requestedSchema })));
  assert.ok(!(await goesOut({ mode: 'voice', message: 'x', requestedSchema })));
  assert.ok(!(await goesOut({ message: 'x' })));
  assert.ok(!(await goesOut({ message: 'x', url })));
  assert.ok(!(await goesOut({ mode: 'url', message: 'x' })));
  assert.ok(!(await goesOut({ mode: 'url', url })));
});

test('the URL of an elicitation is one [ELIC-17]', async (t) => {
  const goesOut = await asker(t, 'elicitation/create');
  for (const url of ['', 'a.example/form', '/form', 'https://', 'http://[', 5, null]) {
    assert.ok(!(await goesOut({ mode: 'url', message: 'x', url })), String(url));
  }
});

test('the form of an elicitation is a flat object of primitives [ELIC-14]', async (t) => {
  const goesOut = await asker(t, 'elicitation/create');
  const titled = [{ const: 'a', title: 'A' }];
  const fields = [
    { type: 'string', format: 'email', minLength: 1 },
    { type: 'number', minimum: 0 },
    { type: 'integer' },
    { type: 'boolean', default: true },
    { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
    { type: 'string', oneOf: titled },
    { type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1 },
    { type: 'array', items: { anyOf: titled } },
  ];
  const form = (field: unknown): object => ({
    message: 'x',
    requestedSchema: { type: 'object', properties: { field }, required: ['field'] },
  });
  for (const field of fields) assert.ok(await goesOut(form(field)), JSON.stringify(field));
  const nested = [
    { type: 'object', properties: {} },
    { type: 'array', items: { type: 'string' } },
    { type: 'array', items: { type: 'object' } },
    { type: 'null' },
    { $ref: '#/$defs/x' },
    {},
    true,
    null,
  ];
  for (const field of nested) assert.ok(!(await goesOut(form(field))), JSON.stringify(field));
  for (const requestedSchema of [{ type: 'string' }, { type: 'object' }, { properties: {} }, [], 'x']) {
    assert.ok(!(await goesOut({ message: 'x', requestedSchema })), JSON.stringify(requestedSchema));
  }
});

const TEXT = { type: 'text', text: 'x' };
const USE = { type: 'tool_use', id: 'u1', name: 't', input: {} };
const RESULT = { type: 'tool_result', toolUseId: 'u1', content: [TEXT] };

test('a sampling message has a role and content blocks [SAMP-15]', async (t) => {
  const goesOut = await asker(t, 'sampling/createMessage');
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  const sampling = (message: unknown): object => ({ messages: [message], maxTokens: 1 });
  for (const content of [TEXT, [TEXT, image], image, []]) {
    assert.ok(await goesOut(sampling({ role: 'user', content })));
    assert.ok(await goesOut(sampling({ role: 'assistant', content })));
  }
  for (const content of [
    undefined,
    'x',
    { type: 'resource_link' },
    { type: 'text' },
    [TEXT, 5],
    { ...image, data: '!' },
  ]) {
    assert.ok(!(await goesOut(sampling({ role: 'user', content }))), JSON.stringify(content));
  }
  for (const role of [undefined, 'system', 5]) assert.ok(!(await goesOut(sampling({ role, content: TEXT }))));
  assert.ok(!(await goesOut({ messages: 'x', maxTokens: 1 })));
  assert.ok(!(await goesOut({ messages: [] })));
});

test('tool results of a sampling stand alone, right after the uses that they answer [SAMP-11] [SAMP-12] [SAMP-13]', async (t) => {
  const goesOut = await asker(t, 'sampling/createMessage');
  const sampling = (...contents: readonly (readonly object[])[]): object => ({
    messages: contents.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
    maxTokens: 1,
  });
  const other = { ...USE, id: 'u2' };
  const otherResult = { ...RESULT, toolUseId: 'u2' };
  assert.ok(await goesOut(sampling([TEXT], [USE], [RESULT])));
  assert.ok(await goesOut(sampling([TEXT], [TEXT, USE, other], [otherResult, RESULT], [TEXT], [TEXT])));
  assert.ok(!(await goesOut(sampling([TEXT], [USE], [RESULT, TEXT]))), 'mixed with text');
  assert.ok(!(await goesOut(sampling([TEXT], [USE], [TEXT]))), 'not answered');
  assert.ok(!(await goesOut(sampling([TEXT], [USE]))), 'not answered at the end');
  assert.ok(!(await goesOut(sampling([TEXT], [USE, other], [RESULT]))), 'one of two answered');
  assert.ok(!(await goesOut(sampling([TEXT], [USE, other], [RESULT, RESULT]))), 'one answered twice');
  assert.ok(!(await goesOut(sampling([TEXT], [USE], [otherResult]))), 'another one answered');
  assert.ok(!(await goesOut(sampling([RESULT]))), 'nothing to answer');
  assert.ok(!(await goesOut(sampling([TEXT], [RESULT]))), 'answered by the assistant');
});
