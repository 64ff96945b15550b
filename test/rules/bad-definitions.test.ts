import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer, DefinitionError } from 'mcpwire/server';
import type { Server, ServerReport } from 'mcpwire/server';
import * as zm from 'zod/mini';
import { serve } from '../support/http-peer.ts';
import { assertError, at, call, listAt, request, textOf } from '../support/messages.ts';

const INFO = { name: 's', version: '1' };
const ARGS = { type: 'object', properties: { a: { type: 'string' } } };

function cycle(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

/** Each kind of definition, with options as plain JavaScript could give them. */
const KINDS: { readonly [kind: string]: (server: Server, options: object | undefined) => unknown } = {
  'tool "t"': (server, options) => server.tool('t', options as object, () => ''),
  'prompt "p"': (server, options) => server.prompt('p', options as object, () => ''),
  'resource "a:b"': (server, options) => server.resource('a:b', options as object, () => ''),
  'resource template "a:{b}"': (server, options) =>
    server.resourceTemplate('a:{b}', options as object, () => ''),
};

function refusal(define: () => unknown): Error {
  try {
    define();
  } catch (error) {
    assert.ok(error instanceof Error);
    return error;
  }
  return assert.fail('it was accepted');
}

function refusedAt(define: () => unknown, subject: string, path: string): void {
  const error = refusal(define);
  assert.ok(error instanceof DefinitionError, String(error));
  assert.deepEqual([error.subject, error.path], [subject, path], error.message);
  assert.ok(error.message.startsWith(`${subject} at ${path}: `), error.message);
}

test('what would stand in a list as no JSON, or as another type than the specification has, can not be defined [TOOL-05]', () => {
  const wrong: readonly (readonly [object, string])[] = [
    [{ _meta: { 'com.example/n': 1n } }, '/_meta'],
    [{ _meta: { 'com.example/n': cycle() } }, '/_meta'],
    [{ _meta: { 'com.example/n': new Date(0) } }, '/_meta'],
    [{ _meta: { 'com.example/n': Number.NaN } }, '/_meta'],
    [{ _meta: 'x' }, '/_meta'],
    [{ title: 5 }, '/title'],
    [{ title: null }, '/title'],
    [{ description: 5 }, '/description'],
    [{ icons: {} }, '/icons'],
    [{ icons: [{}] }, '/icons/0/src'],
    [{ icons: [{ src: 'https://x.example/i.png' }, 'x'] }, '/icons/1'],
    [{ icons: [{ src: 5 }] }, '/icons/0/src'],
    [{ icons: [{ src: 'x', mimeType: 5 }] }, '/icons/0/mimeType'],
    [{ icons: [{ src: 'x', sizes: '48x48' }] }, '/icons/0/sizes'],
    [{ icons: [{ src: 'x', sizes: [48] }] }, '/icons/0/sizes/0'],
    [{ icons: [{ src: 'x', theme: 'blue' }] }, '/icons/0/theme'],
    [{ icons: [{ src: 'x', more: cycle() }] }, '/icons/0'],
  ];
  for (const [subject, define] of Object.entries(KINDS)) {
    for (const [options, path] of wrong) refusedAt(() => define(createServer(INFO), options), subject, path);
  }
  for (const [subject, define] of Object.entries(KINDS)) {
    if (subject.startsWith('prompt')) continue;
    refusedAt(() => define(createServer(INFO), { annotations: 'x' }), subject, '/annotations');
    refusedAt(() => define(createServer(INFO), { annotations: { 'x-n': 1n } }), subject, '/annotations');
  }
  const tool = KINDS['tool "t"'];
  const resource = KINDS['resource "a:b"'];
  assert.ok(tool !== undefined && resource !== undefined);
  for (const [options, path] of [
    [{ annotations: { readOnlyHint: 'yes' } }, '/annotations/readOnlyHint'],
    [{ annotations: { title: 5 } }, '/annotations/title'],
  ] as const) {
    refusedAt(() => tool(createServer(INFO), options), 'tool "t"', path);
  }
  for (const [options, path] of [
    [{ annotations: { audience: ['everyone'] } }, '/annotations/audience/0'],
    [{ annotations: { priority: 2 } }, '/annotations/priority'],
    [{ annotations: { lastModified: 'yesterday' } }, '/annotations/lastModified'],
    [{ name: 5 }, '/name'],
    [{ mimeType: 5 }, '/mimeType'],
    [{ size: -1 }, '/size'],
    [{ size: '5' }, '/size'],
  ] as const) {
    refusedAt(() => resource(createServer(INFO), options), 'resource "a:b"', path);
  }
});

test('a list stays as it was defined, whatever becomes of the objects that defined it [TOOL-05]', async (t) => {
  const note: { [name: string]: unknown } = { 'com.example/note': 'then' };
  const icons = [{ src: 'https://x.example/i.png', sizes: undefined, theme: 'dark' }];
  const server = createServer(INFO).tool('t', { _meta: note, icons } as object, () => '');
  note['com.example/note'] = 1n;
  const peer = await serve(t, server);
  const { json } = await peer.post(request(1, 'tools/list'));
  assert.deepEqual(at(json, 'result', 'tools', 0, '_meta'), { 'com.example/note': 'then' });
  assert.deepEqual(at(json, 'result', 'tools', 0, 'icons'), [
    { src: 'https://x.example/i.png', theme: 'dark' },
  ]);
});

test("what a server says of itself is held to the specification's types as well [BASE-59] [DISC-03]", () => {
  const wrong: readonly (readonly [object, object, string])[] = [
    [{ title: 5 }, {}, '/title'],
    [{ description: 5 }, {}, '/description'],
    [{ websiteUrl: 5 }, {}, '/websiteUrl'],
    [{ icons: [{}] }, {}, '/icons/0/src'],
    [{}, { instructions: 5 }, '/instructions'],
    [{}, { extensions: { 'com.example/x': 5 } }, '/extensions/com.example/x'],
    [{}, { extensions: { 'com.example/x': { n: 1n } } }, '/extensions/com.example/x'],
    [{}, { experimental: { x: cycle() } }, '/experimental/x'],
    [{}, { experimental: 'x' }, '/experimental'],
  ];
  for (const [info, options, path] of wrong) {
    refusedAt(() => createServer({ ...INFO, ...info }, options), 'server', path);
  }
  const error = refusal(() => createServer({ ...INFO, more: 1n } as object as typeof INFO));
  assert.match(error.message, /^server: must be JSON: \/more is bigint$/);
});

test('an option of a server that can not be meant is refused by its name, with its value and what it may be', () => {
  const timeouts: readonly unknown[] = [-1, 1.5, Infinity, Number.NaN, 2 ** 31, 'x', null, 5n];
  const wrong: { readonly [name: string]: readonly unknown[] } = {
    pageSize: [0, -5, 'x', Number.NaN, 1.5, null],
    timeoutMs: timeouts,
    maxWatchedResources: ['x', -1, 0.5],
    report: ['x'],
    serverInfo: ['no'],
    bus: ['x', {}, null],
    input: ['x'],
    schemaBounds: ['x'],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const error = refusal(() => createServer(INFO, { [name]: value }));
      assert.equal(error.name, 'UsageError', `${name}: ${String(value)}`);
      assert.ok(error.message.startsWith(`${name} must `), error.message);
    }
  }
  const messages = [
    [{ pageSize: -5 }, 'pageSize must be an integer ≥ 1, got -5'],
    [{ timeoutMs: 'x' }, 'timeoutMs must be an integer from 0 to 2147483647 (0 turns it off), got "x"'],
    [{ schemaBounds: { depth: 0 } }, 'schemaBounds.depth must be an integer ≥ 1, got 0'],
  ] as const;
  for (const [options, message] of messages) {
    assert.equal(refusal(() => createServer(INFO, options as object)).message, message);
  }
  for (const timeoutMs of timeouts) {
    for (const [subject, define] of Object.entries(KINDS)) {
      refusedAt(() => define(createServer(INFO), { timeoutMs }), subject, '/timeoutMs');
    }
  }
  createServer(INFO, { timeoutMs: 0, pageSize: 1, maxWatchedResources: 0 });
});

