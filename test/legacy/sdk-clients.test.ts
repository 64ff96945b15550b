import assert from 'node:assert/strict';
import process from 'node:process';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { legacyServer } from '../fixtures/legacy-server.ts';
import { defer } from '../support/defer.ts';
import { startHttpFixture } from '../support/fixture-process.ts';
import { serve } from '../support/http-peer.ts';
import { form, ROOTS, sample, url } from '../support/legacy-messages.ts';
import { at } from '../support/messages.ts';

/** The official clients: 1.x and 2.x. They are driven as their users do. */

const INFO = { name: 'sdk-test', version: '1' };
const CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: { listChanged: true },
} as const;
const ACCEPT = { action: 'accept' as const, content: { name: 'Ada' } };
const SAMPLED = { model: 'm', role: 'assistant' as const, content: { type: 'text' as const, text: 'Hi' } };
const HOME = { roots: [{ uri: 'file:///home', name: 'home' }] };

function command(): { command: string; args: string[]; stderr: 'ignore' } {
  const fixture = fileURLToPath(new URL('../fixtures/run-legacy-stdio.js', import.meta.url));
  return { command: process.execPath, args: [fixture], stderr: 'ignore' };
}

async function address(t: TestContext): Promise<URL> {
  return new URL(`http://127.0.0.1:${(await serve(t, legacyServer())).port}/mcp`);
}

/** What the tests need of a client, whichever it is. */
interface Driven {
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  callTool(params: { name: string; arguments?: { [name: string]: unknown } }): Promise<unknown>;
}

function text(result: unknown): string {
  return String(at(result, 'content', 0, 'text'));
}

async function drive(client: Driven): Promise<void> {
  const { tools } = await client.listTools();
  assert.ok(tools.some((tool) => tool.name === 'echo'));
  assert.equal(text(await client.callTool({ name: 'echo', arguments: { text: 'hello' } })), 'hello');
  assert.deepEqual(at(await client.callTool({ name: 'list_output' }), 'structuredContent'), {
    result: [1, 2, 3],
  });
}

async function answerEverything(client: Driven): Promise<void> {
  const inputRequests = { f: form(), s: sample(), r: ROOTS };
  const answer = text(await client.callTool({ name: 'ask', arguments: { inputRequests } }));
  const parsed = JSON.parse(answer.replace(/^answered /, '')) as { f: unknown; s: unknown; r: unknown };
  assert.deepEqual(parsed.f, ACCEPT);
  assert.equal(at(parsed.s, 'content', 'text'), 'Hi');
  assert.equal(at(parsed.r, 'roots', 0, 'uri'), 'file:///home');
  assert.match(text(await client.callTool({ name: 'rounds', arguments: { count: 3 } })), /^after 3 rounds/);
}

function oldClient(): Client {
  const client = new Client(INFO, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, () => ACCEPT);
  client.setRequestHandler(CreateMessageRequestSchema, () => SAMPLED);
  client.setRequestHandler(ListRootsRequestSchema, () => HOME);
  return client;
}

const OLD: { readonly [wire: string]: (t: TestContext) => Promise<Transport> } = {
  stdio: () => Promise.resolve(new StdioClientTransport(command())),
  http: async (t) => new StreamableHTTPClientTransport(await address(t)),
};

