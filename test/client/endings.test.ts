import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import process from 'node:process';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ListenEvent } from 'mcpwire/client';
import { createClient } from 'mcpwire/client';
import { connect, serveHttp } from 'mcpwire/node';
import { clientServer } from '../fixtures/client-server.ts';
import { listening } from '../support/listening.ts';
import { QUIET } from '../support/connections.ts';
import { clientOf } from '../support/scripted-connection.ts';

// Every way in which a call, a subscription or a connect ends, where something else goes wrong at the same time.

const BOUND = { timeout: 20_000 };
const BAD = fileURLToPath(new URL('../peers/run-bad-stdio.js', import.meta.url));
const PROCESS = fileURLToPath(new URL('../fixtures/run-process.js', import.meta.url));

test('a server that stops reading can not hold calls, their cancellation or the close', BOUND, async () => {
  const client = await connect(
    { command: process.execPath, args: [BAD, 'deaf'] },
    { ...QUIET, maxUnreadBytes: 300_000, timeoutMs: 500, exitMs: 100, termMs: 100 },
  );
  const text = 'x'.repeat(100_000);
  await client.call('bad', {}).catch(() => {});
  const ends = await Promise.allSettled(Array.from({ length: 5 }, () => client.call('echo', { text })));
  const names = ends.map((end) => (end.status === 'rejected' ? (end.reason as Error).name : 'answered'));
  assert.ok(
    names.every((name) => ['TimeoutError', 'LimitError'].includes(name)),
    names.join(),
  );
  assert.ok(names.includes('LimitError'), names.join());
  assert.equal(client.pending, 0);
  await client.close();
});

test('closing the client ends a call that waits for the user, whose handler hears of it', BOUND, async () => {
  let heard: unknown;
  const client = clientOf(
    () => ({
      resultType: 'input_required',
      inputRequests: { a: { method: 'elicitation/create', params: { message: '?', requestedSchema: {} } } },
    }),
    {
      onElicit: (_question, { signal }) => {
        signal.addEventListener('abort', () => {
          heard = signal.reason;
        });
        setImmediate(() => void client.close());
        return new Promise(() => {});
      },
    },
  );
  await assert.rejects(client.call('t'), { name: 'ConnectionClosedError' });
  assert.equal((heard as Error).name, 'ConnectionClosedError');
  assert.equal(client.pending, 0);
});

test('closing the client ends a subscription that waits before it comes back', BOUND, async () => {
  const client = clientOf(() => {
    throw new Error('no connection');
  });
  const reading = (async (): Promise<void> => {
    for await (const { type } of client.listen({ tools: true })) assert.fail(type);
  })();
  await new Promise(setImmediate);
  const started = Date.now();
  await client.close();
  await reading;
  assert.ok(Date.now() - started < 200);
});

test(
  'closing the client ends a restart that is under way, and a connect can be cancelled',
  BOUND,
  async () => {
    const target = { command: process.execPath, args: [PROCESS] };
    const controller = new AbortController();
    const connecting = connect(
      { command: process.execPath, args: [BAD, 'mute'] },
      { ...QUIET, exitMs: 100, termMs: 100, signal: controller.signal },
    );
    setTimeout(() => controller.abort(new Error('changed my mind')), 100);
    await assert.rejects(connecting, /changed my mind/);
    const client = await connect(target, QUIET);
    await client.call('die').catch(() => {});
    const calling = client.call('pid');
    setImmediate(() => void client.close());
    await assert.rejects(calling, { name: 'ConnectionClosedError' });
  },
);

test('after a while a server that kept dying is started again', BOUND, async (t) => {
  const client = await connect(
    { command: process.execPath, args: [PROCESS] },
    { ...QUIET, maxRestarts: 1, restartWindowMs: 800 },
  );
  t.after(() => client.close());
  await client.call('die').catch(() => {});
  await client.call('die').catch(() => {});
  await assert.rejects(client.call('pid'), { message: /not started again for now/ });
  await assert.rejects(client.call('pid'), { message: /not started again for now/ });
  await new Promise((resolve) => setTimeout(resolve, 850));
  assert.match((await client.call('pid')).text, /^\d+$/);
});

test('times that are none are refused', async () => {
  const client = clientOf(() => ({ content: [] }));
  for (const timeoutMs of [Number.NaN, -1]) {
    await assert.rejects(client.call('t', {}, { timeoutMs }), { name: 'UsageError', message: /timeoutMs/ });
  }
  assert.throws(() => clientOf(() => ({}), { timeoutMs: 1.5 }), { name: 'UsageError' });
});

test('a connection that throws at once leaves nothing behind', async () => {
  const client = createClient({
    handle: () => {
      throw new Error('at once');
    },
    transport: 'test',
    facts: { era: 'modern', version: '2026-07-28', capabilities: {} },
    close: () => Promise.resolve(),
  });
  await assert.rejects(client.call('t'), /at once/);
  assert.equal(client.pending, 0);
});

