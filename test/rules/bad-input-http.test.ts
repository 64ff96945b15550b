import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { rulesServer } from '../fixtures/rules-server.ts';
import { BAD_TEXTS, ODD_TEXTS } from '../support/bad-texts.ts';
import { headersFor, serve } from '../support/http-peer.ts';
import { assertError, call, textOf } from '../support/messages.ts';
import { headerLines, openConnection, rawPost, sendRaw } from '../support/raw-http.ts';

const ECHO = call(7, 'echo', { text: 'good' });
const HEADERS = headersFor(ECHO);
const BODY = JSON.stringify(ECHO);

test('each malformed body gets its exact error and 400 on HTTP, and the next good one is answered [BASE-02] [BASE-12] [BASE-13] [BASE-19] [HTTP-14] [TRN-01]', async (t) => {
  const peer = await serve(t, rulesServer());
  for (const { what, bytes, code, id, message } of BAD_TEXTS) {
    const answer = await peer.send('POST', HEADERS, bytes);
    assert.equal(answer.status, 400, what);
    assert.equal(answer.headers['content-type'], 'application/json', what);
    assert.doesNotThrow(() => assertError(answer.json, id, code, message), `${what}: ${answer.text}`);
    assert.equal(textOf((await peer.post(ECHO)).json), 'good', what);
  }
  const empty = await peer.send('POST', HEADERS, '');
  assert.equal(empty.status, 400);
  assertError(empty.json, undefined, -32700);
});

test('a body that is odd and good is answered on HTTP [BASE-02] [TRN-01]', async (t) => {
  const peer = await serve(t, rulesServer());
  for (const [what, text, expected] of ODD_TEXTS) {
    assert.equal(textOf((await peer.send('POST', HEADERS, text)).json), expected, what);
  }
  assert.equal(textOf((await peer.send('POST', HEADERS, `\r\n${BODY}\r\n`)).json), 'good');
});

const REFUSED: readonly (readonly [number, { readonly [name: string]: string | undefined }])[] = [
  [415, { 'Content-Type': undefined }],
  [415, { 'Content-Type': 'text/plain' }],
  [415, { 'Content-Type': 'application/json; charset=latin1' }],
  [415, { 'Content-Type': 'application/jsonx' }],
  [415, { 'Content-Type': 'application/json, text/plain' }],
  [415, { 'Content-Type': 'multipart/form-data; boundary=x' }],
  [415, { 'Content-Encoding': 'gzip' }],
  [415, { 'Content-Encoding': 'br, gzip' }],
  [406, { Accept: 'application/json' }],
  [406, { Accept: 'text/event-stream' }],
  [406, { Accept: 'text/html' }],
  [406, { Accept: 'application/json, text/event-stream;q=0' }],
  [406, { Accept: '' }],
  [200, { 'Content-Type': 'Application/JSON; charset="UTF-8"' }],
  [200, { 'Content-Type': 'application/json;charset=utf-8' }],
  [200, { 'Content-Encoding': 'identity' }],
  [200, { Accept: undefined }],
  [200, { Accept: '*/*' }],
  [200, { Accept: 'application/*, text/*;q=0.5' }],
  [200, { Accept: 'text/event-stream;q=0.9,APPLICATION/JSON' }],
];

test('wrong headers of a body get their exact status, and no JSON-RPC error [HTTP-15]', async (t) => {
  const peer = await serve(t, rulesServer());
  for (const [status, changes] of REFUSED) {
    const answer = await peer.post(ECHO, changes);
    assert.equal(answer.status, status, JSON.stringify(changes));
    if (status !== 200) assert.equal(answer.json, undefined);
  }
});

test('a body over the bound is 413, declared or in chunks, and the process goes on', async (t) => {
  const peer = await serve(t, rulesServer(), { maxBodyBytes: 1000 });
  const lines = headerLines({ Host: `localhost:${peer.port}`, ...HEADERS });
  const head = `POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n`;
  assert.equal((await sendRaw(peer.port, `${head}Content-Length: 1001\r\n\r\n`)).status, 413);
  assert.equal((await sendRaw(peer.port, `${head}Content-Length: 99999999999999\r\n\r\n`)).status, 413);
  const chunk = `3e8\r\n${'x'.repeat(1000)}\r\n`;
  const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;
  assert.equal((await sendRaw(peer.port, `${chunked}${chunk}1\r\nx\r\n`)).status, 413);
  const endless = await openConnection(peer.port);
  endless.write(chunked);
  const refused = endless.next();
  const writing = setInterval(() => endless.write(chunk), 1);
  assert.equal((await refused).status, 413);
  await endless.closed;
  clearInterval(writing);
  const padding = 1000 - Buffer.byteLength(BODY);
  assert.equal(textOf((await peer.send('POST', HEADERS, BODY + ' '.repeat(padding))).json), 'good');
  assert.equal((await peer.send('POST', HEADERS, BODY + ' '.repeat(padding + 1))).status, 413);
});

