import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveHttp } from 'mcpwire/node';
import { rulesServer } from '../fixtures/rules-server.ts';
import { HttpPeer, serve } from '../support/http-peer.ts';
import { assertError, at, call, request, textOf } from '../support/messages.ts';

const ECHO = call(1, 'echo', { text: 'x' });

test('there is one endpoint, it takes POST, and other paths are 404 [HTTP-01]', async (t) => {
  const peer = await serve(t, rulesServer(), { path: '/tools/mcp' });
  assert.equal(textOf((await peer.post(ECHO)).json), 'x');
  assert.equal((await new HttpPeer(peer.port, '/tools/mcp?key=1').post(ECHO)).status, 200);
  for (const path of [
    '/',
    '/mcp',
    '/tools/mcp/',
    '/tools/mcp/x',
    '/tools/mcpx',
    '/tools/%6dcp',
    '//tools/mcp',
  ]) {
    const answer = await new HttpPeer(peer.port, path).post(ECHO);
    assert.equal(answer.status, 404, path);
    assert.equal(answer.json, undefined, 'no JSON-RPC error: this is no MCP endpoint');
  }
});

test('an Origin that is not allowed is 403, whatever the Host [HTTP-02] [HTTP-03]', async (t) => {
  const peer = await serve(t, rulesServer(), { allowedOrigins: ['https://app.example'] });
  const refused = [
    'https://evil.example',
    'http://app.example',
    'https://app.example:8443',
    'https://app.example.evil.example',
    'null',
    '',
    'http://localhost',
    `https://localhost:${peer.port}`,
    `http://localhost:${peer.port}/`,
    `http://localhost:${peer.port + 1}`,
    'file://',
  ];
  for (const origin of refused) {
    const answer = await peer.post(ECHO, { Host: `localhost:${peer.port}`, Origin: origin });
    assert.equal(answer.status, 403, origin);
    assert.match(answer.text, /^Origin /);
  }
});

test('an Origin is checked before anything else of the request [HTTP-02] [HTTP-03]', async (t) => {
  const peer = await serve(t, rulesServer());
  const Origin = 'https://evil.example';
  for (const method of ['GET', 'DELETE', 'OPTIONS', 'PUT', 'HEAD']) {
    assert.equal((await peer.send(method, { Origin })).status, 403, method);
  }
  assert.equal((await peer.send('POST', { Origin }, '{')).status, 403);
  assert.equal((await peer.post({ jsonrpc: '2.0', method: 'notifications/x' }, { Origin })).status, 403);
  assert.equal((await peer.post(ECHO, { Origin: [`http://127.0.0.1:${peer.port}`, Origin] })).status, 403);
});

test('a Host that is not served is 403, whatever the Origin [HTTP-02]', async (t) => {
  const peer = await serve(t, rulesServer(), { allowedOrigins: ['https://app.example'] });
  const hosts = [
    'evil.example',
    `evil.example:${peer.port}`,
    `localhost.evil.example:${peer.port}`,
    'localhost',
    `localhost:${peer.port + 1}`,
    `0.0.0.0:${peer.port}`,
  ];
  for (const host of hosts) {
    assert.equal((await peer.post(ECHO, { Host: host })).status, 403, host);
    assert.equal((await peer.post(ECHO, { Host: host, Origin: 'https://app.example' })).status, 403, host);
    const own = await peer.post(ECHO, { Host: host, Origin: `http://${host}` });
    assert.equal(own.status, 403, host);
  }
});

test('a request with a loopback Host, with its own Origin or none, is served [HTTP-04]', async (t) => {
  const peer = await serve(t, rulesServer(), { allowedOrigins: ['https://app.example'] });
  for (const name of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST']) {
    const host = `${name}:${peer.port}`;
    assert.equal((await peer.post(ECHO, { Host: host })).status, 200, host);
    assert.equal((await peer.post(ECHO, { Host: host, Origin: `http://${host}` })).status, 200, host);
    assert.equal((await peer.post(ECHO, { Host: host, Origin: 'https://app.example' })).status, 200, host);
  }
});

