import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer, DefinitionError } from 'mcpwire/server';
import { defer } from '../support/defer.ts';
import { serve } from '../support/http-peer.ts';
import { assertError, at, call, listAt, request, textOf } from '../support/messages.ts';

const INFO = { name: 's', version: '1' };
const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

test('an update that fails changes nothing and announces nothing [TOOL-05]', async (t) => {
  const server = createServer(INFO)
    .tool('kept', {}, () => 'kept')
    .prompt('p', {}, () => '');
  const peer = await serve(t, server);
  const events = await peer.open(request(1, 'subscriptions/listen', { notifications: ALL }));
  await events.next();
  const before = (await peer.post(request(1, 'tools/list'))).text;
  const failing = (): void =>
    server.update((draft) => {
      draft.removeTool('kept');
      draft.removePrompt('p');
      draft.tool('added', {}, () => '');
      draft.tool('not a name', {}, () => '');
    });
  assert.throws(failing, DefinitionError);
  assert.equal((await peer.post(request(1, 'tools/list'))).text, before);
  assert.equal(textOf((await peer.post(call(1, 'kept'))).json), 'kept');
  assertError((await peer.post(call(1, 'added'))).json, 1, -32602);
  server.close();
  await events.ended;
  assert.deepEqual(
    events.rest().map((message) => at(message, 'method')),
    [undefined],
  );
});

test('an update is seen whole: each changed list is announced once, the others are not [TOOL-09] [PROMPT-04]', async (t) => {
  const server = createServer(INFO)
    .tool('a', {}, () => '')
    .prompt('p', {}, () => '')
    .resource('a:b', {}, () => '');
  const peer = await serve(t, server);
  const events = await peer.open(request(1, 'subscriptions/listen', { notifications: ALL }));
  await events.next();
  server.update((draft) => {
    draft.removeTool('a');
    draft.tool('b', {}, () => '').tool('c', {}, () => '');
    draft.prompt('q', {}, () => '');
    assert.equal(draft.removeResource('a:nothing'), false);
  });
  const told = [at(await events.next(), 'method'), at(await events.next(), 'method')];
  assert.deepEqual(
    new Set(told),
    new Set(['notifications/prompts/list_changed', 'notifications/tools/list_changed']),
  );
  const { json } = await peer.post(request(1, 'tools/list'));
  assert.deepEqual(
    listAt(json, 'result', 'tools').map((tool) => at(tool, 'name')),
    ['b', 'c'],
  );
  server.close();
  await events.ended;
  assert.equal(events.rest().length, 1);
});

test('a call ends with the definition it began with', async (t) => {
  const began = defer<void>();
  const go = defer<void>();
  const server = createServer(INFO).tool('t', {}, async () => {
    began.resolve();
    await go.promise;
    return 'the old one';
  });
  const peer = await serve(t, server);
  const running = peer.post(call(1, 't'));
  await began.promise;
  server.update((draft) => {
    draft.removeTool('t');
    draft.tool('t', {}, () => 'the new one');
  });
  assert.equal(textOf((await peer.post(call(2, 't'))).json), 'the new one');
  go.resolve();
  assert.equal(textOf((await running).json), 'the old one');
});

test('what is added while the server runs is announced as well', async (t) => {
  const server = createServer(INFO).tool('a', {}, () => '');
  const peer = await serve(t, server);
  const events = await peer.open(request(1, 'subscriptions/listen', { notifications: ALL }));
  await events.next();
  server.tool('b', {}, () => '');
  assert.equal(at(await events.next(), 'method'), 'notifications/tools/list_changed');
  events.close();
});
