import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeHeaderValue } from '../support/header-value.ts';
import { rulesServer } from '../fixtures/rules-server.ts';
import type { HeaderChanges } from '../support/http-peer.ts';
import { headersFor, serve } from '../support/http-peer.ts';
import type { Json } from '../support/messages.ts';
import { assertError, at, call, request, textOf } from '../support/messages.ts';
import { rawPost, sendRaw } from '../support/raw-http.ts';

const ECHO = call(1, 'echo', { text: 'x' });
const READ = request(1, 'resources/read', { uri: 'test://text' });
const GET = request(1, 'prompts/get', { name: 'picture' });

const MISMATCHES: readonly (readonly [string, Json, HeaderChanges])[] = [
  ['another version', ECHO, { 'MCP-Protocol-Version': '2025-11-25' }],
  ['an empty version', ECHO, { 'MCP-Protocol-Version': '' }],
  ['another method', ECHO, { 'Mcp-Method': 'tools/list' }],
  ['a method in another case', ECHO, { 'Mcp-Method': 'TOOLS/CALL' }],
  ['an empty method', ECHO, { 'Mcp-Method': '' }],
  ['another tool', ECHO, { 'Mcp-Name': 'nothing' }],
  ['a tool in another case', ECHO, { 'Mcp-Name': 'Echo' }],
  ['an empty name', ECHO, { 'Mcp-Name': '' }],
  ['another resource', READ, { 'Mcp-Name': 'test://binary' }],
  ['another prompt', GET, { 'Mcp-Name': 'greet' }],
  ['two methods', ECHO, { 'Mcp-Method': ['tools/call', 'tools/call'] }],
  ['two names', ECHO, { 'Mcp-Name': ['echo', 'echo'] }],
];

test('a header that says something else than the body is -32020 and 400 [HTTP-27] [HTTP-71] [HTTP-72] [HTTP-74] [HTTP-75] [BASE-19]', async (t) => {
  const peer = await serve(t, rulesServer());
  for (const [what, message, changes] of MISMATCHES) {
    const answer = await peer.post(message, changes);
    assert.equal(answer.status, 400, what);
    assertError(answer.json, 1, -32020, /^Header mismatch: /);
  }
});

test('a missing header is -32020 and 400 [HTTP-30] [HTTP-74] [HTTP-75] [HTTP-76]', async (t) => {
  const peer = await serve(t, rulesServer());
  for (const message of [ECHO, READ, GET, request(1, 'tools/list')]) {
    for (const name of Object.keys(headersFor(message)).filter((header) => /^mcp-/i.test(header))) {
      const answer = await peer.post(message, { [name]: undefined });
      assert.equal(answer.status, 400, name);
      assertError(answer.json, 1, -32020, new RegExp(`${name} is missing`));
    }
  }
});

test('a method without a name needs no Mcp-Name, and one that is sent is passed over [HTTP-76]', async (t) => {
  const peer = await serve(t, rulesServer());
  assert.equal((await peer.post(request(1, 'tools/list'))).status, 200);
  assert.equal((await peer.post(request(1, 'tools/list'), { 'Mcp-Name': 'echo' })).status, 200);
});

test('header names are the same in any case [HTTP-70]', async (t) => {
  const peer = await serve(t, rulesServer());
  for (const change of [(name: string) => name.toUpperCase(), (name: string) => name.toLowerCase()]) {
    const headers = Object.entries(headersFor(ECHO)).map(([name, value]) => [change(name), value]);
    const answer = await peer.send(
      'POST',
      Object.fromEntries(headers) as HeaderChanges,
      JSON.stringify(ECHO),
    );
    assert.equal(textOf(answer.json), 'x');
  }
});

test('white space around a header value does not count [HTTP-77]', async (t) => {
  const peer = await serve(t, rulesServer());
  const body = JSON.stringify(ECHO);
  const lines = Object.entries(headersFor(ECHO)).map(([name, value]) => `${name}: \t ${value} \t`);
  const answer = await sendRaw(peer.port, rawPost([`Host: localhost:${peer.port}`, ...lines], body));
  assert.equal(answer.status, 200, answer.body);
});

/** Mcp-Name values for the resource test://text. */
const NAMES: readonly (readonly [string, number])[] = [
  ['=?base64?dGVzdDovL3RleHQ=?=', 200],
  [' =?base64?dGVzdDovL3RleHQ=?= ', 200],
  ['=?BASE64?dGVzdDovL3RleHQ=?=', 400],
  ['=?Base64?dGVzdDovL3RleHQ=?=', 400],
  ['=?base64?dGVzdDovL3RleHQ?=', 400],
  ['=?base64?dGVzdDovL3RleHR=?=', 400],
  ['=?base64?dGVz dDovL3RleHQ=?=', 400],
  ['=?base64?dGVzdDovL3RleHQ=', 400],
  ['=?base64??=', 400],
  ['=?base64?/////w==?=', 400],
  ['=?utf-8?B?dGVzdDovL3RleHQ=?=', 400],
  [encodeHeaderValue('test://binary'), 400],
];

test('an encoded name is decoded before it is compared, and the marks are exact [HTTP-52] [HTTP-53] [HTTP-54] [HTTP-78]', async (t) => {
  const peer = await serve(t, rulesServer());
  for (const [name, status] of NAMES) {
    const answer = await peer.post(READ, { 'Mcp-Name': name });
    assert.equal(answer.status, status, name);
    if (status === 400) assertError(answer.json, 1, -32020);
    else assert.equal(at(answer.json, 'result', 'contents', 0, 'text'), 'some text');
  }
});

test('a name that looks encoded is itself only when it is encoded again [HTTP-52] [HTTP-54]', async (t) => {
  const peer = await serve(t, rulesServer());
  const uri = '=?base64?eA==?=';
  const message = request(1, 'resources/read', { uri });
  assertError((await peer.post(message, { 'Mcp-Name': uri })).json, 1, -32020);
  assertError((await peer.post(message, { 'Mcp-Name': encodeHeaderValue(uri) })).json, 1, -32602);
});

test('a header with characters that no header may hold is -32020, even where the body holds the same [HTTP-78]', async (t) => {
  const peer = await serve(t, rulesServer());
  const uri = 'test://caf\u00e9';
  const read = request(1, 'resources/read', { uri });
  assertError((await peer.post(read, { 'Mcp-Name': uri })).json, 1, -32020, /invalid characters/);
  assertError((await peer.post(read, { 'Mcp-Name': encodeHeaderValue(uri) })).json, 1, -32602);
  for (const name of ['\u00a0echo', 'echo\u00a0', '\u0085echo', 'ech\u00f6']) {
    assertError((await peer.post(ECHO, { 'Mcp-Name': name })).json, 1, -32020);
  }
  for (const method of ['\u00a0tools/call', 'tools/call\u0085']) {
    assertError((await peer.post(ECHO, { 'Mcp-Method': method })).json, 1, -32020);
  }
  const odd = request(1, 'm\u00e9thode');
  assertError((await peer.post(odd, { 'Mcp-Method': 'm\u00e9thode' })).json, 1, -32020, /invalid characters/);
});
