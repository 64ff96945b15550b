import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../json.ts';
import { STEP_2026_07_28 } from './step.ts';

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