test('what is forgotten in a definition is asked for', () => {
  const create = createServer as (...args: readonly unknown[]) => Server;
  for (const args of [[], [null], ['s']]) {
    const error = refusal(() => create(...args));
    assert.equal(error.name, 'UsageError');
    assert.match(error.message, /name and version/);
  }
  assert.equal(refusal(() => create(INFO, null)).name, 'UsageError');
  for (const [subject, define] of Object.entries(KINDS)) {
    const error = refusal(() => define(createServer(INFO), undefined));
    assert.ok(error instanceof DefinitionError);
    assert.equal(
      error.message,
      `${subject}: the options (second argument) must be an object, got nothing; give {} for none`,
    );
  }
  const noHandler = undefined as unknown as () => never;
  assert.match(refusal(() => createServer(INFO).tool('t', {}, noHandler)).message, /must be a function/);
  assert.match(
    refusal(() => createServer(INFO).method('a.example/b', {}, noHandler)).message,
    /must be a function/,
  );
  for (const [subject, define] of Object.entries(KINDS)) {
    refusedAt(() => define(createServer(INFO), { visible: 'yes' }), subject, '/visible');
  }
  const complete = { a: 5 } as object;
  refusedAt(
    () => createServer(INFO).prompt('p', { args: ARGS, complete }, () => ''),
    'prompt "p"',
    '/complete/a',
  );
});