for (const [wire, transport] of Object.entries(OLD)) {
  test(`the official client 1.x drives a server over ${wire} [issue 3: real clients]`, async (t) => {
    const client = oldClient();
    await client.connect(await transport(t));
    t.after(() => client.close());
    assert.deepEqual(client.getServerVersion(), { name: 'rules', version: '1.2.3' });
    await drive(client);
    await client.ping();
    const { contents } = await client.readResource({ uri: 'test://text' });
    assert.equal(at(contents, 0, 'text'), 'some text');
    await assert.rejects(client.readResource({ uri: 'test://nowhere' }), /-32002/);
    assert.ok((await client.listPrompts()).prompts.length > 0);
    assert.deepEqual(await client.setLoggingLevel('debug'), {});
  });

  test(`elicitation, sampling and roots complete with the official client 1.x over ${wire} [issue 3]`, async (t) => {
    const client = oldClient();
    await client.connect(await transport(t));
    t.after(() => client.close());
    await answerEverything(client);
  });

  test(`URL elicitation completes with the official client 1.x over ${wire}`, async (t) => {
    const client = oldClient();
    const completed = defer<string>();
    let opened = '';
    client.setRequestHandler(ElicitRequestSchema, (request) => {
      opened = String(at(request.params, 'elicitationId'));
      return { action: 'accept' };
    });
    client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) =>
      completed.resolve(params.elicitationId),
    );
    await client.connect(await transport(t));
    t.after(() => client.close());
    await client.callTool({ name: 'ask', arguments: { inputRequests: { u: url() } } });
    assert.equal(await completed.promise, opened);
  });

  test(`news of lists and subscribed resources reach the official client 1.x over ${wire}`, async (t) => {
    const client = oldClient();
    const listed = defer<void>();
    const updated = defer<string>();
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => listed.resolve());
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
      updated.resolve(params.uri),
    );
    await client.connect(await transport(t));
    t.after(() => client.close());
    await client.subscribeResource({ uri: 'test://text' });
    // Over HTTP the client opens its stream when it likes: changes are made until one was heard of.
    await until(listed.promise, () => client.callTool({ name: 'change', arguments: { list: 'tools' } }));
    await until(updated.promise, () => client.callTool({ name: 'touch', arguments: { uri: 'test://text' } }));
    assert.equal(await updated.promise, 'test://text');
  });

  test(`a call that the official client 1.x aborts is cancelled, and leaves the session in order, over ${wire}`, async (t) => {
    const client = oldClient();
    await client.connect(await transport(t));
    t.after(() => client.close());
    const controller = new AbortController();
    const began = defer<void>();
    const values = Array.from({ length: 20_000 }, (_, value) => value);
    const call = client.callTool({ name: 'progress', arguments: { values } }, undefined, {
      signal: controller.signal,
      onprogress: () => began.resolve(),
    });
    await began.promise;
    controller.abort('enough');
    await assert.rejects(call, /enough/);
    await drive(client);
  });
}

test('a session of the official client 1.x continues after SIGKILL and a new start with the same secrets: nothing changes for the client [issue 3]', async (t) => {
  const options = { legacy: { secrets: ['a secret for tests that is long enough'] } };
  const first = await startHttpFixture(t, options);
  const client = oldClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(first.url)));
  t.after(() => client.close());
  await drive(client);
  await first.kill();
  await startHttpFixture(t, { ...options, port: first.port });
  await drive(client);
  await answerEverything(client);
});

test('a session that the official client 1.x terminates is gone', async (t) => {
  const transport = new StreamableHTTPClientTransport(await address(t));
  const client = oldClient();
  await client.connect(transport);
  await transport.terminateSession();
  await assert.rejects(client.ping(), /404|session/i);
  await client.close();
});

const MODES = {
  default: { mode: undefined, version: '2025-11-25' },
  auto: { mode: 'auto', version: '2026-07-28' },
  'pinned to 2026-07-28': { mode: { pin: '2026-07-28' }, version: '2026-07-28' },
} as const;

for (const [name, { mode, version }] of Object.entries(MODES)) {
  for (const wire of ['stdio', 'http']) {
    test(`the official client 2.x, ${name}, drives a server over ${wire} and answers all it is asked, in ${version} [issue 3: real clients]`, async (t) => {
      const client = new NewClient(INFO, {
        capabilities: CAPABILITIES,
        ...(mode === undefined ? {} : { versionNegotiation: { mode } }),
      });
      client.setRequestHandler('elicitation/create', () => ACCEPT);
      client.setRequestHandler('sampling/createMessage', () => SAMPLED);
      client.setRequestHandler('roots/list', () => HOME);
      await client.connect(wire === 'stdio' ? new NewStdio(command()) : new NewHttp(await address(t)));
      t.after(() => client.close());
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      const { tools } = await client.listTools();
      assert.ok(tools.some((tool) => tool.name === 'echo'));
      assert.equal(text(await client.callTool({ name: 'echo', arguments: { text: 'hello' } })), 'hello');
      const listed = at(await client.callTool({ name: 'list_output' }), 'structuredContent');
      assert.deepEqual(listed, version === '2026-07-28' ? [1, 2, 3] : { result: [1, 2, 3] });
      await answerEverything(client);
    });
  }
}

/** Does something again and again until the promise is settled. */
async function until(promise: Promise<unknown>, act: () => Promise<unknown>): Promise<void> {
  let isSettled = false;
  const settled = promise.then(() => {
    isSettled = true;
  });
  while (!isSettled) await act();
  await settled;
}
