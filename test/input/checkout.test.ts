import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { at } from '../support/messages.ts';
import { SECRET } from './rounds.ts';

const FIXTURE = fileURLToPath(new URL('../fixtures/run-checkout.js', import.meta.url));
const CALL = { name: 'checkout', arguments: { item: 'cup', quantity: 2 } };
const NOTE = 'red, decline, Ulm true, ann@a.example, A cup is a cup, 5';

/** What the person answers to each message. */
const FORMS: readonly (readonly [
  RegExp,
  { action: 'accept' | 'decline'; content?: Record<string, string | number | boolean> },
])[] = [
  [/color/, { action: 'accept', content: { color: 'red' } }],
  [/engraving for red cup/, { action: 'decline' }],
  [/Where to/, { action: 'accept', content: { city: 'Ulm', express: true } }],
  [/e-mail/, { action: 'accept', content: { email: 'ann@a.example' } }],
  [/Charged 20/, { action: 'accept', content: { stars: 5 } }],
];
const MODEL = {
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'A cup is a cup' },
  model: 'm',
};

/** A person and a model that answer, and what they were asked. */
class Answerer {
  readonly asked: string[] = [];

  elicit(message: string): {
    action: 'accept' | 'decline';
    content?: Record<string, string | number | boolean>;
  } {
    this.asked.push(message);
    const found = FORMS.find(([pattern]) => pattern.test(message));
    assert.ok(found !== undefined, message);
    return found[1];
  }

  sample(): typeof MODEL {
    this.asked.push('(model)');
    return MODEL;
  }
}

const EVERY_QUESTION = [
  '(model)',
  'An engraving for red cup?',
  'Charged 20. Rate us?',
  'Where to?',
  'Which color of cup?',
  'Your e-mail?',
];

async function newLedger(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'checkout-'));
  t.after(() => rm(folder, { recursive: true }));
  const ledger = join(folder, 'charges');
  await writeFile(ledger, '');
  return ledger;
}

/** Starts an instance in a process of its own and gives its URL. */
async function startHttp(t: TestContext, ledger: string, secret = SECRET): Promise<URL> {
  const child = spawn(process.execPath, [FIXTURE, ledger, '--http', '--secret', secret], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return new URL(url);
}

/** Sends each request to the next instance, and knows nothing of what is in it. */
async function roundRobin(t: TestContext, targets: readonly URL[]): Promise<{ url: URL; served: number[] }> {
  const served = targets.map(() => 0);
  let turn = 0;
  const proxy = createServer((incoming, outgoing) => {
    const index = turn++ % targets.length;
    served[index] = (served[index] ?? 0) + 1;
    const { port } = targets[index] ?? new URL('http://127.0.0.1');
    const { method, headers, url: path } = incoming;
    const onward = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { ...headers, host: `127.0.0.1:${port}` },
        agent: false,
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), served };
}

function modernClient(answerer: Answerer): Client {
  const client = new Client(
    { name: 'modern', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: {}, sampling: {} } },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => answerer.elicit(params.message));
  client.setRequestHandler('sampling/createMessage', async () => answerer.sample());
  return client;
}

function legacyClient(answerer: Answerer): LegacyClient {
  const client = new LegacyClient(
    { name: 'legacy', version: '1.0.0' },
    { capabilities: { elicitation: {}, sampling: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => answerer.elicit(params.message));
  client.setRequestHandler(CreateMessageRequestSchema, async () => answerer.sample());
  return client;
}

/** The result is the same for everybody, everything was asked once, and the card was charged once. */
function assertOrdered(result: unknown, answerer: Answerer, ledger: string): void {
  const structured = at(result, 'structuredContent');
  assert.equal(at(structured, 'note'), NOTE, JSON.stringify(result));
  assert.equal(at(structured, 'total'), 20);
  assert.deepEqual(answerer.asked.toSorted(), EVERY_QUESTION);
  assert.equal(readFileSync(ledger, 'utf8'), `${String(at(structured, 'receipt'))}\n`, 'charged once');
}

test('a checkout with two instances that take turns and share nothing but a secret: modern client over HTTP', async (t) => {
  const ledger = await newLedger(t);
  const targets = await Promise.all([startHttp(t, ledger), startHttp(t, ledger)]);
  const { url, served } = await roundRobin(t, targets);
  const answerer = new Answerer();
  const client = modernClient(answerer);
  await client.connect(new StreamableHTTPClientTransport(url));
  assertOrdered(await client.callTool(CALL), answerer, ledger);
  await client.close();
  assert.ok(
    served.every((count) => count >= 3),
    `requests of each instance: ${served.join(', ')}`,
  );
});

test('two instances with secrets of their own can not go on with the calls of each other', async (t) => {
  const ledger = await newLedger(t);
  const targets = await Promise.all([
    startHttp(t, ledger),
    startHttp(t, ledger, 'a secret that the other instance does not have'),
  ]);
  const { url } = await roundRobin(t, targets);
  const client = modernClient(new Answerer());
  await client.connect(new StreamableHTTPClientTransport(url));
  await assert.rejects(client.callTool(CALL), /requestState is not valid/);
  await client.close();
  assert.equal(readFileSync(ledger, 'utf8'), '');
});

test('the same checkout over stdio: modern client', async (t) => {
  const ledger = await newLedger(t);
  const answerer = new Answerer();
  const client = modernClient(answerer);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [FIXTURE, ledger] }));
  assertOrdered(await client.callTool(CALL), answerer, ledger);
  await client.close();
});

test('the same checkout over stdio: legacy client', async (t) => {
  const ledger = await newLedger(t);
  const answerer = new Answerer();
  const client = legacyClient(answerer);
  await client.connect(new LegacyStdio({ command: process.execPath, args: [FIXTURE, ledger] }));
  assertOrdered(await client.callTool(CALL), answerer, ledger);
  await client.close();
});

test('the same checkout over HTTP: legacy client', async (t) => {
  const ledger = await newLedger(t);
  const answerer = new Answerer();
  const client = legacyClient(answerer);
  await client.connect(new LegacyHttp(await startHttp(t, ledger)));
  assertOrdered(await client.callTool(CALL), answerer, ledger);
  await client.close();
});
