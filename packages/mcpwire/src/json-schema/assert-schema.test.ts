import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSchema } from './assert-schema.ts';
import type { SchemaBounds } from './schema-bounds.ts';
import { SchemaError } from './schema-problem.ts';

function refusal(schema: unknown, bounds?: SchemaBounds): SchemaError {
  try {
    // The check has to stand what untyped callers and other programs hand it.
    Reflect.apply(assertSchema, undefined, [schema, bounds]);
  } catch (error) {
    assert.ok(error instanceof SchemaError, String(error));
    return error;
  }
  assert.fail(`accepted ${JSON.stringify(schema)}`);
}

test('[BASE-32] [BASE-35] a schema without $schema is taken as 2020-12', () => {
  assertSchema({ prefixItems: [{ type: 'string' }], items: false });
  assert.match(refusal({ items: [{ type: 'string' }] }).message, /items must be a schema/);
});

test('[BASE-36] a schema is read in the dialect it declares', () => {
  assertSchema({ $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] });
  assertSchema({ $schema: 'http://json-schema.org/draft-07/schema', $defs: 5 });
  assertSchema({
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    properties: { next: { $recursiveRef: '#' } },
  });
});

test('[BASE-37] an unsupported dialect is refused by name', () => {
  const error = refusal({ $schema: 'http://json-schema.org/draft-04/schema#' });
  assert.match(
    error.message,
    /draft-04\/schema# is not supported; supported are 2020-12, 2019-09 and draft-07/,
  );
  assert.equal(error.path, '/$schema');
  assert.match(
    refusal({ properties: { a: { $schema: 'http://json-schema.org/draft-07/schema#' } } }).message,
    /another dialect/,
  );
});

test('[BASE-38] a keyword with a value of the wrong shape is refused with its path', () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    [{ type: 'int' }, '/type'],
    [{ type: [] }, '/type'],
    [{ required: true }, '/required'],
    [{ required: ['a', 'a'] }, '/required'],
    [{ properties: [] }, '/properties'],
    [{ properties: { 'a/b': { minLength: -1 } } }, '/properties/a~1b/minLength'],
    [{ enum: 'a' }, '/enum'],
    [{ exclusiveMinimum: true }, '/exclusiveMinimum'],
    [{ multipleOf: 0 }, '/multipleOf'],
    [{ pattern: '(' }, '/pattern'],
    [{ patternProperties: { '[': {} } }, '/patternProperties'],
    [{ patternProperties: { '(?<x>a)': {}, '(?<x>b)': {} } }, '/patternProperties'],
    [{ allOf: [] }, '/allOf'],
    [{ anyOf: [{ not: 3 }] }, '/anyOf/0/not'],
    [{ additionalProperties: null }, '/additionalProperties'],
    [{ dependentRequired: { a: 'b' } }, '/dependentRequired'],
  ];
  for (const [schema, path] of wrong) assert.equal(refusal(schema).path, path, JSON.stringify(schema));
  for (const schema of [null, 5, 'x', [], undefined]) {
    assert.match(refusal(schema).message, /must be an object or a boolean/);
  }
});

test('unknown keywords are allowed, whatever they hold', () => {
  assertSchema({ properties: { a: { type: 'string', 'x-mcp-header': 'Name' } }, nullable: 7, example: [] });
});

test('[BASE-39] [BASE-40] [BASE-42] a reference that leads outside is refused by name and never fetched', () => {
  const before = globalThis.fetch;
  globalThis.fetch = () => assert.fail('fetched');
  try {
    for (const $ref of [
      'https://example.com/a.json',
      'http://127.0.0.1/x#/a',
      'file:///etc/passwd',
      'urn:a:b',
    ]) {
      const error = refusal({ properties: { a: { $ref } } });
      assert.ok(error.message.includes($ref));
      assert.match(error.message, /never fetched/);
      assert.equal(error.path, '/properties/a/$ref');
    }
  } finally {
    globalThis.fetch = before;
  }
});

test('references resolve by pointer, by anchor and by $id inside the document', () => {
  assertSchema({ $defs: { 'a/b %': {} }, $ref: '#/$defs/a~1b%20%25' });
  assertSchema({ $defs: { a: { $anchor: 'here' } }, $ref: '#here' });
  assertSchema({
    $id: 'https://example.com/root',
    $defs: { a: { $id: 'other', $anchor: 'x' } },
    $ref: 'other#x',
  });
  assertSchema({ $id: 'urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed', properties: { a: { $ref: '#' } } });
  assertSchema({
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: { a: { $id: '#x' } },
    $ref: '#x',
  });
  for (const $ref of ['#/$defs/b', '#nowhere', 'other.json', '#/constructor']) {
    assert.match(
      refusal({ $ref, $defs: { a: {} }, type: 'object' }, {}).message,
      /nowhere|without end|outside/,
      $ref,
    );
  }
});

test('[BASE-43] depth, number of subschemas and chains of references are bounded', () => {
  let deep: object = {};
  for (let level = 0; level < 40; level += 1) deep = { items: deep };
  assert.match(refusal(deep).message, /nested more than 32 deep/);
  assertSchema({ items: { items: {} } }, { depth: 3 });
  assert.match(refusal({ items: { items: {} } }, { depth: 2 }).message, /nested more than 2 deep/);

  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`p${index}`, {}]));
  assert.match(refusal({ properties: many }).message, /more than 2000 subschemas/);

  const chain = Object.fromEntries(
    Array.from({ length: 70 }, (_, index) => [
      `d${index}`,
      index === 69 ? {} : { $ref: `#/$defs/d${index + 1}` },
    ]),
  );
  assert.match(refusal({ $defs: chain }).message, /more than 64 references/);
});

test('[BASE-43] references that never end are refused', () => {
  assert.match(refusal({ $ref: '#' }).message, /without end/);
  assert.match(
    refusal({ $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { anyOf: [{ $ref: '#/$defs/a' }] } } })
      .message,
    /without end/,
  );
  assertSchema({ type: 'object', properties: { child: { $ref: '#' } } });
});

test('[BASE-43] a schema that doubles with every reference is refused', () => {
  const defs = Object.fromEntries(
    Array.from({ length: 31 }, (_, index) => {
      const next = { $ref: `#/$defs/d${index + 1}` };
      return [`d${index}`, index === 30 ? {} : { allOf: [next, next] }];
    }),
  );
  assert.match(refusal({ $defs: defs, $ref: '#/$defs/d0' }).message, /subschemas meet a single value/);
});
