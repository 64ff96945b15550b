import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import {
  CreateMessageRequestSchema,
  ListRootsRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { ServeHttpOptions } from 'mcpwire/node';
import { createServer } from 'mcpwire/server';
import type { Context, Server } from 'mcpwire/server';
import { legacyServer } from '../fixtures/legacy-server.ts';
import { defer } from '../support/defer.ts';
import { HttpPeer, serve } from '../support/http-peer.ts';
import type { HeaderChanges, HttpAnswer } from '../support/http-peer.ts';
import {
  cancelled,
  INITIALIZED,
  initialize,
  legacy,
  legacyCall,
  ROOTS,
  sample,
} from '../support/legacy-messages.ts';
import { assertError, at, call, textOf } from '../support/messages.ts';
import { openConnection } from '../support/raw-http.ts';
import { SseEvents } from '../support/sse-events.ts';

/** The deprecated HTTP+SSE transport [2024-11-05 basic/transports "HTTP with SSE"]. */

/** A client of the transport, as it was written then. */
class SsePeer {
  readonly stream: SseEvents;
  readonly endpoint: string;
  readonly #peer: HttpPeer;

  private constructor(peer: HttpPeer, stream: SseEvents, endpoint: string) {
    this.stream = stream;
    this.endpoint = endpoint;
    this.#peer = new HttpPeer(peer.port, endpoint);
  }

  static async open(peer: HttpPeer, path = '/sse'): Promise<SsePeer> {
    const { response } = await new HttpPeer(peer.port, path).start('GET', { Accept: 'text/event-stream' });
    const stream = new SseEvents(response);
    const first = await stream.next();
    assert.equal(first.event, 'endpoint');
    return new SsePeer(peer, stream, first.data);
  }

  post(body: unknown, changes: HeaderChanges = {}): Promise<HttpAnswer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.#peer.send('POST', { 'Content-Type': 'application/json', ...changes }, text);
  }

  async send(message: unknown): Promise<void> {
    const answer = await this.post(message);
    assert.equal(answer.status, 202, answer.text);
  }

  async next(): Promise<unknown> {
    const { event, data } = await this.stream.next();
    assert.equal(event, 'message');
    return JSON.parse(data);
  }

  async ask(message: unknown): Promise<unknown> {
    await this.send(message);
    return this.next();
  }

  async shakeHands(version = '2024-11-05', capabilities = {}): Promise<unknown> {
    const welcome = await this.ask(initialize(version, capabilities));
    await this.send(INITIALIZED);
    return at(welcome, 'result');
  }
}

async function start(
  t: TestContext,
  options: ServeHttpOptions = {},
  server: Server = legacyServer(),
): Promise<HttpPeer> {
  return serve(t, server, { sse: true, ...options });
}

test('the first event names an address for messages with 128 random bits; answers come as message events', async (t) => {
  const peer = await start(t);
  const [one, two] = [await SsePeer.open(peer), await SsePeer.open(peer)];
  assert.match(one.endpoint, /^\/messages\?sessionId=[0-9a-f]{32}$/);
  assert.notEqual(one.endpoint, two.endpoint);
  assert.deepEqual(await one.shakeHands(), {
    protocolVersion: '2024-11-05',
    capabilities: {
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      logging: {},
    },
    serverInfo: { name: 'rules', version: '1.2.3' },
    instructions: 'Use with care.',
  });
  assert.equal(textOf(await one.ask(legacyCall(1, 'echo', { text: 'hello' }))), 'hello');
});

test('it is off by default: both addresses are 404', async (t) => {
  const peer = await serve(t, legacyServer());
  for (const path of ['/sse', '/messages']) {
    const other = new HttpPeer(peer.port, path);
    assert.equal((await other.send('GET', { Accept: 'text/event-stream' })).status, 404);
    assert.equal((await other.send('POST', { 'Content-Type': 'application/json' }, '{}')).status, 404);
  }
});