test('a server listens on loopback, and elsewhere only with names it answers to [HTTP-05]', async (t) => {
  const http = await serveHttp(rulesServer(), { port: 0 });
  t.after(() => http.close());
  assert.match(http.url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  for (const host of ['0.0.0.0', '::', '192.0.2.1']) {
    await assert.rejects(serveHttp(rulesServer(), { port: 0, host }), /allowedHosts/);
  }
  await assert.rejects(serveHttp(rulesServer(), { port: http.port }), { code: 'EADDRINUSE' });
});

test('a notification is 202 without a body, and nothing is asked of its headers [HTTP-13] [BASE-23]', async (t) => {
  const peer = await serve(t, rulesServer());
  const notifications = [
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'tools/list' },
    { jsonrpc: '2.0', method: 'anything', params: {} },
  ];
  for (const message of notifications) {
    const answer = await peer.post(message, { 'MCP-Protocol-Version': undefined, 'Mcp-Method': undefined });
    assert.equal(answer.status, 202);
    assert.equal(answer.text, '');
    assert.equal(answer.headers['content-type'], undefined);
    assert.equal(answer.headers['content-length'], '0');
  }
});

test('a notification that is none is an HTTP error without an id [HTTP-14] [BASE-23]', async (t) => {
  const peer = await serve(t, rulesServer());
  const wrong = [
    { jsonrpc: '1.0', method: 'notifications/x' },
    { jsonrpc: '2.0', method: 5 },
    { jsonrpc: '2.0', method: 'notifications/x', params: [] },
    { jsonrpc: '2.0', method: 'notifications/x', params: 'x' },
    { jsonrpc: '2.0', method: 'notifications/x', result: {} },
  ];
  for (const message of wrong) {
    const answer = await peer.post(message);
    assert.equal(answer.status, 400);
    assertError(answer.json, undefined, -32600);
  }
});

test('a response, which no client sends in this revision, is 400 and no JSON-RPC answer [TRN-03]', async (t) => {
  const peer = await serve(t, rulesServer());
  for (const response of [
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
  ]) {
    const answer = await peer.post(response);
    assert.equal(answer.status, 400);
    assert.equal(answer.json, undefined);
  }
});

test('a request is answered with JSON, or with events once something is notified [HTTP-15]', async (t) => {
  const peer = await serve(t, rulesServer());
  const plain = await peer.post(ECHO);
  assert.equal(plain.headers['content-type'], 'application/json');
  assert.equal(plain.headers['content-length'], String(Buffer.byteLength(plain.text)));
  const quiet = await peer.post(call(1, 'progress', { values: [1, 2] }));
  assert.equal(quiet.headers['content-type'], 'application/json', 'no token, no progress, no stream');
  const silent = await peer.post(call(1, 'log_all'));
  assert.equal(silent.headers['content-type'], 'application/json', 'no level, no log, no stream');
  const loud = await peer.post(call(1, 'progress', { values: [1, 2] }, { progressToken: 1 }));
  assert.equal(loud.headers['content-type'], 'text/event-stream');
});

test('a notification that can not be written opens no event stream [HTTP-15]', async (t) => {
  const peer = await serve(t, rulesServer());
  const message = call(1, 'logs_cycle', {}, { 'io.modelcontextprotocol/logLevel': 'debug' });
  const answer = await peer.post(message);
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.equal(textOf(answer.json), 'logged nothing');
});

test('a method that does not exist is 404 with -32601 [HTTP-29] [BASE-19]', async (t) => {
  const peer = await serve(t, rulesServer());
  for (const method of [
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'nonsense',
  ]) {
    const answer = await peer.post(request(1, method));
    assert.equal(answer.status, 404);
    assert.equal(answer.headers['content-type'], 'application/json');
    assertError(answer.json, 1, -32601);
  }
});

test('GET and DELETE are 405 with Allow, and sessions are neither made nor minded [HTTP-83] [HTTP-84] [HTTP-85]', async (t) => {
  const peer = await serve(t, rulesServer());
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS']) {
    const answer = await peer.send(method, { Accept: 'text/event-stream' });
    assert.equal(answer.status, 405, method);
    assert.equal(answer.headers['allow'], 'POST');
  }
  const answer = await peer.post(ECHO, { 'Mcp-Session-Id': 'abc', 'Last-Event-ID': '7' });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['mcp-session-id'], undefined);
});

test('every answer keeps browsers from guessing and caches from storing [HTTP-15]', async (t) => {
  const peer = await serve(t, rulesServer());
  const answers = [
    await peer.post(ECHO),
    await peer.post(request(1, 'nonsense')),
    await peer.send('GET', {}),
    await peer.post(call(1, 'progress', { values: [1] }, { progressToken: 1 })),
  ];
  for (const { headers } of answers) {
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'no-store');
  }
  assert.equal(at(answers[1], 'status'), 404);
});
