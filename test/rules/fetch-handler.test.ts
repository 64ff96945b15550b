import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFetchHandler } from 'mcpwire/http';
import type { HttpOptions } from 'mcpwire/http';
import { createServer } from 'mcpwire/server';
import { rulesServer } from '../fixtures/rules-server.ts';
import { BAD_TEXTS, ODD_TEXTS } from '../support/bad-texts.ts';
import { defer } from '../support/defer.ts';
import { headersFor } from '../support/http-peer.ts';
import { assertError, at, call, request, textOf } from '../support/messages.ts';

const URL_OF = 'http://localhost/mcp';
const ECHO = call(7, 'echo', { text: 'good' });

function post(message: unknown, headers: { readonly [name: string]: string } = {}): Request {
  return new Request(URL_OF, {
    method: 'POST',
    headers: { ...headersFor(message), ...headers },
    body: JSON.stringify(message),
  });
}

function handler(options: HttpOptions = {}): ReturnType<typeof toFetchHandler> {
  return toFetchHandler(rulesServer(), { report: () => {}, ...options });
}

test('a Request is answered with JSON, or with events once something is notified [HTTP-15] [HTTP-19] [HTTP-20]', async () => {
  const handle = handler();
  const plain = await handle(post(ECHO));
  assert.equal(plain.status, 200);
  assert.equal(plain.headers.get('content-type'), 'application/json');
  assert.equal(textOf(await plain.json()), 'good');
  const loud = await handle(post(call(1, 'progress', { values: [1, 2] }, { progressToken: 'p' })));
  assert.equal(loud.headers.get('content-type'), 'text/event-stream');
  assert.equal(loud.headers.get('x-accel-buffering'), 'no');
  const events = (await loud.text()).split('\n\n').filter((event) => event !== '');
  assert.equal(events.length, 3);
  assert.equal(textOf(JSON.parse(events[2]?.slice(6) ?? '')), 'done');
});

test('malformed bodies get the same errors as on Node [BASE-12] [HTTP-14] [TRN-01]', async () => {
  const handle = handler();
  const send = (body: string | Uint8Array): Promise<Response> =>
    handle(new Request(URL_OF, { method: 'POST', headers: headersFor(ECHO), body: Buffer.from(body) }));
  for (const { what, bytes, code, id, message } of BAD_TEXTS) {
    const response = await send(bytes);
    assert.equal(response.status, 400, what);
    assertError(await response.json(), id, code, message);
  }
  for (const [what, text, expected] of ODD_TEXTS) {
    assert.equal(textOf(await (await send(text)).json()), expected, what);
  }
});

test('a Request is refused for the same reasons as on Node [HTTP-02] [HTTP-03] [HTTP-13] [HTTP-72] [HTTP-83]', async () => {
  const handle = handler({ maxBodyBytes: 1000 });
  const rows: readonly (readonly [number, Request])[] = [
    [403, post(ECHO, { Origin: 'https://evil.example' })],
    [403, new Request('http://evil.example/mcp', { method: 'POST', headers: headersFor(ECHO), body: '{}' })],
    [405, new Request(URL_OF)],
    [405, new Request(URL_OF, { method: 'DELETE' })],
    [415, post(ECHO, { 'Content-Type': 'text/plain' })],
    [406, post(ECHO, { Accept: 'application/json' })],
    [413, post(call(1, 'echo', { text: 'x'.repeat(2000) }))],
    [400, post(ECHO, { 'Mcp-Name': 'other' })],
    [404, post(request(1, 'nonsense'))],
    [202, post({ jsonrpc: '2.0', method: 'notifications/x' })],
  ];
  for (const [status, message] of rows) assert.equal((await handle(message)).status, status);
});

test('a reader that cancels the body has cancelled the request [HTTP-22] [CANC-04]', async () => {
  const aborted = defer<unknown>();
  const server = createServer({ name: 's', version: '1' }).tool('wait', {}, async (_args, context) => {
    await context.progress(1);
    await new Promise<void>((resolve) => {
      if (context.signal.aborted) resolve();
      context.signal.addEventListener('abort', () => resolve());
    });
    aborted.resolve(context.signal.reason);
    return 'too late';
  });
  const handle = toFetchHandler(server);
  const response = await handle(post(call(1, 'wait', {}, { progressToken: 1 })));
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  assert.equal(((await aborted.promise) as Error).name, 'AbortError');
});

test('close() ends a subscription with its result and refuses what comes after it [SUB-08]', async () => {
  const handle = handler();
  const filter = { notifications: { toolsListChanged: true } };
  const response = await handle(post(request('s', 'subscriptions/listen', filter)));
  const closing = handle.close();
  const events = (await response.text()).split('\n\n').filter((event) => event !== '');
  await closing;
  const last: unknown = JSON.parse(events.at(-1)?.slice(6) ?? '');
  assert.equal(at(last, 'id'), 's');
  assert.equal(at(last, 'result', 'resultType'), 'complete');
  assert.equal((await handle(post(ECHO))).status, 503);
});
