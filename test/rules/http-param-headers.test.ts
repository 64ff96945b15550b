import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer, DefinitionError } from 'mcpwire/server';
import { rulesServer } from '../fixtures/rules-server.ts';
import { encodeHeaderValue } from '../support/header-value.ts';
import type { HeaderChanges } from '../support/http-peer.ts';
import { serve } from '../support/http-peer.ts';
import type { Json } from '../support/messages.ts';
import { assertError, call, textOf } from '../support/messages.ts';
import { startStdio } from '../support/stdio-peer.ts';

const GOOD: readonly (readonly [Json, HeaderChanges])[] = [
  [{}, {}],
  [{ region: 'eu' }, {}],
  [{ zone: 'eu-1' }, { 'Mcp-Param-Zone': 'eu-1' }],
  [{ zone: 'eu-1' }, { 'mcp-param-zone': ' eu-1 ' }],
  [{ zone: 'Hello, 世界' }, { 'Mcp-Param-Zone': encodeHeaderValue('Hello, 世界') }],
  [{ zone: ' padded ' }, { 'Mcp-Param-Zone': encodeHeaderValue(' padded ') }],
  [{ zone: 'line1\nline2' }, { 'Mcp-Param-Zone': encodeHeaderValue('line1\nline2') }],
  [{ zone: '=?base64?literal?=' }, { 'Mcp-Param-Zone': encodeHeaderValue('=?base64?literal?=') }],
  [{ zone: '' }, { 'Mcp-Param-Zone': '' }],
  [{ count: 42 }, { 'Mcp-Param-Count': '42' }],
  [{ count: 42 }, { 'Mcp-Param-Count': '42.0' }],
  [{ count: -7 }, { 'Mcp-Param-Count': '-7' }],
  [{ dry: true }, { 'Mcp-Param-Dry': 'true' }],
  [{ dry: false }, { 'Mcp-Param-Dry': 'false' }],
  [{ deep: { key: 'k' } }, { 'Mcp-Param-Deep-Key': 'k' }],
  [{ deep: {} }, {}],
  [
    { zone: 'z', count: 1, dry: true },
    { 'Mcp-Param-Zone': 'z', 'Mcp-Param-Count': '1', 'Mcp-Param-Dry': 'true' },
  ],
  [{ region: 'eu' }, { 'Mcp-Param-Region': 'something else', 'Mcp-Param-Unknown': 'x' }],
];

const BAD: readonly (readonly [string, Json, HeaderChanges])[] = [
  ['missing', { zone: 'eu-1' }, {}],
  ['missing in the deep', { deep: { key: 'k' } }, {}],
  ['missing though empty', { zone: '' }, {}],
  ['different', { zone: 'eu-1' }, { 'Mcp-Param-Zone': 'eu-2' }],
  ['in another case', { zone: 'eu-1' }, { 'Mcp-Param-Zone': 'EU-1' }],
  ['twice', { zone: 'eu-1' }, { 'Mcp-Param-Zone': ['eu-1', 'eu-1'] }],
  ['without its argument', {}, { 'Mcp-Param-Zone': 'eu-1' }],
  ['different when decoded', { zone: 'a' }, { 'Mcp-Param-Zone': encodeHeaderValue('b') }],
  ['with bad padding', { zone: 'ab' }, { 'Mcp-Param-Zone': '=?base64?YWI?=' }],
  ['with a bad alphabet', { zone: 'ab' }, { 'Mcp-Param-Zone': '=?base64?YW_I?=' }],
  ['with bytes that are no UTF-8', { zone: 'ab' }, { 'Mcp-Param-Zone': '=?base64?/w==?=' }],
  ['with marks in another case', { zone: 'ab' }, { 'Mcp-Param-Zone': '=?BASE64?YWI=?=' }],
  ['with a character beyond ASCII', { zone: 'caf\u00e9' }, { 'Mcp-Param-Zone': 'caf\u00e9' }],
  ['with a space beyond ASCII', { zone: 'a' }, { 'Mcp-Param-Zone': '\u00a0a' }],
  ['another number', { count: 42 }, { 'Mcp-Param-Count': '43' }],
  ['a number in hexadecimal', { count: 16 }, { 'Mcp-Param-Count': '0x10' }],
  ['no number', { count: 0 }, { 'Mcp-Param-Count': '' }],
  ['beyond the safe range', { count: 2 ** 53 + 2 }, { 'Mcp-Param-Count': String(2 ** 53 + 2) }],
  ['a truth in another case', { dry: true }, { 'Mcp-Param-Dry': 'True' }],
  ['a number for a truth', { dry: true }, { 'Mcp-Param-Dry': '1' }],
];

test('a mirrored argument is served where its header says the same [HTTP-53] [HTTP-54] [HTTP-63] [HTTP-70] [HTTP-73] [HTTP-77]', async (t) => {
  const peer = await serve(t, rulesServer());
  for (const [args, headers] of GOOD) {
    const answer = await peer.post(call(1, 'mirror', args), headers);
    assert.equal(textOf(answer.json), JSON.stringify(args), answer.text);
  }
});

