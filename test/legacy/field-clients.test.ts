import assert from 'node:assert/strict';
import process from 'node:process';
import type { TestContext } from 'node:test';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { legacyServer } from '../fixtures/legacy-server.ts';
import { installFieldClients, newHome, programOf, runFieldClient } from '../support/field-clients.ts';
import { serve } from '../support/http-peer.ts';
import { form, ROOTS, sample } from '../support/legacy-messages.ts';
import { at } from '../support/messages.ts';

/** Clients from the field, as people start them [issue 3: real clients]. */

const SERVER = fileURLToPath(new URL('../fixtures/run-legacy-stdio.js', import.meta.url));

before(installFieldClients, { timeout: 300_000 });

async function url(t: TestContext): Promise<string> {
  return `http://127.0.0.1:${(await serve(t, legacyServer(), { sse: true })).port}/mcp`;
}

function text(result: unknown): unknown {
  return at(result, 'content', 0, 'text');
}

const ECHO = ['--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'text=hello'];

test('inspector --cli calls and lists over stdio', async (t) => {
  const env = await newHome(t);
  const start = ['--cli', process.execPath, SERVER];
  assert.equal(text(JSON.parse(await runFieldClient('inspector', [...start, ...ECHO], env))), 'hello');
  const listed: unknown = JSON.parse(
    await runFieldClient('inspector', [...start, '--method', 'tools/list'], env),
  );
  assert.equal(at(listed, 'tools', 0, 'name'), 'echo');
});

for (const era of ['legacy', 'auto', 'modern']) {
  test(`inspector --cli calls over HTTP, era ${era}`, async (t) => {
    const args = ['--cli', await url(t), '--transport', 'http', '--protocol-era', era, ...ECHO];
    const result: unknown = JSON.parse(await runFieldClient('inspector', args, await newHome(t)));
    assert.equal(text(result), 'hello');
    const isModern = at(result, '_meta', 'io.modelcontextprotocol/serverInfo') !== undefined;
    assert.equal(isModern, era !== 'legacy');
  });
}

test('inspector --cli calls over the deprecated HTTP+SSE transport', async (t) => {
  const address = (await url(t)).replace(/mcp$/, 'sse');
  const args = ['--cli', address, '--transport', 'sse', ...ECHO];
  assert.equal(text(JSON.parse(await runFieldClient('inspector', args, await newHome(t)))), 'hello');
});

test('mcporter lists and calls over HTTP', async (t) => {
  const env = await newHome(t);
  const address = await url(t);
  const listed: unknown = JSON.parse(
    await runFieldClient(
      'mcporter',
      ['list', '--http-url', address, '--allow-http', '--name', 'fixture', '--json'],
      env,
    ),
  );
  assert.equal(at(listed, 'status'), 'ok');
  assert.equal(at(listed, 'tools', 0, 'name'), 'echo');
  const said = await runFieldClient(
    'mcporter',
    ['call', `${address}.echo`, 'text=hello', '--allow-http'],
    env,
  );
  assert.equal(said.trim(), 'hello');
});

test('mcporter calls over stdio', async (t) => {
  const args = ['call', '--stdio', process.execPath, '--stdio-arg', SERVER, '--tool', 'echo'];
  const said = await runFieldClient('mcporter', [...args, '--args', '{"text":"hello"}'], await newHome(t));
  assert.equal(said.trim(), 'hello');
});

test('mcp-remote carries calls and all kinds of questions between a client on stdio and a server on HTTP', async (t) => {
  const client = new Client(
    { name: 'behind-remote', version: '1' },
    { capabilities: { elicitation: {}, sampling: {}, roots: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'Hi' },
  }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [programOf('mcp-remote'), await url(t), '--allow-http'],
      env: await newHome(t),
      stderr: 'ignore',
    }),
  );
  t.after(() => client.close());
  assert.equal(text(await client.callTool({ name: 'echo', arguments: { text: 'hello' } })), 'hello');
  const inputRequests = { f: form(), s: sample(), r: ROOTS };
  const answer = String(text(await client.callTool({ name: 'ask', arguments: { inputRequests } })));
  assert.deepEqual(JSON.parse(answer.replace(/^answered /, '')), {
    f: { action: 'accept', content: { name: 'Ada' } },
    s: { model: 'm', role: 'assistant', content: { type: 'text', text: 'Hi' } },
    r: { roots: [] },
  });
});