test('what the application throws where it is only told something is reported', BOUND, async (t) => {
  const reports: string[] = [];
  const fail = (): never => {
    throw new Error('not my day');
  };
  const client = await connect(
    { command: process.execPath, args: [PROCESS, 'reported'] },
    { onStderr: fail, onVerdict: fail, report: ({ message }) => reports.push(message) },
  );
  t.after(() => client.close());
  await client.call('pid');
  assert.deepEqual(reports.toSorted(), ['onStderr threw', 'onVerdict threw']);
});

test('a result does not wait for a list of tools that does not come', BOUND, async () => {
  const client = clientOf(({ method }) =>
    method === 'tools/list' ? new Promise(() => {}) : { content: [], structuredContent: { n: 1 } },
  );
  assert.deepEqual((await client.call('t', {}, { timeoutMs: 100 })).structured, { n: 1 });
  assert.match(client.reports.join(), /list of tools is not there yet/);
  const controller = new AbortController();
  const calling = client.call('t', {}, { signal: controller.signal });
  setTimeout(() => controller.abort(new Error('enough')), 50);
  await assert.rejects(calling, /enough/);
  await client.close();
});

test('equal requests with options of their own do not share an answer, nor its end', BOUND, async () => {
  let count = 0;
  const client = clientOf(async () => {
    const own = ++count;
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { contents: [], own };
  });
  const [short, long] = await Promise.allSettled([
    client.read('a:', { timeoutMs: 50 }),
    client.read('a:', { timeoutMs: 5000 }),
  ]);
  assert.equal(short.status, 'rejected');
  assert.equal(long.status, 'fulfilled');
  const leaving = new AbortController();
  const left = client.read('b:', { signal: leaving.signal });
  leaving.abort(new Error('left'));
  const joined = client.read('b:');
  await assert.rejects(left, /left/);
  assert.equal((await joined)['own'], count);
});

test('what is kept can not be changed by one of its readers', async () => {
  const client = clientOf(() => ({
    contents: [{ uri: 'a:', text: 'as sent' }],
    ttlMs: 60_000,
    cacheScope: 'private',
  }));
  const first = await client.read('a:');
  assert.throws(() => Object.assign(first.contents[0] ?? {}, { text: 'changed' }), TypeError);
  assert.deepEqual((await client.read('a:')).contents, [{ uri: 'a:', text: 'as sent' }]);
});

test('a pattern with many ways to match is not tried on a long text', BOUND, async () => {
  const slow = { type: 'object', properties: { s: { type: 'string', pattern: 'a{0,9}a{0,9}a{0,9}b' } } };
  const client = clientOf(({ method }) =>
    method === 'tools/list'
      ? { tools: [{ name: 't', inputSchema: {}, outputSchema: slow }] }
      : { content: [], structuredContent: { s: 'a'.repeat(1_000_000) } },
  );
  const started = Date.now();
  await client.call('t');
  assert.ok(Date.now() - started < 2000);
  assert.match(client.reports.join(), /too much text for the patterns/);
});

test('many subscriptions on one signal are no leak, and leave nothing on it', async (t) => {
  const warnings: string[] = [];
  const warn = (warning: Error): number => warnings.push(String(warning));
  process.on('warning', warn);
  t.after(() => process.off('warning', warn));
  const client = clientOf(() => new Promise(() => {}));
  const { signal } = new AbortController();
  for (let count = 0; count < 20; count++) client.listen({ tools: true }, { signal }).close();
  await new Promise(setImmediate);
  assert.deepEqual(warnings, []);
  assert.equal(client.pending, 0);
});

test(
  'a cancelled call of an older revision over HTTP gives its connection back, also where the server never ends it',
  BOUND,
  async (t) => {
    const server = await legacyServer(t);
    const client = await connect(server.url, { ...QUIET, maxConnections: 4 });
    t.after(() => client.close());
    for (let count = 0; count < 10; count++) {
      await assert.rejects(client.call('wait', {}, { timeoutMs: 50 }), { name: 'TimeoutError' });
    }
    assert.equal((await client.call('echo')).text, 'echo');
    while (server.count('notifications/cancelled') < 10) await new Promise(setImmediate);
  },
);

test(
  'who only listens to a server of an older revision hears of a lost session and a lost stream',
  BOUND,
  async (t) => {
    const server = await legacyServer(t);
    const client = await connect(server.url, { ...QUIET, minRetryMs: 10, maxRetryMs: 20 });
    t.after(() => client.close());
    const events: ListenEvent['type'][] = [];
    for await (const { type } of client.listen({ tools: true })) {
      events.push(type);
      if (events.length === 1) server.cutStream();
      if (events.length === 2) server.forgetSession();
      if (events.length === 3) break;
    }
    assert.deepEqual(events, ['acknowledged', 'toolsListChanged', 'toolsListChanged']);
    assert.equal(server.count('initialize'), 2);
  },
);