for (const [what, args, headers] of BAD) {
  test(`a mirrored argument whose header is ${what} is -32020 and 400 [HTTP-42] [HTTP-52] [HTTP-62] [HTTP-63] [HTTP-64] [HTTP-69]`, async (t) => {
    const peer = await serve(t, rulesServer());
    const answer = await peer.post(call(1, 'mirror', args), headers);
    assert.equal(answer.status, 400);
    assertError(answer.json, 1, -32020, /^Header mismatch: mcp-param-/);
  });
}

test('no header is expected for an argument that is null or absent [HTTP-68]', async (t) => {
  const input = {
    type: 'object',
    properties: {
      zone: { type: 'string', 'x-mcp-header': 'Zone' },
      count: { type: 'integer', 'x-mcp-header': 'N' },
    },
  };
  const server = createServer({ name: 's', version: '1' }).tool('t', { input }, () => 'ok');
  const peer = await serve(t, server);
  assert.equal(textOf((await peer.post(call(1, 't'))).json), 'ok');
  // The schema refuses null, not the check of the headers.
  const nulls = await peer.post(call(1, 't', { zone: null, count: null }));
  assert.equal(nulls.status, 200);
  assert.match(textOf(nulls.json), /Invalid arguments/);
});

test('without headers there is nothing to compare: stdio passes the arguments on [HTTP-69]', async (t) => {
  const peer = startStdio(t);
  assert.equal(textOf(await peer.ask(call(1, 'mirror', { zone: 'z' }))), '{"zone":"z"}');
});

const zone = (header: unknown, type: unknown = 'string'): Json => ({ type, 'x-mcp-header': header });
const properties = (fields: Json): Json => ({ type: 'object', properties: fields });

const INVALID: readonly (readonly [string, Json])[] = [
  ['an empty name', properties({ a: zone('') })],
  ['a name that is no text', properties({ a: zone(5) })],
  ['a space', properties({ a: zone('My Zone') })],
  ['a colon', properties({ a: zone('a:b') })],
  ['a character beyond ASCII', properties({ a: zone('Zön') })],
  ['a tab', properties({ a: zone('a\tb') })],
  ['a carriage return', properties({ a: zone('a\r') })],
  ['a line feed', properties({ a: zone('a\n') })],
  ['a NUL', properties({ a: zone('a\0') })],
  ['the same name twice', properties({ a: zone('Zone'), b: zone('ZONE') })],
  ['the same name twice in the deep', properties({ a: zone('Zone'), b: properties({ c: zone('zone') }) })],
  ['a number', properties({ a: zone('A', 'number') })],
  ['an object', properties({ a: zone('A', 'object') })],
  ['an array', properties({ a: zone('A', 'array') })],
  ['a null', properties({ a: zone('A', 'null') })],
  ['no type', properties({ a: { 'x-mcp-header': 'A' } })],
  ['the root', { type: 'object', 'x-mcp-header': 'A' }],
  ['items', properties({ a: { type: 'array', items: zone('A') } })],
  ['prefixItems', properties({ a: { type: 'array', prefixItems: [zone('A')] } })],
  ['contains', properties({ a: { type: 'array', contains: zone('A') } })],
  ['additionalProperties', { type: 'object', additionalProperties: zone('A') }],
  ['patternProperties', { type: 'object', patternProperties: { '^a': zone('A') } }],
  ...['oneOf', 'anyOf', 'allOf'].map((key): [string, Json] => [
    key,
    { type: 'object', [key]: [properties({ a: zone('A') })] },
  ]),
  ...['not', 'if', 'then', 'else'].map((key): [string, Json] => [
    key,
    { type: 'object', [key]: properties({ a: zone('A') }) },
  ]),
  ['a $ref', { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: zone('A') } }],
  ['a composition on the way', properties({ a: { allOf: [properties({ b: zone('A') })] } })],
];

for (const [what, input] of INVALID) {
  test(`an x-mcp-header with or under ${what} is refused where the tool is defined [HTTP-37] [HTTP-38] [HTTP-39] [HTTP-40] [HTTP-41] [HTTP-43] [HTTP-44] [TOOL-20]`, () => {
    const server = createServer({ name: 's', version: '1' });
    assert.throws(
      () => server.tool('t', { input }, () => ''),
      (error: unknown) => error instanceof DefinitionError && /x-mcp-header/.test(error.message),
    );
  });
}

test('an annotation that is only data in the schema is none [HTTP-43]', () => {
  const data = { 'x-mcp-header': '' };
  const input = properties({
    a: { type: 'object', default: data, const: data, enum: [data], examples: [data] },
  });
  createServer({ name: 's', version: '1' }).tool('t', { input }, () => '');
});
