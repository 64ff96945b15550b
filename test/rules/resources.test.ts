import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer, DefinitionError } from 'mcpwire/server';
import { rulesServer } from '../fixtures/rules-server.ts';
import { serve } from '../support/http-peer.ts';
import { assertError, at, request } from '../support/messages.ts';
import { WIRES } from '../support/wires.ts';

const INFO = { name: 's', version: '1' };
const read = (uri: unknown): ReturnType<typeof request> => request(1, 'resources/read', { uri });

for (const [wire, start] of Object.entries(WIRES)) {
  test(`a resource that does not exist is -32602 with its URI, and never empty contents, over ${wire} [RES-08] [RES-11] [RES-12] [BASE-20]`, async (t) => {
    const peer = await start(t);
    for (const uri of [
      'test://nowhere',
      'test://gone',
      'test://item/none',
      'other:x',
      'test://text/',
      'test://item/a/b',
    ]) {
      const answer = await peer.ask(read(uri));
      assertError(answer, 1, -32602, /^Resource not found$/);
      assert.deepEqual(at(answer, 'error', 'data'), { uri });
    }
  });

  test(`a URI that is none is -32602 over ${wire} [RES-07] [RES-13]`, async (t) => {
    const peer = await start(t);
    for (const uri of [undefined, null, 5, [], {}]) {
      assertError(await peer.ask(read(uri)), 1, -32602, /params\.uri must be a string/);
    }
    for (const uri of [
      '',
      'text',
      '/etc/passwd',
      '://x',
      '1a:x',
      'test://a b',
      'test://é',
      'test://%zz',
      'a:\n',
      'a:<b>',
    ]) {
      assertError(await peer.ask(read(uri)), 1, -32602, /params\.uri must be a URI/);
    }
  });

  test(`bytes come as Base64 that decodes to them over ${wire} [RES-15]`, async (t) => {
    const peer = await start(t);
    const answer = await peer.ask(read('test://bytes'));
    assert.deepEqual(at(answer, 'result', 'contents'), [{ uri: 'test://bytes', blob: 'AP+ACg==' }]);
    const image = await peer.ask(read('test://binary'));
    assert.equal(at(image, 'result', 'contents', 0, 'mimeType'), 'image/png');
    assert.match(String(at(image, 'result', 'contents', 0, 'blob')), /^iVBORw0KGgo/);
  });

  test(`a reader that fails, or gives no Base64, is -32603 without its words over ${wire} [RES-09] [RES-15]`, async (t) => {
    const peer = await start(t);
    for (const uri of ['test://broken', 'test://bad-blob']) {
      const answer = await peer.ask(read(uri));
      assertError(answer, 1, -32603);
      assert.doesNotMatch(JSON.stringify(answer), /secret|base64/);
    }
  });
}

test('a resource or template whose URI is none can not be defined [RES-07]', () => {
  const server = createServer(INFO);
  for (const uri of ['', 'text', '/a', '1a:b', 'a b:c', 'a:b c', 'a:é', 'a:%g0']) {
    assert.throws(() => server.resource(uri, {}, () => ''), DefinitionError, uri);
  }
  for (const template of [
    'a:{b',
    'a:b}',
    'a:{}',
    'a:{b*}',
    'a:{b:3}',
    'a:{b}{b}',
    'a:b',
    'a b:{c}',
    '/a/{b}',
  ]) {
    assert.throws(() => server.resourceTemplate(template, {}, () => ''), DefinitionError, template);
  }
});

test('resources that a template lists have URIs and names, or the list is -32603 [RES-02] [RES-07]', async (t) => {
  for (const listed of [{ uri: 'no uri', name: 'x' }, { name: 'x' }, { uri: 'a:1' }, 5]) {
    const server = createServer(INFO, { report: () => {} }).resourceTemplate(
      'a:{b}',
      { list: () => [listed] as { uri: string; name: string }[] },
      () => '',
    );
    const peer = await serve(t, server);
    assertError((await peer.post(request(1, 'resources/list'))).json, 1, -32603);
  }
});

test('a template reads what fits it, decoded once, and its listed resources stand in the list [RES-02]', async (t) => {
  const server = createServer(INFO).resourceTemplate(
    'a://{b}/{c}{?q}',
    { list: () => [{ uri: 'a://x/y', name: 'listed' }] },
    (variables) => JSON.stringify(variables),
  );
  const peer = await serve(t, server);
  const { json } = await peer.post(request(1, 'resources/list'));
  assert.deepEqual(at(json, 'result', 'resources'), [{ uri: 'a://x/y', name: 'listed' }]);
  const answer = await peer.post(read('a://x%2Fy/%25?q=1%262'));
  assert.equal(at(answer.json, 'result', 'contents', 0, 'text'), '{"b":"x/y","c":"%","q":"1&2"}');
});

test('a URI in the spelling of the platform finds the same resource [RES-13]', async (t) => {
  const peer = await serve(
    t,
    createServer(INFO).resource('HTTP://Example.com', {}, ({ uri }) => uri),
  );
  for (const uri of ['HTTP://Example.com', 'http://example.com/', 'http://EXAMPLE.com:80']) {
    assert.equal(at((await peer.post(read(uri))).json, 'result', 'contents', 0, 'text'), uri);
  }
});

test('a list that is served says the same for every resource as its definition [RES-01] [RES-02]', async (t) => {
  const peer = await serve(t, rulesServer());
  const { json } = await peer.post(request(1, 'resources/templates/list'));
  assert.deepEqual(at(json, 'result', 'resourceTemplates'), [
    { uriTemplate: 'test://item/{id}', name: 'item' },
  ]);
});
