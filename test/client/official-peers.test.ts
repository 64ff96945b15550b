import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import process from 'node:process';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { connect } from 'mcpwire/node';
import * as z from 'zod';
import { listening } from '../support/listening.ts';
import { QUIET } from '../support/connections.ts';
import { askingServer } from '../support/sdk-server.ts';

const ANSWERING = {
  ...QUIET,
  onElicit: () => ({ action: 'accept' as const, content: { name: 'Ada' } }),
  onSample: () => ({
    role: 'assistant' as const,
    content: { type: 'text' as const, text: 'Ho' },
    model: 'm',
  }),
  roots: [{ uri: 'file:///tmp' }],
};

test('an official v1 server over HTTP with sessions: every kind of question, progress, lists', async (t) => {
  const { url } = await v1Server(t);
  const client = await connect(url, ANSWERING);
  t.after(() => client.close());
  assert.equal(client.era, 'legacy');
  assert.equal(client.version, '2025-11-25');
  assert.equal((await client.call('form', { of: 'a' })).text, 'accept {"name":"Ada"}');
  assert.match((await client.call('forms', { count: 3 })).text, /(accept.*){3}/);
  assert.match((await client.call('sample', {})).text, /^m /);
  assert.match((await client.call('roots', {})).text, /file:\/\/\/tmp/);
  assert.equal((await client.call('url', {})).text, 'accept');
  const steps: number[] = [];
  const result = await client.call('steps', {}, { onProgress: ({ progress }) => steps.push(progress) });
  assert.equal(result.text, 'stepped');
  assert.deepEqual(steps, [1, 2]);
});

test('a session that the server forgot is made anew, and what is safe is sent again', async (t) => {
  const server = await v1Server(t);
  const client = await connect(server.url, ANSWERING);
  t.after(() => client.close());
  const before = (await client.tools().all()).length;
  server.forgetSessions();
  assert.equal((await client.tools({ cache: false }).all()).length, before);
  assert.equal(server.sessions(), 1);
  server.forgetSessions();
  // A call may have run: it is not repeated, and says so. The next one finds a new session.
  await assert.rejects(client.call('form', { of: 'a' }), { name: 'SessionLostError' });
  assert.equal((await client.call('form', { of: 'a' })).text, 'accept {"name":"Ada"}');
});

test('an official v1 server that knows HTTP+SSE alone is found and spoken to', async (t) => {
  const url = await v1SseServer(t);
  const client = await connect(url, ANSWERING);
  t.after(() => client.close());
  assert.equal(client.transport, 'sse');
  assert.equal((await client.call('form', { of: 'a' })).text, 'accept {"name":"Ada"}');
});

test('an official v2 server is modern over HTTP', async (t) => {
  const handler = toNodeHandler(createMcpHandler(v2Server)) as (
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<void>;
  const url = await listening(
    t,
    createServer((request, response) => void handler(request, response)),
  );
  const client = await connect(url, QUIET);
  t.after(() => client.close());
  assert.equal(client.era, 'modern');
  assert.deepEqual((await client.call('add', { a: 1, b: 2 })).structured, { sum: 3 });
});

test('an official v1 server over stdio', async (t) => {
  const file = fileURLToPath(new URL('../fixtures/run-official-v1.js', import.meta.url));
  const client = await connect({ command: process.execPath, args: [file] }, ANSWERING);
  t.after(() => client.close());
  assert.equal(client.era, 'legacy');
  const texts = await Promise.all(
    ['a', 'b', 'c'].map(async (of) => (await client.call('rounds', { of, count: 2 })).text),
  );
  for (const text of texts) assert.match(text, /^accept.*; accept/);
});

for (const transport of ['stdio', 'HTTP'] as const) {
  test(
    `${transport}: a hundred calls of an official v1 server ask at once, and each gets its answer, whoever leaves`,
    { timeout: 60_000 },
    async (t) => {
      const file = fileURLToPath(new URL('../fixtures/run-official-v1.js', import.meta.url));
      const target =
        transport === 'stdio' ? { command: process.execPath, args: [file] } : (await v1Server(t)).url;
      const client = await connect(target, { ...ANSWERING, maxConnections: 16 });
      t.after(() => client.close());
      const leaving = new AbortController();
      const left = client.call('form', { of: 'left' }, { signal: leaving.signal });
      leaving.abort(new Error('left'));
      await assert.rejects(left, /left/);
      const texts = await Promise.all(
        Array.from({ length: 100 }, async () => (await client.call('form', { of: 'x' })).text),
      );
      assert.deepEqual(new Set(texts), new Set(['accept {"name":"Ada"}']));
      assert.equal(client.pending, 0);
    },
  );
}

test('the time in which a user thinks is not that of any call, where nobody can say whose question it is', async (t) => {
  const file = fileURLToPath(new URL('../fixtures/run-official-v1.js', import.meta.url));
  const client = await connect(
    { command: process.execPath, args: [file] },
    {
      ...QUIET,
      timeoutMs: 400,
      onElicit: async () => {
        await new Promise((resolve) => setTimeout(resolve, 900));
        return { action: 'accept', content: { name: 'slow' } };
      },
    },
  );
  t.after(() => client.close());
  const [one, two] = await Promise.all([client.call('form', { of: '1' }), client.call('form', { of: '2' })]);
  assert.equal(one.text, two.text);
  assert.match(one.text, /slow/);
});

function v2Server(): McpServer {
  const server = new McpServer({ name: 'official-2', version: '2.0.0' });
  server.registerTool(
    'add',
    { inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }) },
    ({ a, b }) => ({ content: [], structuredContent: { sum: a + b } }),
  );
  return server;
}

async function v1Server(
  t: TestContext,
): Promise<{ url: string; forgetSessions(): void; sessions(): number }> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (id !== undefined && known === undefined) {
      response.writeHead(404).end('no such session');
      return;
    }
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
    });
    await askingServer().connect(transport);
    await transport.handleRequest(request, response);
  };
  const url = await listening(
    t,
    createServer((request, response) => void serve(request, response)),
  );
  return { url, forgetSessions: () => sessions.clear(), sessions: () => sessions.size };
}

function v1SseServer(t: TestContext): Promise<string> {
  const streams = new Map<string, SSEServerTransport>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'GET' && url.pathname === '/mcp') {
      const transport = new SSEServerTransport('/messages', response);
      streams.set(transport.sessionId, transport);
      await askingServer().connect(transport);
    } else if (request.method === 'POST' && url.pathname === '/messages') {
      await streams.get(url.searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response);
    } else response.writeHead(404).end('Not found');
  };
  return listening(
    t,
    createServer((request, response) => void serve(request, response)),
  );
}
