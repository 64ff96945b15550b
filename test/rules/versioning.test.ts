import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer, DefinitionError } from 'mcpwire/server';
import { rulesServer } from '../fixtures/rules-server.ts';
import { serve } from '../support/http-peer.ts';
import {
  assertError,
  at,
  call,
  CLIENT_CAPABILITIES,
  PROTOCOL_VERSION,
  request,
  textOf,
  VERSION,
} from '../support/messages.ts';
import { WIRES } from '../support/wires.ts';

const OTHERS = ['2025-11-25', '2099-01-01', '', 'latest', '2026-07-28 ', ' 2026-07-28'];

for (const [wire, start] of Object.entries(WIRES)) {
  test(`another version is -32022 with the versions that are served and the one that was asked for over ${wire} [VER-02] [VER-03] [BASE-19]`, async (t) => {
    const peer = await start(t);
    for (const requested of OTHERS.slice(0, 4)) {
      for (const method of ['server/discover', 'tools/list', 'subscriptions/listen', 'nonsense']) {
        const answer = await peer.ask(request(1, method, {}, { [PROTOCOL_VERSION]: requested }));
        assertError(answer, 1, -32022);
        assert.deepEqual(at(answer, 'error', 'data'), { supported: [VERSION], requested });
      }
    }
  });

  test(`server/discover answers over ${wire} with versions and capabilities [VER-05] [DISC-01] [DISC-02] [DISC-05]`, async (t) => {
    const peer = await start(t);
    const { result } = (await peer.ask(request(1, 'server/discover'))) as { result: object };
    assert.deepEqual(at(result, 'supportedVersions'), [VERSION]);
    assert.deepEqual(at(result, 'capabilities'), {
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    });
    assert.equal(at(result, '_meta', 'io.modelcontextprotocol/serverInfo', 'name'), 'rules');
  });

  test(`a request of a client with an extension that nobody knows here is served as ever over ${wire} [VER-07]`, async (t) => {
    const peer = await start(t);
    const meta = {
      [CLIENT_CAPABILITIES]: { extensions: { 'com.example/teleport': {} }, experimental: { x: {} } },
    };
    assert.equal(textOf(await peer.ask(call(1, 'echo', { text: 'x' }, meta))), 'x');
  });

  test(`the initialize of an old client is refused over ${wire} with the versions that are served [VER-10]`, async (t) => {
    const peer = await start(t, undefined, false);
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const answer = await peer.ask({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    assertError(answer, 0, -32022);
    assert.deepEqual(at(answer, 'error', 'data'), { supported: [VERSION], requested: '2025-06-18' });
  });
}

test('another version has status 400 on HTTP [HTTP-28] [VER-02] [VER-03]', async (t) => {
  const peer = await serve(t, rulesServer());
  const answer = await peer.post(request(1, 'tools/list', {}, { [PROTOCOL_VERSION]: '2025-11-25' }));
  assert.equal(answer.status, 400);
  assertError(answer.json, 1, -32022);
  assert.deepEqual(at(answer.json, 'error', 'data'), { supported: [VERSION], requested: '2025-11-25' });
});

test('the initialize of an old client, which sends none of the headers, has status 400 on HTTP [VER-10] [HTTP-30]', async (t) => {
  const peer = await serve(t, rulesServer(), { legacy: false });
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const answer = await peer.post(
    { jsonrpc: '2.0', id: 0, method: 'initialize', params },
    { 'MCP-Protocol-Version': undefined, 'Mcp-Method': undefined },
  );
  assert.equal(answer.status, 400);
  assertError(answer.json, 0, -32022);
  assert.deepEqual(at(answer.json, 'error', 'data'), { supported: [VERSION], requested: '2025-06-18' });
});

test('an initialize in the language of this revision is a method that does not exist [HTTP-29]', async (t) => {
  const peer = await serve(t, rulesServer());
  const answer = await peer.post(request(1, 'initialize'));
  assert.equal(answer.status, 404);
  assertError(answer.json, 1, -32601);
});

test('an extension is named with a prefix and a name of the _meta grammar [VER-06]', async (t) => {
  const info = { name: 's', version: '1' };
  for (const identifier of [
    'tasks',
    '/tasks',
    'com..example/tasks',
    '1com/tasks',
    'com.example/-tasks',
    '',
  ]) {
    assert.throws(
      () => createServer(info, { extensions: { [identifier]: {} } }),
      DefinitionError,
      identifier,
    );
  }
  const peer = await serve(t, createServer(info, { extensions: { 'com.example/tasks': { list: {} } } }));
  const answer = await peer.post(request(1, 'server/discover'));
  assert.deepEqual(at(answer.json, 'result', 'capabilities'), {
    extensions: { 'com.example/tasks': { list: {} } },
  });
});
