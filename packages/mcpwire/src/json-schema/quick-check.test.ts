import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileSchema } from './compile-schema.ts';
import type { SchemaNode } from './json-schema.ts';

const names = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString');
const scalars = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -0,
    1,
    2,
    2.5,
    1e21,
    '',
    'a',
    'ab',
    '\u{1F4A9}',
    '\u{1F4A9}b',
    '\ud800',
  ),
  fc.integer({ min: -5, max: 5 }),
);
const { json: values } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    scalars,
    fc.constantFrom<unknown>(Number.NaN, Infinity, undefined, new Date(0), [undefined], { a: undefined }),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(names, tie('json'), { maxKeys: 4 }),
  ),
}));

const count = fc.integer({ min: 0, max: 3 });
const number = fc.constantFrom(-1, 0, 1, 1.5, 2, 3);
const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const choices = fc.oneof(scalars, fc.constantFrom({ a: 1 }, [1]));

/** Schemas of the keywords the quick check knows, some it does not, in any mixture. */
const { schema: schemas } = fc.letrec<{ schema: SchemaNode }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.record(
      {
        type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
        minimum: number,
        maximum: number,
        exclusiveMinimum: number,
        multipleOf: fc.constantFrom(1, 2, 0.5, 0.1),
        minLength: count,
        maxLength: count,
        pattern: fc.constantFrom('^a', 'b$', '\\-'),
        format: fc.constant('email'),
        'x-unknown': fc.constant(1),
      },
      { requiredKeys: [] },
    ),
    fc.record({ const: choices, enum: fc.array(choices, { maxLength: 4 }) }, { requiredKeys: [] }),
    fc.record(
      {
        type: types,
        properties: fc.dictionary(names, tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(names, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        propertyNames: fc.constantFrom<SchemaNode>({ type: 'string' }, { maxLength: 1 }),
        minProperties: count,
        maxProperties: count,
        unevaluatedProperties: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        items: tie('schema'),
        prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        minItems: count,
        maxItems: count,
        uniqueItems: fc.boolean(),
        contains: tie('schema'),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        not: tie('schema'),
        $ref: fc.constantFrom('#/$defs/one', '#/$defs/two'),
      },
      { requiredKeys: [] },
    ),
    fc.boolean(),
  ),
}));

const documents = fc.record({ schema: schemas, one: schemas }).map(({ schema, one }) => ({
  allOf: [schema],
  $defs: { one: withoutReferences(one), two: { type: 'string' } },
}));

function withoutReferences(schema: SchemaNode): unknown {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === '$ref' ? undefined : value)));
}

test('quick says yes only where the library finds the value valid', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(documents, fc.array(values, { minLength: 1, maxLength: 8 }), async (schema, samples) => {
      const compiled = compileSchema(schema);
      for (const sample of samples) {
        if (!compiled.quick(sample)) continue;
        accepted += 1;
        assert.deepEqual(await compiled.check(sample), []);
      }
    }),
    { numRuns: 3_000 },
  );
  // A check that accepts nothing would hold the promise too.
  assert.ok(accepted > 1_000, `only ${accepted} values were accepted`);
});

test('quick accepts what plain tool schemas are made for', () => {
  const schema = {
    type: 'object',
    title: 'A tool input',
    properties: {
      city: { type: 'string', minLength: 1, pattern: '^[A-Z]', description: 'Where' },
      days: { type: 'integer', minimum: 1, maximum: 14, default: 3 },
      units: { enum: ['metric', 'imperial'] },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 3, uniqueItems: true },
      near: { $ref: '#/$defs/point' },
      note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      extra: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'number' } },
      shape: { oneOf: [tagged('circle'), tagged('square')] },
    },
    required: ['city'],
    additionalProperties: false,
    $defs: {
      point: {
        type: 'object',
        properties: { x: { type: 'number' }, y: { type: 'number' } },
        required: ['x', 'y'],
      },
    },
  };
  const { quick } = compileSchema(schema);
  const value = {
    city: 'Oslo',
    days: 3,
    units: 'metric',
    tags: ['a', 'b'],
    near: { x: 1, y: 2.5 },
    note: null,
    extra: { k: 1 },
    shape: { kind: 'square', size: 1 },
  };
  assert.equal(quick(value), true);
  assert.equal(quick({ city: 'Oslo' }), true);
  assert.equal(quick({ ...value, days: 3.5 }), false);
  assert.equal(quick({ ...value, other: 1 }), false);
  assert.equal(quick({ ...value, shape: { kind: 'line', size: 1 } }), false);
});

function tagged(kind: string): SchemaNode {
  return {
    type: 'object',
    properties: { kind: { const: kind }, size: { type: 'number' } },
    required: ['kind', 'size'],
  };
}

test('quick leaves schemas inside themselves to the library, so its depth never follows the value', () => {
  const { quick } = compileSchema({ type: 'object', properties: { child: { $ref: '#' } } });
  assert.equal(quick({}), true);
  assert.equal(quick({ child: {} }), false);
});
