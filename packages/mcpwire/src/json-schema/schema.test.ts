import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { Type } from 'typebox';
import * as v from 'valibot';
import { z } from 'zod';
import { z as zod3 } from 'zod3';
import { SchemaError } from './schema-problem.ts';
import { toSchema } from './schema.ts';
import type { InferInput, InferOutput, SchemaLike } from './schema.ts';

function refusal(source: SchemaLike, direction: 'input' | 'output' = 'input'): SchemaError {
  try {
    toSchema(source, direction);
  } catch (error) {
    assert.ok(error instanceof SchemaError, String(error));
    return error;
  }
  assert.fail('accepted');
}

const asJson = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'number', default: 3 } },
  required: ['city'],
};
const vendors: readonly (readonly [string, SchemaLike, object])[] = [
  ['zod', z.object({ city: z.string(), days: z.number().default(3) }), asJson],
  ['valibot', toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number(), 3) })), asJson],
  [
    'arktype',
    type({ city: 'string', days: 'number = 3' }),
    { ...asJson, properties: { city: { type: 'string' }, days: { type: 'number' } } },
  ],
];

for (const [vendor, source, json] of vendors) {
  test(`[BASE-38] ${vendor}: the JSON Schema is the vendor's, without the default dialect`, () => {
    const schema = toSchema(source, 'input');
    assert.deepEqual(schema.json, json);
    assert.equal(toSchema(source, 'output').json['$schema'], undefined);
  });

  test(`${vendor}: the vendor validates, and its value with defaults is the one to go on with`, async () => {
    const schema = toSchema(source, 'input');
    assert.deepEqual(await schema.validate({ city: 'Oslo' }), { ok: true, value: { city: 'Oslo', days: 3 } });
    const bad = await schema.validate({ city: 1 });
    assert.ok(!bad.ok);
    assert.equal(bad.issues[0]?.path, '/city');
    assert.match(bad.issues[0]?.message ?? '', /string/);
  });
}

test('input and output of a transforming schema differ', () => {
  const source = z.object({ day: z.string().pipe(z.coerce.number()), n: z.int().default(1) });
  assert.deepEqual(toSchema(source, 'input').json['required'], ['day']);
  assert.deepEqual(toSchema(source, 'output').json['required'], ['day', 'n']);
});

test('asynchronous vendors are awaited', async () => {
  const source = z.object({ name: z.string().refine(async (name) => name === 'free', 'is taken') });
  const validated = toSchema(source, 'input').validate({ name: 'used' });
  assert.ok(validated instanceof Promise);
  assert.deepEqual(await validated, { ok: false, issues: [{ path: '/name', message: 'is taken' }] });
});

test('a part that JSON Schema cannot say is refused with its path where the vendor lets it be found', () => {
  const nested = refusal(z.object({ a: z.object({ 'b/c': z.array(z.date()) }) }));
  assert.equal(nested.path, '/properties/a/properties/b~1c/items');
  assert.match(nested.message, /zod cannot write this as JSON Schema: Date/);
  assert.equal(refusal(z.object({ n: z.bigint() })).path, '/properties/n');
  assert.equal(refusal(z.object({ n: z.string().transform(Number) }), 'output').path, '/properties/n');
  assert.match(refusal(toStandardJsonSchema(v.object({ d: v.date() }))).message, /valibot cannot.*date/);
  assert.match(refusal(type({ d: 'Date' })).message, /arktype cannot.*date/);
  assert.match(refusal(type({ d: 'bigint' })).message, /arktype cannot.*domain/);
});

test('schemas that cannot write JSON Schema are refused with what to do', () => {
  assert.match(refusal(zod3.object({ a: zod3.string() })).message, /use zod 4\.2 or later/);
  assert.match(refusal(v.object({ a: v.string() })).message, /toStandardJsonSchema/);
  const other = {
    '~standard': { version: 1, vendor: 'other', validate: (value: unknown) => ({ value }) },
  } as const;
  assert.match(refusal(other).message, /this version of other does not write JSON Schema/);
});

test('a TypeBox type is a JSON Schema', async () => {
  const source = Type.Object({ city: Type.String(), days: Type.Optional(Type.Integer({ minimum: 1 })) });
  const schema = toSchema(source, 'input');
  assert.deepEqual(schema.json, {
    type: 'object',
    required: ['city'],
    properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
  });
  assert.deepEqual(schema.validate({ city: 'x', days: 1 }), { ok: true, value: { city: 'x', days: 1 } });
  assert.deepEqual(await schema.validate({ city: 'x', days: 0 }), {
    ok: false,
    issues: [{ path: '/days', message: 'must be at least 1' }],
  });
  assert.equal(refusal(Type.Object({ n: Type.BigInt() })).path, '/properties/n/type');
});

test('[BASE-32] a plain JSON Schema survives exactly, and later changes to the source do not reach it', () => {
  const source = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { kind: { $anchor: 'kind', enum: ['a', 'b'] } },
    properties: { kind: { $ref: '#kind', 'x-mcp-header': 'Kind' } },
    // oxlint-disable-next-line no-thenable -- a schema, never awaited
    allOf: [{ if: { required: ['kind'] }, then: { minProperties: 1 }, else: true }],
    $comment: 'kept',
  };
  const before = structuredClone(source);
  const { json } = toSchema(source, 'input');
  source.properties.kind.$ref = '#elsewhere';
  assert.deepEqual(json, before);
  assert.ok(Object.isFrozen(json) && Object.isFrozen(json['properties']));
});

test('a valid plain value is answered at once and as it is', async () => {
  const schema = toSchema(
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    'input',
  );
  const value = { a: 'x' };
  const validated = schema.validate(value);
  assert.ok(!(validated instanceof Promise) && validated.ok && validated.value === value);
  assert.deepEqual(await schema.validate({}), {
    ok: false,
    issues: [{ path: '', message: 'must have the property "a"' }],
  });
});

test('what is no JSON value is refused as a schema', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const source of [circle, { n: 1n }]) assert.match(refusal(source).message, /must be a JSON value/);
});

test('what z.toJSONSchema returns is taken as it is meant', () => {
  const schema = toSchema(z.toJSONSchema(z.object({ a: z.string() })), 'input');
  assert.deepEqual(schema.json['required'], ['a']);
  assert.equal('~standard' in schema.json, false);
});

test('types are inferred for Standard Schemas and stay open for JSON Schema', () => {
  const source = z.object({ city: z.string(), days: z.number().default(3) });
  const input: InferInput<typeof source> = { city: 'x' };
  const output: InferOutput<typeof source> = { city: 'x', days: 3 };
  const open: InferInput<typeof asJson> = { anything: 1 };
  // @ts-expect-error -- the output always has `days`
  const incomplete: InferOutput<typeof source> = { city: 'x' };
  for (const value of [input, output, open, incomplete]) assert.equal(typeof value, 'object');
});
