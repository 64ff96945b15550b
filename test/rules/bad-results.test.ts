import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Handler } from 'mcpwire';
import { createServer } from 'mcpwire/server';
import type { Server, ServerReport } from 'mcpwire/server';
import { serve } from '../support/http-peer.ts';
import { assertError, at, call, request, textOf } from '../support/messages.ts';

const INFO = { name: 's', version: '1' };
const ARGS = { type: 'object', properties: { a: { type: 'string' } } };

test('a tool whose result has wrong types fails, and the report says what was wrong [TOOL-29] [BASE-07]', async (t) => {
  const block = { type: 'text', text: 'x' };
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [{ content: [], isError: 'yes' }, /isError must be true or false, got string/],
    [{ content: [], isError: null }, /isError must be true or false, got null/],
    [{ content: [], ttlMs: 'x' }, /ttlMs must be an integer ≥ 0, got "x"/],
    [{ content: [], cacheScope: 'all' }, /cacheScope must be "public" or "private"/],
    [{ content: [], _meta: 5 }, /_meta must be an object, got number/],
    [{ content: [], _meta: { 'not a key': 1 } }, /"not a key" is no key of _meta/],
    [{ content: [], _meta: { 'io.modelcontextprotocol/x': 1 } }, /is reserved for the protocol/],
    [[{ ...block, annotations: 'x' }], /content\[0\] \.annotations must be an object/],
    [[{ ...block, annotations: { priority: 5 } }], /content\[0\] \.annotations\.priority must be/],
    [[{ ...block, _meta: 'x' }], /content\[0\] \._meta must be an object/],
    [[{ type: 'resource_link', uri: 'a:b', name: 'n', title: 5 }], /content\[0\] \.title must be a string/],
    [{ resultType: 'input_required', inputRequests: {} }, /asks something: inputRequests is empty/],
  ];
  for (const [value, what] of wrong) {
    const reports: ServerReport[] = [];
    const server = createServer(INFO, { report: (report) => reports.push(report) }).tool(
      't',
      {},
      () => value as string,
    );
    const peer = await serve(t, server);
    const { json } = await peer.post(call(1, 't'));
    assert.match(textOf(json), /^The tool failed\. .* reference [0-9a-f-]{36}\.$/, String(what));
    assert.equal(at(json, 'result', 'isError'), true);
    assert.match(String(at(reports[0], 'error', 'message')), what);
  }
});

test("keys that the specification itself puts into _meta may come back with another server's result [BASE-48]", async (t) => {
  const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'other', version: '2' }, traceparent: 'x' };
  const server = createServer(INFO).tool('t', {}, () => ({ content: [], isError: false, _meta }));
  const peer = await serve(t, server);
  assert.deepEqual(at((await peer.post(call(1, 't'))).json, 'result', '_meta'), {
    'io.modelcontextprotocol/serverInfo': INFO,
    traceparent: 'x',
  });
});

test('prompts, resources, lists, completions, methods and middleware with wrong results are -32603, and the report says why', async (t) => {
  const prompt = (value: unknown) => (server: Server) => server.prompt('x', {}, () => value as string);
  const read = (value: unknown) => (server: Server) => server.resource('a:b', {}, () => value as string);
  const own = (value: unknown) => (server: Server) =>
    server.method('example.com/x', {}, () => value as object);
  const outer = (value: unknown) => (server: Server) =>
    server.use(() => (() => Promise.resolve(value)) as Handler);
  const list = (value: unknown) => (server: Server) =>
    server.resourceTemplate('a:{b}', { list: () => value as [] }, () => '');
  const complete = (value: unknown) => (server: Server) =>
    server.prompt('x', { args: ARGS, complete: { a: () => value as [] } }, () => '');
  const badKey = { _meta: { 'not a key': 1 } };
  const get = request(1, 'prompts/get', { name: 'x' });
  const reading = request(1, 'resources/read', { uri: 'a:b' });
  const asking = request(1, 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'x' },
    argument: { name: 'a', value: '' },
  });
  const wrong: readonly (readonly [(server: Server) => unknown, object, RegExp])[] = [
    [prompt({ messages: [], description: 5 }), get, /description must be a string, got number/],
    [prompt({ messages: [], ...badKey }), get, /is no key of _meta/],
    [read({ contents: [], ...badKey }), reading, /is no key of _meta/],
    [own(badKey), request(1, 'example.com/x'), /is no key of _meta/],
    [own({ resultType: 5 }), request(1, 'example.com/x'), /resultType must be a string/],
    [list('x'), request(1, 'resources/list'), /must list an array/],
    [list([null]), request(1, 'resources/list'), /without a URI/],
    [list([{ uri: 'a:b', name: 'n', icons: [{}] }]), request(1, 'resources/list'), /\/icons\/0\/src/],
    [complete({ values: ['a'], hasMore: 'y' }), asking, /hasMore of a completion must be true or false/],
    [complete({ values: ['a'], total: -1 }), asking, /total of a completion must be an integer ≥ 0, got -1/],
    [complete({ values: ['a'], total: null }), asking, /total of a completion must be/],
    [outer(undefined), get, /middleware must return a result object.*got nothing/],
    [outer(null), get, /middleware must return a result object.*got null/],
    [outer({ _meta: 5 }), get, /middleware returned a result whose _meta is no object/],
    [outer({ resultType: 5 }), get, /middleware returned a result whose resultType is no string/],
  ];
  for (const [define, message, what] of wrong) {
    const reports: unknown[] = [];
    const server = createServer(INFO, { report: () => {} });
    define(server);
    const peer = await serve(t, server, { report: (report) => reports.push(report) });
    assertError((await peer.post(message)).json, 1, -32603, /^Internal error$/);
    assert.equal(at(reports[0], 'kind'), 'handler-failed');
    assert.match(String(at(reports[0], 'error', 'message')), what);
  }
});

test('arguments that are null are no arguments: -32602, as for a list [TOOL-31] [COMP-09]', async (t) => {
  const server = createServer(INFO)
    .tool('t', {}, () => '')
    .prompt('p', { args: ARGS, complete: { a: () => [] } }, () => '');
  const peer = await serve(t, server);
  for (const args of [null, []]) {
    const messages = [
      request(1, 'tools/call', { name: 't', arguments: args }),
      request(1, 'prompts/get', { name: 'p', arguments: args }),
      request(1, 'completion/complete', {
        ref: { type: 'ref/prompt', name: 'p' },
        argument: { name: 'a', value: '' },
        context: { arguments: args },
      }),
    ];
    for (const message of messages) {
      assertError((await peer.post(message)).json, 1, -32602, /arguments must be an object/);
    }
  }
});