for (const [what, answer] of [
  ['a promise of no', (): unknown => Promise.resolve(false)],
  ['a promise of yes', (): unknown => Promise.resolve(true)],
  ['a promise that is rejected', (): unknown => Promise.reject(new Error('no such user'))],
  ['a text', (): unknown => 'yes'],
  ['nothing', (): unknown => undefined],
  ['a number', (): unknown => 1],
] as const) {
  test(`a visible() that gives ${what} shows nothing to anybody, and says so [TOOL-32]`, async (t) => {
    const reports: ServerReport[] = [];
    const server = createServer(INFO, { report: (report) => reports.push(report) });
    for (const define of Object.values(KINDS)) define(server, { visible: answer });
    const peer = await serve(t, server);
    for (const [method, member] of [
      ['tools/list', 'tools'],
      ['prompts/list', 'prompts'],
      ['resources/list', 'resources'],
      ['resources/templates/list', 'resourceTemplates'],
    ] as const) {
      reports.length = 0;
      const { json } = await peer.post(request(1, method));
      assert.deepEqual(listAt(json, 'result', member), [], method);
      assert.equal(reports[0]?.kind, 'visible-failed');
      assert.match(reports[0].message, /is hidden: its visible\(\) returned .* must return true or false/);
    }
    assertError((await peer.post(call(1, 't'))).json, 1, -32602, /^Unknown tool: t$/);
    assertError((await peer.post(request(1, 'prompts/get', { name: 'p' }))).json, 1, -32602);
    assertError((await peer.post(request(1, 'resources/read', { uri: 'a:b' }))).json, 1, -32602);
  });
}

test('a server can not be changed beside the draft of its own update', () => {
  const server = createServer(INFO);
  const beside: readonly ((server: Server) => unknown)[] = [
    (own) => own.tool('inner', {}, () => ''),
    (own) => own.use((next) => next),
    (own) => own.update(() => {}),
  ];
  for (const change of beside) {
    const error = refusal(() =>
      server.update((draft) => {
        draft.tool('outer', {}, () => '');
        change(server);
      }),
    );
    assert.equal(error.name, 'UsageError');
    assert.match(error.message, /change the draft/);
    assert.equal(server.capabilities.tools, undefined, 'nothing of it was taken over');
  }
  server.update((draft) => draft.tool('outer', {}, () => ''));
  server.tool('after', {}, () => '');
});

test("a method's name is one that neither the protocol nor JSON-RPC may ever mean [BASE-16]", () => {
  const reserved = [
    'tools/list',
    'tools/foo',
    'completion/x',
    'tasks/foo',
    'server/x',
    'notifications/x',
    'initialize',
    'ping/x',
    'rpc.x',
    'rpc.x/y',
    'io.modelcontextprotocol/x',
    'com.mcp/x',
    'noprefix',
    '/x',
    'example.com/',
    '',
    5,
    undefined,
  ];
  for (const name of reserved) {
    const error = refusal(() => createServer(INFO).method(name as string, {}, () => ({})));
    assert.ok(error instanceof DefinitionError, String(name));
    assert.match(error.message, /: use a name of your own, such as example\.com\/reindex$/);
  }
  for (const name of ['example.com/reindex', 'ui/initialize', 'toolset/list', 'a.b.c/d/e']) {
    createServer(INFO).method(name, {}, () => ({}));
  }
});

test('a refused schema is named once with its place, and not printed whole', () => {
  const input = { type: 'object', $defs: { a: { type: 5 } } };
  const error = refusal(() => createServer(INFO).tool('t', { input }, () => ''));
  assert.match(error.message, /^tool "t" at \/input\/\$defs\/a\/type: type must be/);
  assert.equal(error.message.split('/$defs/a').length, 2);
  const long = { type: 'object', properties: { a: { $ref: `#/${'x'.repeat(100_000)}` } } };
  const printed = refusal(() => createServer(INFO).tool('t', { input: long }, () => '')).message;
  assert.ok(printed.length < 1500, String(printed.length));
  assert.match(printed, /leads nowhere/);
});

test('a schema of zod/mini is refused with the way to give it, and that way works', async (t) => {
  const schema = zm.object({ a: zm.string().check(zm.minLength(2)) });
  const error = refusal(() => createServer(INFO).tool('t', { input: schema }, () => ''));
  assert.match(error.message, /zod\/mini .* pass z\.toJSONSchema\(schema\)/);
  const server = createServer(INFO).tool('t', { input: zm.toJSONSchema(schema) }, ({ a }) => a);
  const peer = await serve(t, server);
  assert.equal(textOf((await peer.post(call(1, 't', { a: 'xy' }))).json), 'xy');
  assert.equal(at((await peer.post(call(1, 't', { a: 'x' }))).json, 'result', 'isError'), true);
  const { json } = await peer.post(request(1, 'tools/list'));
  assert.equal(at(json, 'result', 'tools', 0, 'inputSchema', 'properties', 'a', 'minLength'), 2);
});
