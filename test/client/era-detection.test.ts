import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import process from 'node:process';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Client, EraVerdict } from 'mcpwire/client';
import { connect, serveHttp } from 'mcpwire/node';
import type { ConnectOptions } from 'mcpwire/node';
import { clientServer } from '../fixtures/client-server.ts';
import { listening } from '../support/listening.ts';
import { QUIET } from '../support/connections.ts';

const FILE = fileURLToPath(new URL('../fixtures/run-era-stdio.js', import.meta.url));
const BOUND = { timeout: 20_000 };

for (const quirk of [
  'code-zero',
  'code-internal',
  'garbage',
  'legacy-versions',
  'refuses-legacy-only',
  'mute',
  'slow',
]) {
  test(
    `a stdio server is legacy, in one process, though its answer to the probe is odd (${quirk}) [STDIO-18] [STDIO-19]`,
    BOUND,
    async (t) => {
      const said: string[] = [];
      const client = await start(t, quirk, { probeMs: 300, onStderr: (line) => said.push(line) });
      assert.equal(client.era, 'legacy');
      assert.equal(client.version, '2025-06-18');
      assert.match((await client.call('era')).text, /^\d+$/);
      assert.equal(said.filter((line) => line === 'got server/discover').length, 1);
      assert.equal(said.filter((line) => line === 'got initialize').length, 1);
    },
  );
}

for (const quirk of ['modern', 'modern-slow', 'modern-bare']) {
  test(`a stdio server is modern (${quirk}) [STDIO-16] [STDIO-17]`, BOUND, async (t) => {
    const client = await start(t, quirk, { probeMs: 300 });
    assert.equal(client.era, 'modern');
    assert.match((await client.call('era')).text, /^\d+$/);
  });
}

test(
  'a server that exits on the probe is started again, and greeted in the words of its era',
  BOUND,
  async (t) => {
    const said: string[] = [];
    const client = await start(t, 'exits-on-probe', { onStderr: (line) => said.push(line) });
    assert.equal(client.era, 'legacy');
    await client.call('era');
    assert.deepEqual(said.slice(0, 2), ['got server/discover', 'got initialize']);
  },
);

test('no version in common is an error that says what each side offers [VER-04]', BOUND, async (t) => {
  await assert.rejects(start(t, 'refuses-all'), (error) => {
    assert.ok(error instanceof Error && error.name === 'EraNegotiationError');
    assert.match(error.message, /2031-01-01.*2026-07-28/);
    assert.deepEqual((error as { theirs?: unknown }).theirs, ['2031-01-01']);
    return true;
  });
  await assert.rejects(start(t, 'unknown-version'), { name: 'EraNegotiationError' });
});

test('who insists on an era gets it, or an error', BOUND, async (t) => {
  await assert.rejects(start(t, 'code-zero', { era: 'modern' }), { name: 'EraNegotiationError' });
  await assert.rejects(start(t, 'modern', { era: 'legacy' }), { name: 'PeerError' });
  assert.equal((await start(t, 'modern', { era: 'modern' })).era, 'modern');
});

test('a verdict saves the probe, and one that proves wrong is corrected', BOUND, async (t) => {
  const at = new Date().toISOString();
  const said: string[] = [];
  const verdicts: EraVerdict[] = [];
  const options: ConnectOptions = {
    onStderr: (line) => said.push(line),
    onVerdict: (verdict) => verdicts.push(verdict),
  };
  // Commands of their own: verdicts are also kept in the process, by command.
  const legacy = await start(
    t,
    'code-zero',
    { ...options, verdict: { era: 'legacy', version: '2025-06-18', at } },
    '1',
  );
  assert.equal(legacy.era, 'legacy');
  assert.ok(!said.includes('got server/discover'));
  assert.equal(verdicts.length, 0);
  const modern = await start(
    t,
    'modern',
    { ...options, verdict: { era: 'legacy', version: '2025-06-18', at } },
    '2',
  );
  assert.equal(modern.era, 'modern');
  assert.equal(verdicts.at(-1)?.era, 'modern');
  const old = new Date(0).toISOString();
  await start(
    t,
    'code-zero',
    { ...options, verdict: { era: 'legacy', version: '2025-06-18', at: old } },
    '3',
  );
  assert.ok(said.includes('got server/discover'));
});

