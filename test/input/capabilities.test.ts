import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Ask, Context } from 'mcpwire/server';
import { serve } from '../support/http-peer.ts';
import type { Json } from '../support/messages.ts';
import { assertError, at, call, CLIENT_CAPABILITIES, request } from '../support/messages.ts';
import { ABLE, accept, callTool, converse, field, reportingServer, text } from './rounds.ts';

const NAME = { message: 'Name?', schema: field('name') };
const PAGE = { message: 'Go', url: 'https://a.example/' };
const SAMPLE = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 5 } as const;
const TOOLS = { ...SAMPLE, tools: [{ name: 't', inputSchema: { type: 'object' } }] } as const;

/** What is asked, what a client declares that isn't enough, and what it lacks then. */
const ROWS: readonly (readonly [Ask, (context: Context) => Promise<unknown>, readonly Json[], Json])[] = [
  [
    'elicit',
    (context) => context.elicit('q', NAME),
    [{}, { elicitation: { url: {} } }, { sampling: {}, roots: {} }],
    { elicitation: { form: {} } },
  ],
  [
    'elicitUrl',
    (context) => context.elicitUrl('q', PAGE),
    [{}, { elicitation: {} }, { elicitation: { form: {} } }],
    { elicitation: { url: {} } },
  ],
  ['sample', (context) => context.sample('q', SAMPLE), [{}, { elicitation: {} }], { sampling: {} }],
  [
    'sampleWithTools',
    (context) => context.sample('q', TOOLS),
    [{}, { sampling: {} }, { sampling: { context: {} } }],
    { sampling: { tools: {} } },
  ],
  ['roots', (context) => context.roots('q'), [{}, { elicitation: {}, sampling: {} }], { roots: {} }],
];

for (const [name, ask, lacking, requiredCapabilities] of ROWS) {
  test(`${name}: a client that did not declare it gets 400, -32021 and exactly what it lacks, from tools, prompts and resources [MRTR-15] [BASE-56] [ELIC-10]`, async (t) => {
    const { server } = reportingServer();
    server
      .tool('t', {}, async (_args, context) => JSON.stringify(await ask(context)))
      .prompt('t', {}, async (_args, context) => JSON.stringify(await ask(context)))
      .resource('test://t', { name: 't' }, async (context) => JSON.stringify(await ask(context)));
    const peer = await serve(t, server);
    for (const declared of lacking) {
      const able = { [CLIENT_CAPABILITIES]: declared };
      for (const message of [
        call(1, 't', {}, able),
        request(1, 'prompts/get', { name: 't' }, able),
        request(1, 'resources/read', { uri: 'test://t' }, able),
      ]) {
        const answer = await peer.post(message);
        assert.equal(answer.status, 400);
        assertError(answer.json, 1, -32021);
        assert.deepEqual(at(answer.json, 'error', 'data'), { requiredCapabilities });
      }
    }
    const answer = await peer.post(call(1, 't', {}, { [CLIENT_CAPABILITIES]: requiredCapabilities }));
    assert.equal(at(answer.json, 'result', 'resultType'), 'input_required');
  });

  test(`can('${name}') says whether it can be asked, and a handler may choose by it`, async () => {
    const { server } = reportingServer();
    server.tool('t', {}, async (_args, context) =>
      context.can(name) ? JSON.stringify(await ask(context)) : 'without asking',
    );
    for (const capabilities of lacking) {
      assert.equal(text(await callTool(server, 't', {}, { capabilities })), 'without asking');
    }
    for (const capabilities of [requiredCapabilities, ABLE]) {
      assert.equal((await callTool(server, 't', {}, { capabilities }))['resultType'], 'input_required');
    }
  });
}

test('an empty elicitation capability means forms [ELIC-08]', async () => {
  const { server } = reportingServer();
  server.tool('t', {}, async (_args, context) => (await context.elicit('q', NAME)).action);
  const options = { capabilities: { elicitation: {} } };
  const { result } = await converse(
    server,
    'tools/call',
    { name: 't' },
    () => accept({ name: 'x' }),
    options,
  );
  assert.equal(text(result), 'accept');
});

test('a handler may catch that it can not ask, and do without', async () => {
  const { server } = reportingServer();
  server.tool('t', {}, async (_args, context) =>
    context.elicit('q', NAME).then(
      ({ action }) => action,
      (error: unknown) => `without: ${String(at(error, 'code'))}`,
    ),
  );
  assert.equal(text(await callTool(server, 't', {}, { capabilities: {} })), 'without: -32021');
});

test('a sampling that shares context needs that declared too [SAMP-10]', async () => {
  const { server } = reportingServer();
  server.tool('t', {}, async (_args, context) =>
    JSON.stringify(await context.sample('q', { ...SAMPLE, includeContext: 'thisServer' })),
  );
  await assert.rejects(callTool(server, 't', {}, { capabilities: { sampling: {} } }), {
    code: -32021,
    data: { requiredCapabilities: { sampling: { context: {} } } },
  });
});

test('a legacy client that can not be asked reads why, as the result of the tool', async (t) => {
  const { server } = reportingServer();
  server.tool('t', {}, async (_args, context) => JSON.stringify(await context.elicit('q', NAME)));
  const peer = await serve(t, server, { legacy: { resumeMs: 100 } });
  const client = new Client({ name: 'unable', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${peer.port}/mcp`)));
  const result = await client.callTool({ name: 't', arguments: {} });
  await client.close();
  assert.equal(result['isError'], true);
  assert.match(String(at(result, 'content', 0, 'text')), /does not support elicitation/);
});
