import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../json.ts';
import { Untranslatable } from '../step.ts';
import { STEP_2025_11_25, STEP_UP_2025_11_25 } from './step.ts';

const question = (method: string, params: JsonObject) =>
  STEP_2025_11_25.question?.({ method, params })?.params;

const form = (properties: JsonObject) =>
  question('elicitation/create', {
    mode: 'form',
    message: '?',
    requestedSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties },
  });

test('a form has no mode and no $schema, and its fields lose what came with 2025-11-25', () => {
  const properties = {
    name: { type: 'string', title: 'Name', default: 'John' },
    age: { type: 'integer', default: 3, minimum: 0 },
    sure: { type: 'boolean', default: true },
    plain: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
  };
  assert.deepEqual(form(properties), {
    message: '?',
    requestedSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name' },
        age: { type: 'integer', minimum: 0 },
        sure: { type: 'boolean', default: true },
        plain: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
      },
    },
  });
});

test('a choice with titles becomes enum and enumNames', () => {
  const oneOf = [{ const: 'r', title: 'Red' }, { const: 'g' }];
  assert.deepEqual(form({ color: { type: 'string', title: 'Color', oneOf } }), {
    message: '?',
    requestedSchema: {
      type: 'object',
      properties: { color: { type: 'string', title: 'Color', enum: ['r', 'g'], enumNames: ['Red', 'g'] } },
    },
  });
});

test('a choice of several, and a URL, are things that the older revision cannot ask', () => {
  const several = { type: 'array', items: { type: 'string', enum: ['a'] } };
  assert.throws(
    () => form({ several }),
    new Untranslatable('the field several takes several choices, which exist since 2025-11-25'),
  );
  assert.throws(
    () => question('elicitation/create', { mode: 'url', message: '?', url: 'x:y' }),
    Untranslatable,
  );
});

test('a sampling message of several blocks becomes several messages of the same role', () => {
  const text = (words: string) => ({ type: 'text', text: words });
  const messages = [
    { role: 'user', content: [text('a'), text('b')] },
    { role: 'assistant', content: text('c') },
  ];
  assert.deepEqual(question('sampling/createMessage', { maxTokens: 1, messages, _meta: {} }), {
    maxTokens: 1,
    messages: [
      { role: 'user', content: text('a') },
      { role: 'user', content: text('b') },
      { role: 'assistant', content: text('c') },
    ],
  });
});

test('tools in sampling are something that the older revision cannot ask, in whatever form', () => {
  const base = { maxTokens: 1, messages: [] };
  const use = { type: 'tool_use', id: '1', name: 'n', input: {} };
  for (const params of [
    { ...base, tools: [] },
    { ...base, toolChoice: { mode: 'auto' } },
    { ...base, messages: [{ role: 'assistant', content: [use] }] },
    { ...base, messages: [{ role: 'assistant', content: use }] },
  ]) {
    assert.throws(() => question('sampling/createMessage', params), Untranslatable);
  }
});

test('roots are asked as before', () => {
  assert.deepEqual(question('roots/list', {}), {});
});

test('icons go from entries, from links and from nothing else', () => {
  const icons = [{ src: 'x:y' }];
  assert.deepEqual(STEP_2025_11_25.result?.('prompts/list', { prompts: [{ name: 'p', icons }] }), {
    prompts: [{ name: 'p' }],
  });
  const content = [
    { type: 'resource_link', uri: 'x:y', name: 'n', icons },
    { type: 'text', text: 't' },
  ];
  assert.deepEqual(STEP_2025_11_25.result?.('tools/call', { content, structuredContent: { icons } }), {
    content: [
      { type: 'resource_link', uri: 'x:y', name: 'n' },
      { type: 'text', text: 't' },
    ],
    structuredContent: { icons },
  });
});

test('upward, a choice with titles is one of alternatives; other fields, and what is malformed, stay', () => {
  const properties = {
    color: { type: 'string', title: 'Color', enum: ['r', 'g', 'b'], enumNames: ['Red', 7], default: 'r' },
    plain: { type: 'string', enum: ['a'] },
    odd: 'odd',
    names: { type: 'string', enumNames: ['A'] },
  };
  const up = (requestedSchema: unknown): unknown =>
    STEP_UP_2025_11_25.question?.({ method: 'elicitation/create', params: { message: '?', requestedSchema } })
      .params['requestedSchema'];
  assert.deepEqual(up({ type: 'object', properties, required: ['plain'] }), {
    type: 'object',
    properties: {
      ...properties,
      color: {
        type: 'string',
        title: 'Color',
        oneOf: [
          { const: 'r', title: 'Red' },
          { const: 'g', title: 'g' },
          { const: 'b', title: 'b' },
        ],
        default: 'r',
      },
    },
    required: ['plain'],
  });
  assert.equal(up('none'), 'none');
  assert.equal(up(undefined), undefined);
});

test('an answer to sampling is one block: several texts become one, of others the first stays', () => {
  const { answer } = STEP_2025_11_25;
  const sampled = (content: unknown): unknown =>
    answer?.('sampling/createMessage', { role: 'assistant', model: 'm', content })['content'];
  const text = (words: string): JsonObject => ({ type: 'text', text: words });
  assert.deepEqual(sampled(text('a')), text('a'));
  assert.deepEqual(sampled([text('a')]), text('a'));
  assert.deepEqual(sampled([text('a'), text('b')]), text('a\nb'));
  const image = { type: 'image', data: '', mimeType: 'image/png' };
  assert.deepEqual(sampled([image, text('b')]), image);
  assert.deepEqual(sampled([]), text(''));
  const filled = { action: 'accept', content: { a: ['x', 'y'] } };
  assert.equal(answer?.('elicitation/create', filled), filled);
});
