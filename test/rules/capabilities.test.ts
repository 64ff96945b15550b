import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Server } from 'mcpwire/server';
import { createServer } from 'mcpwire/server';
import { rulesServer } from '../fixtures/rules-server.ts';
import { serve } from '../support/http-peer.ts';
import { assertError, at, call, listAt, LOG_LEVEL, request } from '../support/messages.ts';

const INFO = { name: 's', version: '1' };
const ARGS = { type: 'object', properties: { a: { type: 'string' } } };

const METHODS: { readonly [capability: string]: readonly (readonly [string, object])[] } = {
  tools: [
    ['tools/list', {}],
    ['tools/call', { name: 't' }],
  ],
  resources: [
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'a:b' }],
  ],
  prompts: [
    ['prompts/list', {}],
    ['prompts/get', { name: 'p' }],
  ],
  completions: [
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }],
  ],
};

const SERVERS: readonly (readonly [string, () => Server, readonly string[]])[] = [
  ['nothing', () => createServer(INFO), []],
  ['a tool', () => createServer(INFO).tool('t', {}, () => ''), ['tools']],
  ['a resource', () => createServer(INFO).resource('a:b', {}, () => ''), ['resources']],
  ['a template', () => createServer(INFO).resourceTemplate('a:{b}', {}, () => ''), ['resources']],
  ['a prompt', () => createServer(INFO).prompt('p', {}, () => ''), ['prompts']],
  [
    'a prompt with suggestions',
    () => createServer(INFO).prompt('p', { args: ARGS, complete: { a: () => [] } }, () => ''),
    ['prompts', 'completions'],
  ],
  [
    'everything',
    () =>
      createServer(INFO)
        .tool('t', {}, () => '')
        .resource('a:b', {}, () => '')
        .prompt('p', { args: ARGS, complete: { a: () => [] } }, () => ''),
    ['tools', 'resources', 'prompts', 'completions'],
  ],
];

for (const [what, make, expected] of SERVERS) {
  test(`a server with ${what} declares what it honours and honours what it declares [DISC-03] [TOOL-04] [TOOL-05] [RES-01] [RES-02] [PROMPT-01] [PROMPT-02] [COMP-01] [COMP-03]`, async (t) => {
    const peer = await serve(t, make());
    const { json } = await peer.post(request(1, 'server/discover'));
    const declared = Object.keys(at(json, 'result', 'capabilities') as object);
    assert.deepEqual(
      declared.filter((name) => name !== 'logging'),
      expected,
    );
    for (const [capability, methods] of Object.entries(METHODS)) {
      for (const [method, params] of methods) {
        const answer = await peer.post(request(2, method, { ...params }));
        if (declared.includes(capability)) assert.equal(answer.status, 200, answer.text);
        else {
          assert.equal(answer.status, 404);
          assertError(answer.json, 2, -32601);
        }
      }
    }
  });
}

test('whatever can log declares logging [LOG-03]', async (t) => {
  const server = createServer(INFO).method('example.com/work', {}, async (_params, context) => {
    await context.log('error', 'out of tea');
    return {};
  });
  const peer = await serve(t, server);
  const { json } = await peer.post(request(1, 'server/discover'));
  assert.deepEqual(at(json, 'result', 'capabilities', 'logging'), {});
  const messages = await peer.exchange(request(2, 'example.com/work', {}, { [LOG_LEVEL]: 'info' }));
  assert.equal(at(messages[0], 'method'), 'notifications/message');
  for (const [, make] of SERVERS.slice(1)) assert.deepEqual(make().capabilities.logging, {});
});

test('what is declared follows the definition as it changes [DISC-03] [TOOL-05]', async (t) => {
  const server = createServer(INFO).tool('t', {}, () => '');
  const peer = await serve(t, server);
  const declared = async (): Promise<unknown> =>
    at((await peer.post(request(1, 'server/discover'))).json, 'result', 'capabilities', 'tools');
  assert.deepEqual(await declared(), { listChanged: true });
  server.update((draft) => draft.removeTool('t'));
  assert.equal(await declared(), undefined);
  server.update((draft) => draft.tool('u', {}, () => ''));
  const { json } = await peer.post(request(2, 'tools/list'));
  assert.deepEqual(
    listAt(json, 'result', 'tools').map((tool) => at(tool, 'name')),
    ['u'],
  );
});

test('the lists are the same for every connection and after any request [TOOL-06] [TOOL-07] [RES-03] [PROMPT-03]', async (t) => {
  const peer = await serve(t, rulesServer());
  const lists = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];
  const before = await Promise.all(lists.map((method) => peer.post(request(1, method))));
  for (const name of ['echo', 'throws', 'nothing', 'unknown', 'ask']) await peer.post(call(2, name));
  await peer.post(request(3, 'resources/read', { uri: 'test://item/new' }));
  const after = await Promise.all(lists.map((method) => peer.post(request(1, method))));
  assert.deepEqual(
    after.map((answer) => answer.text),
    before.map((answer) => answer.text),
  );
});