test('it stands beside Streamable HTTP of both eras, at addresses of your choice', async (t) => {
  const peer = await start(t, { sse: { path: '/old', messagesPath: '/old/post' } });
  const old = await SsePeer.open(peer, '/old');
  assert.match(old.endpoint, /^\/old\/post\?sessionId=/);
  await old.shakeHands();
  const modern = await peer.post(call(1, 'echo', { text: 'x' }));
  assert.equal(at(modern.json, 'result', 'resultType'), 'complete');
  assert.equal(textOf(await old.ask(legacyCall(1, 'echo', { text: 'x' }))), 'x');
});

test('one address may serve both: GET opens, POST sends', async (t) => {
  const peer = await start(t, { sse: { path: '/old', messagesPath: '/old' } });
  const old = await SsePeer.open(peer, '/old');
  await old.shakeHands();
  assert.equal(textOf(await old.ask(legacyCall(1, 'echo', { text: 'x' }))), 'x');
});

test('a newer revision negotiated here has its words, batches of 2025-03-26 included', async (t) => {
  const client = await SsePeer.open(await start(t));
  assert.equal(at(await client.shakeHands('2025-03-26'), 'protocolVersion'), '2025-03-26');
  const answers = await client.ask([legacy(1, 'ping'), legacyCall(2, 'echo', { text: 'x' })]);
  assert.equal(textOf((answers as unknown[]).find((answer) => at(answer, 'id') === 2)), 'x');
  const old = await SsePeer.open(await start(t));
  await old.shakeHands('2024-11-05');
  const refused = await old.post([legacy(1, 'ping')]);
  assert.equal(refused.status, 400);
  assertError(refused.json, undefined, -32600, /no batches/);
});

test('before the handshake a ping is answered and a call refused, on the stream', async (t) => {
  const client = await SsePeer.open(await start(t));
  assert.deepEqual(await client.ask(legacy(1, 'ping')), { jsonrpc: '2.0', id: 1, result: {} });
  assertError(await client.ask(legacy(2, 'tools/list')), 2, -32600, /start with initialize/);
});

test('what needs no answer is 202, what is no message 400 with the reason, an unknown session 404', async (t) => {
  const peer = await start(t);
  const client = await SsePeer.open(peer);
  await client.shakeHands();
  assert.equal((await client.post(cancelled(1))).status, 202);
  const cases: readonly (readonly [string, number])[] = [
    ['{', -32700],
    ['7', -32600],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
  ];
  for (const [body, code] of cases) {
    const answer = await client.post(body);
    assert.equal(answer.status, 400);
    assert.equal(at(answer.json, 'error', 'code'), code);
  }
  for (const target of ['/messages', '/messages?sessionId=', `/messages?sessionId=${'0'.repeat(32)}`]) {
    const answer = await new HttpPeer(peer.port, target).send(
      'POST',
      { 'Content-Type': 'application/json' },
      JSON.stringify(legacy(1, 'ping')),
    );
    assert.equal(answer.status, 404, target);
  }
});

test('Host and Origin, method, media type and size are checked as they are elsewhere', async (t) => {
  const peer = await start(t, { maxBodyBytes: 1000 });
  const client = await SsePeer.open(peer);
  const stream = new HttpPeer(peer.port, '/sse');
  for (const foreign of [{ Host: 'evil.example' }, { Origin: 'https://evil.example' }]) {
    assert.equal((await stream.send('GET', { Accept: 'text/event-stream', ...foreign })).status, 403);
    assert.equal((await client.post(legacy(1, 'ping'), foreign)).status, 403);
  }
  const posted = await stream.send('POST', { 'Content-Type': 'application/json' }, '{}');
  assert.equal(posted.status, 405);
  assert.equal(posted.headers['allow'], 'GET');
  const got = await new HttpPeer(peer.port, client.endpoint).send('GET', {});
  assert.equal(got.status, 405);
  assert.equal(got.headers['allow'], 'POST');
  assert.equal((await client.post('{}', { 'Content-Type': 'text/plain' })).status, 415);
  assert.equal((await client.post(legacyCall(1, 'echo', { text: 'x'.repeat(2000) }))).status, 413);
});

