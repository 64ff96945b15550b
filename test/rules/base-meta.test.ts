import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMetaKey, isReservedMetaKey } from 'mcpwire';
import { createServer, DefinitionError } from 'mcpwire/server';
import { rulesServer } from '../fixtures/rules-server.ts';
import { serve } from '../support/http-peer.ts';
import {
  assertError,
  at,
  call,
  CLIENT_CAPABILITIES,
  CLIENT_INFO,
  LOG_LEVEL,
  PROTOCOL_VERSION,
  request,
  textOf,
  VERSION,
} from '../support/messages.ts';
import { WIRES } from '../support/wires.ts';

const MISSING: readonly (readonly [string, object])[] = [
  ['protocolVersion', { [PROTOCOL_VERSION]: undefined }],
  ['clientCapabilities', { [CLIENT_CAPABILITIES]: undefined }],
];

const WRONG: readonly (readonly [RegExp, object])[] = [
  [/protocolVersion"\] must be a string, got number/, { [PROTOCOL_VERSION]: 20260728 }],
  [/protocolVersion"\] must be a string, got null/, { [PROTOCOL_VERSION]: null }],
  [/clientCapabilities"\] must be an object, got array/, { [CLIENT_CAPABILITIES]: [] }],
  [/clientCapabilities"\] must be an object, got null/, { [CLIENT_CAPABILITIES]: null }],
  [/clientInfo"\] must be an object with a name and a version/, { [CLIENT_INFO]: { name: 'x' } }],
  [/clientInfo"\] must be .*, got string/, { [CLIENT_INFO]: 'x' }],
  [/logLevel"\] must be one of debug, /, { [LOG_LEVEL]: 'loud' }],
  [/progressToken"\] must be a string or an integer, got number/, { progressToken: 1.5 }],
  [/progressToken"\] must be a string or an integer, got object/, { progressToken: {} }],
];

for (const [wire, start] of Object.entries(WIRES)) {
  test(`a request without a required _meta field is -32602 that names it over ${wire} [BASE-52]`, async (t) => {
    const peer = await start(t, undefined, false);
    for (const [field, meta] of MISSING) {
      const answer = await peer.ask(call(1, 'echo', { text: 'x' }, { ...meta }));
      assertError(answer, 1, -32602, new RegExp(field));
    }
    const bare = { jsonrpc: '2.0', id: 'a', method: 'tools/list' };
    for (const params of [{}, { _meta: null }, { _meta: [] }, { _meta: 'x' }]) {
      assertError(await peer.ask({ ...bare, params }), 'a', -32602, /params\._meta must be an object/);
    }
  });

  test(`a _meta field of the wrong type is -32602 that names it over ${wire} [BASE-52] [LOG-07]`, async (t) => {
    const peer = await start(t);
    for (const [message, meta] of WRONG) {
      assertError(await peer.ask(call(1, 'echo', { text: 'x' }, { ...meta })), 1, -32602, message);
    }
  });

  test(`a request without clientInfo is served over ${wire} [BASE-54]`, async (t) => {
    const peer = await start(t);
    const withInfo = call(2, 'echo', { text: 'x' }, { [CLIENT_INFO]: { name: 'c', version: '1' } });
    assert.equal(textOf(await peer.ask(call(1, 'echo', { text: 'x' }))), 'x');
    assert.equal(textOf(await peer.ask(withInfo)), 'x');
  });

  test(`nothing of an earlier request completes a later one over ${wire} [BASE-25] [SCH-02]`, async (t) => {
    const peer = await start(t);
    const asks = { inputRequests: { r: { method: 'roots/list' } } };
    const able = call(1, 'ask', asks, { [CLIENT_CAPABILITIES]: { roots: {} } });
    assert.equal(at(await peer.ask(able), 'result', 'resultType'), 'input_required');
    assertError(await peer.ask(call(2, 'ask', asks)), 2, -32021);
    assertError(await peer.ask(call(3, 'echo', { text: 'x' }, { [PROTOCOL_VERSION]: undefined })), 3, -32602);
    const logging = await peer.exchange(call(4, 'log_all', {}, { [LOG_LEVEL]: 'debug' }));
    assert.equal(logging.length, 9);
    assert.equal((await peer.exchange(call(5, 'log_all'))).length, 1);
  });

  test(`two walks through a list on one connection don't disturb each other: each names its place by cursor, over ${wire} [BASE-29]`, async (t) => {
    const peer = await start(t, { pageSize: 3 });
    const first = await peer.ask(request(1, 'tools/list'));
    const other = await peer.ask(request(2, 'resources/list'));
    const cursor = at(first, 'result', 'nextCursor');
    const second = await peer.ask(request(3, 'tools/list', { cursor }));
    await peer.ask(request(4, 'resources/list', { cursor: at(other, 'result', 'nextCursor') }));
    assert.deepEqual(
      at(await peer.ask(request(5, 'tools/list', { cursor })), 'result'),
      at(second, 'result'),
    );
  });

  test(`whatever stands at keys that the specification doesn't define is passed over, over ${wire} [BASE-44]`, async (t) => {
    const peer = await start(t);
    const odd = {
      'io.modelcontextprotocol/subscriptionId': { not: 'an id' },
      'io.modelcontextprotocol/serverInfo': 7,
      'io.modelcontextprotocol/next': null,
      'dev.mcp/x': [1],
      'not a key!': true,
      traceparent: 5,
      tracestate: {},
      baggage: ['a'],
    };
    assert.equal(textOf(await peer.ask(call(1, 'echo', { text: 'x' }, odd))), 'x');
  });
}

test('a refusal for missing _meta has status 400 on HTTP [BASE-53] [BASE-52]', async (t) => {
  const peer = await serve(t, rulesServer());
  for (const [field, meta] of MISSING) {
    const message = call(1, 'echo', { text: 'x' }, { ...meta });
    const answer = await peer.post(message, { 'MCP-Protocol-Version': VERSION });
    assert.equal(answer.status, 400, field);
    assertError(answer.json, 1, -32602, new RegExp(field));
  }
  const bare = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
  const answer = await peer.post(bare, { 'MCP-Protocol-Version': VERSION });
  assert.equal(answer.status, 400);
  assertError(answer.json, 2, -32602, /_meta/);
});

test('a _meta prefix is dot-separated labels that begin with a letter and end with a letter or digit [BASE-45] [BASE-46]', () => {
  for (const good of ['a/x', 'com.example/x', 'c0m.ex-ample9/x', 'A.B/', 'a.b.c.d/x.y_z-1']) {
    assert.ok(isMetaKey(good), good);
  }
  const bad = [
    '/x',
    '.a/x',
    'a./x',
    'a..b/x',
    '1a/x',
    '-a/x',
    'a-/x',
    'a.1/x',
    'a b/x',
    'ä/x',
    'a/b/c',
    'a.b-/x',
  ];
  for (const key of bad) assert.ok(!isMetaKey(key), key);
});

test('a _meta name is empty or begins and ends with an alphanumeric [BASE-49]', () => {
  for (const good of ['', 'x', '9', 'a_b', 'a-b.c', 'com.example/', 'com.example/9a']) {
    assert.ok(isMetaKey(good), good);
  }
  for (const bad of ['_', '-a', 'a.', '.a', 'a b', 'com.example/_a', 'com.example/a-', 'é', 'a\n']) {
    assert.ok(!isMetaKey(bad), JSON.stringify(bad));
  }
});

test('a prefix whose second label is modelcontextprotocol or mcp is reserved [BASE-48]', () => {
  for (const reserved of [
    'io.modelcontextprotocol/x',
    'dev.mcp/',
    'org.modelcontextprotocol.api/y',
    'com.mcp.tools/z',
  ]) {
    assert.ok(isReservedMetaKey(reserved), reserved);
  }
  for (const free of ['com.example.mcp/x', 'mcp/x', 'modelcontextprotocol/x', 'com.mcpx/x', 'mcp', 'x']) {
    assert.ok(!isReservedMetaKey(free), free);
  }
});

test('a definition with a _meta key outside the grammar, or a reserved one, is refused where it is made [BASE-45] [BASE-48] [BASE-49]', () => {
  const server = createServer({ name: 's', version: '1' });
  for (const key of ['not a key', 'com.example/-x', 'io.modelcontextprotocol/mine', 'dev.mcp/mine']) {
    const _meta = { [key]: 1 };
    assert.throws(() => server.tool('t', { _meta }, () => ''), DefinitionError, key);
    assert.throws(() => server.prompt('p', { _meta }, () => ''), DefinitionError, key);
    assert.throws(() => server.resource('a:b', { _meta }, () => ''), DefinitionError, key);
    assert.throws(() => server.resourceTemplate('a:{b}', { _meta }, () => ''), DefinitionError, key);
  }
  server.tool('t', { _meta: { 'com.example/x': 1, plain: 2 } }, () => '');
});
