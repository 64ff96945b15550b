import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import type { SchemaLike, Server } from 'mcpwire/server';
import * as v from 'valibot';
import * as z from 'zod';
import type { Json } from '../support/messages.ts';
import { at } from '../support/messages.ts';
import {
  accept,
  callTool,
  converse,
  questionsOf,
  reportingServer,
  stateOf,
  text,
  wordsOf,
} from './rounds.ts';

/** A server that asks with this schema and gives back what the handler got. */
function asking(schema: SchemaLike): { server: Server; words: () => string } {
  const { server, reports } = reportingServer();
  server.tool('ask', {}, async (_args, context) =>
    JSON.stringify(await context.elicit('form', { message: 'Please', schema })),
  );
  return { server, words: () => wordsOf(reports) };
}

/** The schema that goes out for this one. */
async function requested(schema: SchemaLike): Promise<unknown> {
  const { server } = asking(schema);
  return at(questionsOf(await callTool(server, 'ask')), 'form', 'params', 'requestedSchema');
}

/** What the handler gets for an accepted form with this content; undefined where it is asked again. */
async function taken(schema: SchemaLike, content: Json): Promise<unknown> {
  const { server } = asking(schema);
  const result = await callTool(server, 'ask', { inputResponses: { form: accept(content) } });
  return result['resultType'] === 'complete' ? at(JSON.parse(text(result)), 'content') : undefined;
}

const titled = [
  { const: 'r', title: 'Red' },
  { const: 'g', title: 'Green' },
];

const JSON_FORM = {
  type: 'object',
  properties: {
    text: {
      type: 'string',
      title: 'Text',
      description: 'Some text',
      minLength: 1,
      maxLength: 5,
      default: 'abc',
    },
    email: { type: 'string', format: 'email' },
    page: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
    time: { type: 'string', format: 'date-time' },
    number: { type: 'number', minimum: 0.5, maximum: 9.5, default: 1.5 },
    integer: { type: 'integer', minimum: 1, maximum: 9, default: 2 },
    yes: { type: 'boolean', default: true },
    one: { type: 'string', enum: ['a', 'b'], default: 'a' },
    legacy: { type: 'string', enum: ['a', 'b'], enumNames: ['Ah', 'Be'] },
    titledOne: { type: 'string', oneOf: titled, default: 'r' },
    many: {
      type: 'array',
      items: { type: 'string', enum: ['a', 'b'] },
      minItems: 1,
      maxItems: 2,
      default: ['a'],
    },
    titledMany: { type: 'array', items: { anyOf: titled } },
  },
  required: ['text', 'integer'],
};

test('a JSON Schema of every kind of field goes out as it is [ELIC-13] [ELIC-14]', async () => {
  assert.deepEqual(await requested(JSON_FORM), JSON_FORM);
});

test('the same form from zod, Valibot and ArkType is the same question [ELIC-14]', async () => {
  const expected = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2, maxLength: 20 },
      age: { type: 'integer', minimum: 0, maximum: 150 },
      weight: { type: 'number' },
      agrees: { type: 'boolean' },
      color: { type: 'string', enum: ['red', 'green'] },
      sizes: { type: 'array', items: { type: 'string', enum: ['s', 'm'] } },
    },
    required: ['name', 'age', 'agrees', 'color', 'sizes'],
  };
  const zod = z.object({
    name: z.string().min(2).max(20),
    age: z.int().min(0).max(150),
    weight: z.number().optional(),
    agrees: z.boolean(),
    color: z.enum(['red', 'green']),
    sizes: z.array(z.enum(['s', 'm'])),
  });
  const valibot = toStandardJsonSchema(
    v.object({
      name: v.pipe(v.string(), v.minLength(2), v.maxLength(20)),
      age: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(150)),
      weight: v.optional(v.number()),
      agrees: v.boolean(),
      color: v.picklist(['red', 'green']),
      sizes: v.array(v.picklist(['s', 'm'])),
    }),
  );
  const arktype = type({
    name: '2 <= string <= 20',
    age: '0 <= number.integer <= 150',
    'weight?': 'number',
    agrees: 'boolean',
    color: '"red" | "green"',
    sizes: '("s" | "m")[]',
  });
  const content = { name: 'Ann', age: 7, agrees: true, color: 'red', sizes: ['m'] };
  for (const schema of [zod, valibot, arktype]) {
    const form = (await requested(schema)) as Json;
    assert.deepEqual(sorted(form), sorted(expected), JSON.stringify(form));
    assert.deepEqual(await taken(schema, content), content);
    assert.equal(await taken(schema, { ...content, age: 7.5 }), undefined);
    assert.equal(await taken(schema, { ...content, color: 'blue' }), undefined);
    assert.equal(await taken(schema, { ...content, sizes: ['xl'] }), undefined);
  }
});