test('all bodies together have a bound: beyond it a request is 503', async (t) => {
  const peer = await serve(t, rulesServer(), { maxHeldBytes: 1000 });
  const lines = headerLines({ Host: `localhost:${peer.port}`, ...HEADERS });
  const slow = await openConnection(peer.port);
  slow.write(`POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: 900\r\n\r\n${' '.repeat(800)}`);
  // As soon as the server holds those bytes there is no room for another body.
  for (;;) if ((await peer.post(ECHO)).status === 503) break;
  slow.close();
  for (;;) if ((await peer.post(ECHO)).status === 200) break;
});

test('a message about two hosts, or none, or with a whole URL for its path, is 400', async (t) => {
  const peer = await serve(t, rulesServer());
  const host = `Host: localhost:${peer.port}`;
  const lines = headerLines(HEADERS);
  assert.equal((await sendRaw(peer.port, rawPost([host, host, ...lines], BODY))).status, 400);
  assert.equal((await sendRaw(peer.port, rawPost([host, ...lines, 'HOST: evil.example'], BODY))).status, 400);
  assert.equal((await sendRaw(peer.port, rawPost(lines, BODY))).status, 400);
  for (const target of [
    `http://localhost:${peer.port}/mcp`,
    'http://evil.example/mcp',
    '//evil.example/mcp',
  ]) {
    const answer = await sendRaw(peer.port, rawPost([host, ...lines], BODY).replace('/mcp', target));
    assert.equal(answer.status, target.startsWith('//') ? 404 : 400, target);
  }
  assert.equal((await sendRaw(peer.port, rawPost([host, ...lines], BODY))).status, 200);
});

test('two lengths, or a length and chunks, are 400: nobody may read two messages out of one', async (t) => {
  const peer = await serve(t, rulesServer());
  const lines = headerLines({ Host: `localhost:${peer.port}`, ...HEADERS });
  const both = rawPost([...lines, 'Transfer-Encoding: chunked'], BODY);
  assert.equal((await sendRaw(peer.port, both)).status, 400);
  assert.equal((await sendRaw(peer.port, rawPost([...lines, 'Content-Length: 3'], BODY))).status, 400);
  assert.equal((await sendRaw(peer.port, rawPost([...lines, 'X Y: 1'], BODY))).status, 400);
});

test('a body that stops coming is given up with 408', async (t) => {
  const peer = await serve(t, rulesServer(), { bodyTimeoutMs: 100 });
  const lines = headerLines({ Host: `localhost:${peer.port}`, ...HEADERS });
  const slow = await openConnection(peer.port);
  slow.write(`POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: 100\r\n\r\n{`);
  assert.equal((await slow.next()).status, 408);
  await slow.closed;
  assert.equal(textOf((await peer.post(ECHO)).json), 'good');
});

test('a client that leaves in the middle of its body does no harm', async (t) => {
  const peer = await serve(t, rulesServer(), { maxConcurrent: 1 });
  const lines = headerLines({ Host: `localhost:${peer.port}`, ...HEADERS });
  for (let round = 0; round < 20; round++) {
    const connection = await openConnection(peer.port);
    connection.write(`POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: 100\r\n\r\n{`);
    connection.socket.resetAndDestroy();
    await once(connection.socket, 'close');
  }
  assert.equal(textOf((await peer.post(ECHO)).json), 'good');
});

test('more requests than the bound are 503 with Retry-After', async (t) => {
  const peer = await serve(t, rulesServer(), { maxConcurrent: 0 });
  const answer = await peer.post(ECHO);
  assert.equal(answer.status, 503);
  assert.equal(answer.headers['retry-after'], '1');
});