test(
  'over HTTP a legacy server is found by its refusal of the probe, whatever that looks like [HTTP-81] [HTTP-82]',
  BOUND,
  async (t) => {
    const refusals: { readonly [name: string]: (response: ServerResponse, id: unknown) => void } = {
      'a plain 404': (response) => response.writeHead(404).end('not found'),
      'an empty 400': (response) => response.writeHead(400).end(),
      'a 400 in JSON-RPC without an id': (response) =>
        response
          .writeHead(400, JSON_TYPE)
          .end('{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request"}}'),
      'a 405': (response) => response.writeHead(405).end(),
      'a 200 with an error': (response, id) =>
        response
          .writeHead(200, JSON_TYPE)
          .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32002, message: 'not initialized' } })),
      'a 500 in JSON-RPC': (response, id) =>
        response
          .writeHead(500, JSON_TYPE)
          .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'oops' } })),
      'a page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      'a modern-looking success that is none': (response, id) =>
        response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [] } })),
    };
    for (const [name, refuse] of Object.entries(refusals)) {
      const verdicts: EraVerdict[] = [];
      const url = await legacyHttp(t, refuse);
      const client = await connect(url, { ...QUIET, onVerdict: (verdict) => verdicts.push(verdict) });
      assert.equal(client.era, 'legacy', name);
      assert.equal((await client.tools().all()).length, 1, name);
      // A server in trouble may be anything tomorrow.
      assert.equal(verdicts.length, name.includes('500') ? 0 : 1, name);
      await client.close();
    }
  },
);

test(
  'over HTTP what says nothing of the era ends the search: no authorization, overload, time-outs',
  BOUND,
  async (t) => {
    for (const status of [401, 403, 429]) {
      const url = await legacyHttp(t, (response) => response.writeHead(status).end('no'));
      await assert.rejects(connect(url, QUIET), (error) => (error as { status?: unknown }).status === status);
    }
    const mute = await legacyHttp(t, () => {});
    await assert.rejects(connect(mute, { ...QUIET, connectTimeoutMs: 300 }), { name: 'TimeoutError' });
    const broken = await legacyHttp(t, (response) => response.writeHead(503).end('down'), 503);
    await assert.rejects(connect(broken, QUIET), (error) => (error as { status?: unknown }).status === 503);
  },
);

test('an HTTP server that changes its era is followed', BOUND, async (t) => {
  const running = await serveHttp(clientServer(), { port: 0, drainMs: 100 });
  t.after(() => running.close());
  const at = new Date().toISOString();
  const client = await connect(running.url, {
    ...QUIET,
    verdict: { era: 'legacy', version: '2024-11-05', transport: 'sse', at },
  });
  t.after(() => client.close());
  assert.equal(client.era, 'modern');
});

const JSON_TYPE = { 'content-type': 'application/json' };

async function start(
  t: TestContext,
  quirk: string,
  options: ConnectOptions = {},
  name = '',
): Promise<Client> {
  const target = { command: process.execPath, args: [FILE, quirk, name] };
  const client = await connect(target, { ...QUIET, exitMs: 200, ...options });
  t.after(() => client.close());
  return client;
}

/** A legacy server without sessions that refuses the probe in one particular way. */
async function legacyHttp(
  t: TestContext,
  refuse: (response: ServerResponse, id: unknown) => void,
  initializeStatus = 200,
): Promise<string> {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const part of request) body += String(part);
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const { id, method } = JSON.parse(body) as { id?: unknown; method?: string };
    if (method === 'server/discover') refuse(response, id);
    else if (id === undefined) response.writeHead(202).end();
    else if (initializeStatus !== 200) response.writeHead(initializeStatus).end('down');
    else {
      const result =
        method === 'initialize'
          ? {
              protocolVersion: '2025-03-26',
              capabilities: { tools: {} },
              serverInfo: { name: 'old', version: '1' },
            }
          : { tools: [{ name: 'only', inputSchema: { type: 'object' } }] };
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
  };
  const server = createServer((request, response) => void serve(request, response));
  return listening(t, server);
}