/** The order of fields and of choices is the library's own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted).toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, sorted(member)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

test('formats, titles, descriptions and defaults of zod go out; what clients can not use stays here and is still checked', async () => {
  const schema = z.object({
    email: z.email().meta({ title: 'E-mail' }),
    page: z.url().describe('Your page'),
    day: z.iso.date(),
    time: z.iso.datetime(),
    code: z.string().regex(/^[a-z]+$/),
    ip: z.ipv4().optional(),
    count: z.int().positive().default(3),
    below: z.int().lt(10).optional(),
    plan: z.union([z.literal('free').meta({ title: 'Free' }), z.literal('paid')]),
    fixed: z.literal('only').default('only'),
    agrees: z.boolean().default(false),
  });
  assert.deepEqual(await requested(schema), {
    type: 'object',
    properties: {
      email: { type: 'string', title: 'E-mail', format: 'email' },
      page: { type: 'string', description: 'Your page', format: 'uri' },
      day: { type: 'string', format: 'date' },
      time: { type: 'string', format: 'date-time' },
      code: { type: 'string' },
      ip: { type: 'string' },
      count: { type: 'integer', default: 3, minimum: 1 },
      below: { type: 'integer', maximum: 9 },
      plan: {
        type: 'string',
        oneOf: [
          { const: 'free', title: 'Free' },
          { const: 'paid', title: 'paid' },
        ],
      },
      fixed: { type: 'string', default: 'only', enum: ['only'] },
      agrees: { type: 'boolean', default: false },
    },
    required: ['email', 'page', 'day', 'time', 'code', 'plan'],
  });
  const content = {
    email: 'a@b.example',
    page: 'https://b.example/',
    day: '2026-01-02',
    time: '2026-01-02T03:04:05Z',
    code: 'abc',
    plan: 'free',
  };
  assert.deepEqual(await taken(schema, content), { ...content, count: 3, fixed: 'only', agrees: false });
  assert.equal(await taken(schema, { ...content, code: '123' }), undefined);
  assert.equal(await taken(schema, { ...content, ip: 'none' }), undefined);
  assert.equal(await taken(schema, { ...content, count: 0 }), undefined);
});

test('what can not be asked in a form is an error that names key and field, whoever the client is', async () => {
  const wrong: readonly (readonly [SchemaLike, RegExp])[] = [
    [z.object({ address: z.object({ city: z.string() }) }), /form\.address/],
    [z.object({ tags: z.array(z.string()) }), /form\.tags/],
    [z.object({ maybe: z.string().nullable() }), /form\.maybe/],
    [z.object({ either: z.union([z.string(), z.number()]) }), /form\.either/],
    [z.object({ any: z.any() }), /form\.any/],
    [{ type: 'object', properties: { list: { type: 'array', items: { type: 'integer' } } } }, /form\.list/],
    [{ type: 'object', properties: { none: { type: 'null' } } }, /form\.none/],
    [{ type: 'object', properties: { numbers: { type: 'integer', enum: [1, 2] }, odd: true } }, /form\.odd/],
    [z.string(), /the schema of "form" must be an object/],
    [{ type: 'array' }, /the schema of "form" must be an object/],
    [{ type: 'object', properties: { a: { type: 'wrong' } } }, /"form"|form\.a/],
  ];
  for (const [schema, words] of wrong) {
    for (const capabilities of [{}, { elicitation: {} }]) {
      const { server, words: reported } = asking(schema);
      const result = await callTool(server, 'ask', {}, { capabilities });
      assert.equal(result['isError'], true);
      assert.match(reported(), /UsageError/);
      assert.match(reported(), words);
    }
  }
});

test('a schema whose output is no JSON gives the same value in every round: dates stay dates', async () => {
  const schema = z.object({
    day: z.iso.date().transform((day) => new Date(day)),
    tags: z.enum(['a', 'b']).transform((tag) => new Set([tag])),
  });
  const seen: unknown[] = [];
  const { server } = reportingServer();
  server.tool('ask', {}, async (_args, context) => {
    const answer = await context.elicit('form', { message: 'Which day?', schema });
    if (answer.action === 'accept') seen.push(answer.content.day.getUTCFullYear(), [...answer.content.tags]);
    await context.elicit('more', { message: 'More?', schema: z.object({}) });
    return 'done';
  });
  const answers = { form: accept({ day: '2026-05-04', tags: 'a' }), more: accept({}) };
  await converse(server, 'tools/call', { name: 'ask' }, answers);
  assert.deepEqual(seen, [2026, ['a'], 2026, ['a']]);
});

test('an answer is checked once: a schema that looks something up does not refuse it in a later round', async () => {
  const names = new Set(['taken']);
  const schema = z.object({
    name: z.string().refine(async (name) => !names.has(name), 'is taken'),
  });
  const { server } = reportingServer();
  server.tool('ask', {}, async (_args, context) => {
    const answer = await context.elicit('form', { message: 'A name?', schema });
    if (answer.action !== 'accept') return 'none';
    await context.step('register', () => void names.add(answer.content.name));
    await context.elicit('more', { message: 'More?', schema: z.object({}) });
    return answer.content.name;
  });
  const answers = { form: accept({ name: 'free' }), more: accept({}) };
  const { result } = await converse(server, 'tools/call', { name: 'ask' }, answers);
  assert.equal(text(result), 'free');
});

test('a required field with a default is asked and checked alike', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string', default: 'x' } }, required: ['a'] };
  assert.deepEqual(await requested(schema), schema);
  assert.equal(await taken(schema, {}), undefined);
  assert.deepEqual(await taken(schema, { a: 'x' }), { a: 'x' });
});

test('a JSON Schema that its author changes is asked as it is now', async () => {
  const schema = {
    type: 'object',
    properties: { pick: { type: 'string', enum: ['a'] } },
    required: ['pick'],
  };
  const { server } = asking(schema);
  const choices = async (): Promise<unknown> =>
    at(
      questionsOf(await callTool(server, 'ask')),
      'form',
      'params',
      'requestedSchema',
      'properties',
      'pick',
      'enum',
    );
  assert.deepEqual(await choices(), ['a']);
  schema.properties.pick.enum = ['b', 'c'];
  assert.deepEqual(await choices(), ['b', 'c']);
});

test('fields may be called like members of every object', async () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"boolean"}},"required":["__proto__"]}',
  ) as Json;
  assert.equal(JSON.stringify(await requested(schema)), JSON.stringify(schema));
  const { server } = asking(schema);
  const first = await callTool(server, 'ask');
  const content = JSON.parse('{"__proto__":"x","constructor":true}') as Json;
  const retry = { inputResponses: { form: accept(content) }, requestState: stateOf(first) };
  const got = text(await callTool(server, 'ask', retry));
  assert.equal(got, '{"action":"accept","content":{"__proto__":"x","constructor":true}}');
});
