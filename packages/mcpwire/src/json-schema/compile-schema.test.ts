import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { compileSchema } from './compile-schema.ts';
import type { SchemaNode } from './json-schema.ts';

async function problems(schema: SchemaNode, value: unknown): Promise<readonly string[]> {
  const issues = await compileSchema(schema).check(value);
  return issues.map(({ path, message }) => `${path}: ${message}`);
}

test('issues name each path and each property, and parents stay silent', async () => {
  const schema = {
    type: 'object',
    properties: {
      quantity: { type: 'integer', minimum: 1 },
      address: { type: 'object', properties: { 'a/b': { type: 'string' } }, required: ['city', 'zip'] },
      tags: { type: 'array', items: { enum: ['x', 'y'] } },
    },
    required: ['quantity', 'name'],
    additionalProperties: false,
  };
  assert.deepEqual(
    await problems(schema, { quantity: 1.5, address: { 'a/b': 1 }, tags: ['x', 'z'], extra: 1 }),
    [
      ': must have the property "name"',
      ': must not have the unknown property "extra"',
      '/quantity: must be an integer',
      '/address: must have the properties "city", "zip"',
      '/address/a~1b: must be a string',
      '/tags/1: must be one of "x", "y"',
    ],
  );
  assert.deepEqual(await problems({ additionalProperties: { type: 'integer' } }, { b: 'x' }), [
    '/b: must be an integer',
  ]);
});

test('alternatives are told apart by what the value was meant for', async () => {
  assert.deepEqual(await problems({ anyOf: [{ type: 'string' }, { type: 'null' }] }, 5), [
    ': must be a string or null',
  ]);
  const tagged = {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'a' }, x: { type: 'string' } },
        required: ['kind', 'x'],
      },
      {
        type: 'object',
        properties: { kind: { const: 'b' }, y: { type: 'number' } },
        required: ['kind', 'y'],
      },
    ],
  };
  assert.deepEqual(await problems(tagged, { kind: 'b', y: '1' }), ['/y: must be a number']);
  assert.deepEqual(await problems({ oneOf: [{ minimum: 1 }, { type: 'number' }] }, 3), [
    ': must match exactly one of the alternatives, but matches several',
  ]);
  assert.deepEqual(await problems({ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {}), [
    ': must match one of the alternatives: must have the property "a"; or must have the property "b"',
  ]);
});

test('many alternatives and many mistakes stay readable', async () => {
  const kinds = Array.from({ length: 12 }, (_, index) => ({
    type: 'object',
    properties: { kind: { const: `k${index}` }, n: { type: 'number' } },
    required: ['kind'],
  }));
  assert.deepEqual(await problems({ anyOf: kinds }, { kind: 'k11', n: 'x' }), ['/n: must be a number']);
  assert.deepEqual(await problems({ anyOf: kinds }, { kind: 'x' }), [
    ': must match one of the alternatives: /kind must be "k0"; or /kind must be "k1"; or /kind must be "k2"; or /kind must be "k3"; …',
  ]);
  assert.equal(
    (
      await problems(
        { items: { type: 'string' } },
        Array.from({ length: 100 }, () => 1),
      )
    ).length,
    20,
  );
});

test('format is an annotation', async () => {
  const compiled = compileSchema({ type: 'string', format: 'email' });
  assert.equal(compiled.quick('nobody'), true);
  assert.deepEqual(await compiled.check('nobody'), []);
});

test('[BASE-36] keywords of other dialects are ignored', async () => {
  assert.deepEqual(await problems({ dependencies: { a: ['b'] } }, { a: 1 }), []);
  const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' };
  assert.deepEqual(await problems({ ...draft7, dependentRequired: { a: ['b'] } }, { a: 1 }), []);
  assert.deepEqual(await problems({ ...draft7, dependencies: { a: ['b'] } }, { a: 1 }), [
    ': must have the property "b" beside "a"',
  ]);
});