test('an error whose body drips is known by its status', BOUND, async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(403, { 'content-type': 'text/plain' });
    const timer = setInterval(() => response.write('.'), 50);
    response.on('close', () => clearInterval(timer));
  });
  await assert.rejects(connect(await listening(t, server), QUIET), { name: 'HttpError', status: 403 });
});

test('headers that never come can not hold a connect', BOUND, async (t) => {
  const { url } = await legacyServer(t);
  const connecting = connect(
    { url, headers: () => new Promise(() => {}) },
    { ...QUIET, connectTimeoutMs: 300 },
  );
  await assert.rejects(connecting, { name: 'TimeoutError' });
});

test('a subscription that is not acknowledged in time is no subscription', BOUND, async () => {
  const client = clientOf(() => new Promise(() => {}), { timeoutMs: 20 });
  const reading = (async (): Promise<void> => {
    for await (const { type } of client.listen({ tools: true })) assert.fail(type);
  })();
  while (client.pending > 0) await new Promise(setImmediate);
  await client.close();
  await reading;
});

test('a result that does not fit is held against the schema of today before it is refused', async () => {
  let type = 'integer';
  const client = clientOf(({ method }) =>
    method === 'tools/list'
      ? {
          tools: [{ name: 't', inputSchema: {}, outputSchema: { properties: { n: { type } } } }],
          ttlMs: 60_000,
        }
      : { content: [], structuredContent: { n: type === 'integer' ? 1 : 'one' } },
  );
  await client.tools().all();
  await client.call('t');
  type = 'string';
  assert.deepEqual((await client.call('t')).structured, { n: 'one' });
});

test('as many subscriptions as there are connections leave room for calls', BOUND, async (t) => {
  const running = await serveHttp(clientServer(), { port: 0, drainMs: 100 });
  t.after(() => running.close());
  const client = await connect(running.url, { ...QUIET, maxConnections: 2 });
  t.after(() => client.close());
  const subscriptions = Array.from({ length: 4 }, () => client.listen({ tools: true }));
  await Promise.all(
    subscriptions.map(async (subscription) => {
      for await (const { type } of subscription) {
        if (type === 'acknowledged') return client.call('add', { a: 1, b: 1 });
      }
      return undefined;
    }),
  );
});

test('options and targets that can not be meant are refused', async () => {
  const wrong = [
    { era: 'foo' },
    { onElicit: 5 },
    { meta: 5 },
    { clientInfo: 'x' },
    { logLevel: 'loud' },
    { elicitModes: ['voice'] },
    { verdict: {} },
    { cache: { maxEntries: Number.NaN } },
  ];
  for (const options of wrong) {
    await assert.rejects(
      connect('http://127.0.0.1:1/mcp', options as object),
      { name: 'UsageError' },
      JSON.stringify(options),
    );
  }
  for (const target of [
    null,
    undefined,
    5,
    { command: 5 },
    { file: '/nowhere.json', server: 'x' },
    {},
    'not a url',
    'ftp://x',
    'http://a:b@x',
  ]) {
    await assert.rejects(connect(target as never), { name: 'UsageError' }, JSON.stringify(target));
  }
});

interface LegacyServer {
  readonly url: string;
  count(method: string): number;
  cutStream(): void;
  forgetSession(): void;
}

/** A server of 2025-11-25 with sessions and a stream of its own; the tool `wait` never answers. */
async function legacyServer(t: TestContext): Promise<LegacyServer> {
  const methods: string[] = [];
  let session = 0;
  let stream: ServerResponse | undefined;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isKnown = request.headers['mcp-session-id'] === `s${session}`;
    if (request.method === 'GET') {
      if (!isKnown) return void response.writeHead(404).end('no session');
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.write(': hello\n\n');
      return;
    }
    let body = '';
    for await (const part of request) body += String(part);
    const { id, method = '', params } = (body === '' ? {} : JSON.parse(body)) as Message;
    methods.push(method);
    const answer = (message: object, headers: { [name: string]: string } = {}): void => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...message }));
    };
    if (method === 'server/discover') response.writeHead(400).end();
    else if (method === 'initialize') {
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'l', version: '1' },
      };
      answer({ result }, { 'mcp-session-id': `s${++session}` });
    } else if (!isKnown) response.writeHead(404).end('no session');
    else if (id === undefined) response.writeHead(202).end();
    else if (params?.name === 'wait') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n');
    } else answer({ result: { content: [{ type: 'text', text: 'echo' }] } });
  };
  const url = await listening(
    t,
    createServer((request, response) => void serve(request, response)),
  );
  return {
    url,
    count: (method) => methods.filter((each) => each === method).length,
    cutStream: () => stream?.destroy(),
    forgetSession: () => {
      session += 10;
      stream?.destroy();
    },
  };
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: string };
}