test('the end of the stream ends the session: what runs is aborted, its address is gone', async (t) => {
  const began = defer<Context>();
  const aborted = defer<void>();
  const server = createServer({ name: 's', version: '1' }).tool('wait', {}, async (_args, context) => {
    began.resolve(context);
    await new Promise<void>((resolve) => {
      context.signal.addEventListener('abort', () => resolve());
    });
    aborted.resolve();
    return 'too late';
  });
  const peer = await start(t, {}, server);
  const client = await SsePeer.open(peer);
  await client.shakeHands();
  await client.send(legacyCall(1, 'wait'));
  await began.promise;
  client.stream.close();
  await aborted.promise;
  assert.equal((await client.post(legacy(2, 'ping'))).status, 404);
});

test('a raw socket that is cut without a word ends its session too', async (t) => {
  const peer = await start(t);
  const socket = await openConnection(peer.port);
  socket.write(`GET /sse HTTP/1.1\r\nHost: 127.0.0.1:${peer.port}\r\nAccept: text/event-stream\r\n\r\n`);
  const target = await new Promise<string>((resolve) => {
    const look = (): void => {
      const found = /data: (\/messages\S+)/.exec(socket.rest);
      if (found?.[1] !== undefined) resolve(found[1]);
    };
    socket.socket.on('data', look);
    look();
  });
  const messages = new HttpPeer(peer.port, target);
  const ping = (): Promise<HttpAnswer> =>
    messages.send('POST', { 'Content-Type': 'application/json' }, JSON.stringify(legacy(1, 'ping')));
  assert.equal((await ping()).status, 202);
  socket.close();
  while ((await ping()).status === 202);
  assert.equal((await ping()).status, 404);
});

test('streams are bounded: one more is 503, and a place is free when one ends [issue 3: bounds]', async (t) => {
  const peer = await start(t, { sse: { maxStreams: 1 } });
  const client = await SsePeer.open(peer);
  const stream = new HttpPeer(peer.port, '/sse');
  assert.equal((await stream.send('GET', { Accept: 'text/event-stream' })).status, 503);
  client.stream.close();
  for (;;) {
    const { response, abort } = await stream.start('GET', { Accept: 'text/event-stream' });
    abort();
    if (response.statusCode === 200) break;
  }
});

test('calls at once are bounded: one more is 503; a ping and a cancellation are not [issue 3: bounds]', async (t) => {
  const client = await SsePeer.open(await start(t, { maxConcurrent: 1 }));
  await client.shakeHands('2024-11-05', { roots: {} });
  const asks = legacyCall(1, 'ask', { inputRequests: { r: ROOTS } });
  const question = await client.ask(asks);
  assert.equal(at(question, 'method'), 'roots/list');
  assert.equal((await client.post(legacyCall(2, 'echo', { text: 'x' }))).status, 503);
  assert.deepEqual(at(await client.ask(legacy(3, 'ping')), 'result'), {});
  await client.send(cancelled(1));
  assert.equal(at(await client.next(), 'method'), 'notifications/cancelled');
  for (;;) {
    if ((await client.post(legacyCall(4, 'echo', { text: 'x' }))).status === 202) break;
  }
  assert.equal(textOf(await client.next()), 'x');
});

test('a stream is kept alive with comments, and ended when the server closes', async (t) => {
  const peer = await start(t, { keepAliveMs: 10 });
  const client = await SsePeer.open(peer);
  assert.equal(await client.stream.comment(), ':');
});

test('the official client 1.x works over it: calls, questions, news [issue 3]', async (t) => {
  const peer = await start(t);
  const client = new Client({ name: 'c', version: '1' }, { capabilities: { sampling: {}, roots: {} } });
  const changed = defer<void>();
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///home' }] }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'Hi' },
  }));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => changed.resolve());
  await client.connect(new SSEClientTransport(new URL(`http://127.0.0.1:${peer.port}/sse`)));
  t.after(() => client.close());
  const echoed = await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
  assert.equal(at(echoed, 'content', 0, 'text'), 'hello');
  const inputRequests = { r: ROOTS, s: sample() };
  const asked = await client.callTool({ name: 'ask', arguments: { inputRequests } });
  assert.match(String(at(asked, 'content', 0, 'text')), /^answered .*file:\/\/\/home.*Hi/);
  await client.callTool({ name: 'change', arguments: { list: 'tools' } });
  await changed.promise;
});
