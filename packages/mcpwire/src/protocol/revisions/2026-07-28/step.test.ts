import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../json.ts';
import { STEP_2026_07_28, STEP_UP_2026_07_28 } from './step.ts';

const output = (outputSchema: JsonObject) => {
  const listed = STEP_2026_07_28.result?.('tools/list', { tools: [{ name: 't', outputSchema }] });
  const tools = listed?.['tools'] as { outputSchema: JsonObject }[] | undefined;
  return tools?.[0]?.outputSchema;
};

test('an output schema of an object stays, any other stands in a member named result', () => {
  const object = { type: 'object', properties: {} };
  assert.deepEqual(output(object), object);
  const wrapped = (result: JsonObject) => ({ type: 'object', properties: { result }, required: ['result'] });
  for (const schema of [{ type: 'string' }, { type: 'array', items: {} }, { type: ['string', 'null'] }]) {
    assert.deepEqual(output(schema), wrapped(schema));
  }
});

test('where the value may be an object or not the schema says both, as the values do', () => {
  for (const schema of [{}, { type: ['object', 'null'] }, { oneOf: [] }]) {
    const wrapped = { type: 'object', properties: { result: schema }, required: ['result'] };
    assert.deepEqual(output(schema), { type: 'object', anyOf: [schema, wrapped] });
  }
});

test('definitions and the dialect stay at the root, where references look for them', () => {
  const $defs = { n: { type: 'number' } };
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  assert.deepEqual(output({ $schema, $defs, type: 'array', items: { $ref: '#/$defs/n' } }), {
    $schema,
    $defs,
    type: 'object',
    properties: { result: { type: 'array', items: { $ref: '#/$defs/n' } } },
    required: ['result'],
  });
});

test('structured content that is no object is wrapped, also null and false', () => {
  for (const value of [[1], 'x', 0, false, null]) {
    const result = STEP_2026_07_28.result?.('tools/call', { content: [], structuredContent: value });
    assert.deepEqual(result, { content: [], structuredContent: { result: value } });
  }
  const without = STEP_2026_07_28.result?.('tools/call', { resultType: 'complete', content: [] });
  assert.deepEqual(without, { content: [] });
});

test('a reference to the root still leads to what it meant', () => {
  const tree = { type: 'array', items: { $ref: '#' }, default: { $ref: '#' } };
  const moved = { type: 'array', items: { $ref: '#/properties/result' }, default: { $ref: '#' } };
  assert.deepEqual(output(tree), { type: 'object', properties: { result: moved }, required: ['result'] });
  const either = { anyOf: [{ type: 'string' }, { properties: { deep: { $ref: '#/anyOf/0' } } }] };
  const inner = { anyOf: [{ type: 'string' }, { properties: { deep: { $ref: '#/anyOf/0/anyOf/0' } } }] };
  assert.deepEqual(output(either), {
    type: 'object',
    anyOf: [inner, { type: 'object', properties: { result: inner }, required: ['result'] }],
  });
});

test('of a request the envelope goes, and what only a retry has; the rest stays', () => {
  const { request } = STEP_2026_07_28;
  const params = { name: 't', arguments: { requestState: 1 }, inputResponses: {}, requestState: 's' };
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', progressToken: 1 };
  assert.deepEqual(request?.('tools/call', { ...params, _meta }), {
    name: 't',
    arguments: { requestState: 1 },
    _meta: { progressToken: 1 },
  });
  assert.deepEqual(request?.('tools/list', { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } }), {});
});

test('upward, a result is complete, and where it could be cached it is not [CACHE-12]', () => {
  const { result } = STEP_UP_2026_07_28;
  const cached = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/read']) {
    assert.deepEqual(result?.(method, { a: 1, ttlMs: 5 }), { a: 1, ...cached }, method);
  }
  assert.deepEqual(result?.('tools/call', { content: [] }), { content: [], resultType: 'complete' });
  assert.deepEqual(result?.('tools/call', { content: [], resultType: 'odd', _meta: {} }), {
    content: [],
    resultType: 'complete',
  });
});

test('upward, a further page has a name or is none, and a tool result has content', () => {
  const { result } = STEP_UP_2026_07_28;
  assert.equal(result?.('tools/list', { tools: [], nextCursor: 'n' })['nextCursor'], 'n');
  assert.ok(!('nextCursor' in (result?.('tools/list', { tools: [], nextCursor: null }) ?? {})));
  assert.deepEqual(result?.('tools/call', { structuredContent: {} })['content'], []);
});

test('upward, tools run as ordinary calls, and malformed ones take nothing down', () => {
  const tools = [
    { name: 'a', execution: { taskSupport: 'required' } },
    null,
    7,
    { name: 'b', execution: 'odd', own: 1 },
    { name: 'c', execution: { taskSupport: 'optional', own: 1 } },
  ];
  assert.deepEqual(STEP_UP_2026_07_28.result?.('tools/list', { tools })['tools'], [
    { name: 'a' },
    null,
    7,
    { name: 'b', execution: 'odd', own: 1 },
    { name: 'c', execution: { own: 1 } },
  ]);
  assert.equal(STEP_UP_2026_07_28.result?.('tools/list', { tools: 'none' })['tools'], 'none');
});

test('upward, a question has no id of its own, no task and no progress', () => {
  const { question } = STEP_UP_2026_07_28;
  const url = { mode: 'url', message: '?', url: 'https://example.com' };
  assert.deepEqual(
    question?.({
      method: 'elicitation/create',
      params: { ...url, elicitationId: 'e', task: { ttl: 1 }, _meta: { progressToken: 1 } },
    }),
    { method: 'elicitation/create', params: url },
  );
  assert.deepEqual(question?.({ method: 'roots/list', params: { _meta: { 'a.b/c': 1 } } }), {
    method: 'roots/list',
    params: { _meta: { 'a.b/c': 1 } },
  });
  assert.deepEqual(STEP_UP_2026_07_28.serverCapabilities?.({ tools: {}, tasks: {} }), { tools: {} });
});