test('names that every object answers to are members only where they are own', async () => {
  const hostile = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  for (const name of hostile) {
    const required = compileSchema({ type: 'object', required: [name] });
    assert.equal(required.quick({}), false);
    assert.deepEqual(await required.check({}), [{ path: '', message: `must have the property "${name}"` }]);
    const own: unknown = JSON.parse(`{"${name}":1}`);
    assert.equal(required.quick(own), true);
    assert.deepEqual(await required.check(own), []);
    const typed = compileSchema({ properties: { [name]: { type: 'string' } } });
    assert.deepEqual(await typed.check({}), []);
    const closed = compileSchema({ additionalProperties: false, properties: {} });
    assert.equal(closed.quick(own), false);
    assert.equal((await closed.check(own)).length, 1);
  }
  assert.deepEqual(
    await problems({ $defs: { constructor: { type: 'string' } }, $ref: '#/$defs/constructor' }, 1),
    [': must be a string'],
  );
});

test('lengths are counted in code points', async () => {
  const compiled = compileSchema({ type: 'string', minLength: 2, maxLength: 2 });
  for (const text of ['ab', '\u{1F4A9}\u{1F4A9}', 'e\u0301']) {
    assert.deepEqual(await compiled.check(text), [], text);
  }
  for (const text of ['a', '\u{1F4A9}', 'abc']) {
    assert.equal(compiled.quick(text), false, text);
    assert.equal((await compiled.check(text)).length, 1, text);
  }
});

test('values are judged as JSON would carry them', async () => {
  const schema = { type: 'object', properties: { at: { type: 'string' } }, additionalProperties: false };
  assert.deepEqual(await problems(schema, { at: new Date(0), gone: undefined }), []);
  assert.deepEqual(await problems({ type: 'number' }, Number.NaN), [': must be a number']);
  assert.deepEqual(await problems({}, undefined), [': must be a value that JSON can carry']);
  assert.equal(compileSchema({}).quick(undefined), false);
});

test('[BASE-43] a check that follows references without measure ends', async () => {
  const twice = { properties: { a: { $ref: '#' } } };
  let value: object = {};
  for (let level = 0; level < 60; level += 1) value = { a: value };
  assert.deepEqual(await problems({ allOf: [twice, twice] }, value), [
    ': takes too long to check against the schema',
  ]);
  const names = { properties: { a: { $dynamicRef: '#node' } } };
  assert.deepEqual(await problems({ $dynamicAnchor: 'node', allOf: [names, names] }, value), [
    ': takes too long to check against the schema',
  ]);
});

test('[BASE-43] values that are too deep or too large to explain are refused without harm', async () => {
  let deep: object = {};
  for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
  assert.deepEqual(await problems({ properties: { a: { $ref: '#' } } }, deep), [
    ': is nested too deeply to check',
  ]);
  const large = Array.from({ length: 100_000 }, () => 1);
  assert.deepEqual(await problems({ uniqueItems: true }, large), [
    ': does not match the schema, and is too large to say where',
  ]);
});

const compiledModule = JSON.stringify(new URL('compile-schema.js', import.meta.url).href);

test('plain valid values do not load the library', () => {
  const hooks = `export async function resolve(name, context, next) {
    if (name.startsWith('typebox')) throw new Error('the library was loaded');
    return next(name, context);
  }`;
  const source = `
    import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));
    const { compileSchema } = await import(${compiledModule});
    const compiled = compileSchema({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] });
    if (!compiled.quick({ a: 'x' })) throw new Error('left to the library');
    await compiled.check({}).then(() => process.exit(1), (error) => process.exit(/was loaded/.test(error.message) ? 0 : 2));
  `;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});

test('checking needs no code generation', () => {
  const source = `
    const { compileSchema } = await import(${compiledModule});
    const issues = await compileSchema({ type: 'object', required: ['a'], unevaluatedProperties: false }).check({ b: 1 });
    process.exit(issues.length === 2 ? 0 : 1);
  `;
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '-e', source];
  const { status, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});
