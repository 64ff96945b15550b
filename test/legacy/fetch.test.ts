import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFetchHandler } from 'mcpwire/http';
import type { FetchHandler } from 'mcpwire/http';
import { legacyServer } from '../fixtures/legacy-server.ts';
import { headersFor } from '../support/http-peer.ts';
import { ASKABLE, form, initialize, legacyCall } from '../support/legacy-messages.ts';
import { at, call, textOf } from '../support/messages.ts';

/** Both eras on runtimes that speak `Request` and `Response`. */

const URL = 'http://localhost/mcp';
const PLAIN = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

function post(
  handler: FetchHandler,
  message: unknown,
  headers: { [name: string]: string } = {},
): Promise<Response> {
  const body = JSON.stringify(message);
  return handler(new Request(URL, { method: 'POST', headers: { ...PLAIN, ...headers }, body }));
}

/** The messages of an event stream, as they come. */
async function* messages(response: Response): AsyncGenerator {
  assert.ok(response.body !== null);
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const data = /^data: (.+)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data !== undefined) yield JSON.parse(data);
    }
  }
}

test('a fetch handler serves sessions, questions, the notification stream and the modern era', async () => {
  const handler = toFetchHandler(legacyServer());
  const welcome = await post(handler, initialize('2025-11-25', ASKABLE));
  const session = { 'Mcp-Session-Id': welcome.headers.get('mcp-session-id') ?? '' };
  assert.equal(at(await welcome.json(), 'result', 'protocolVersion'), '2025-11-25');

  const asks = await post(handler, legacyCall(1, 'ask', { inputRequests: { f: form() } }), session);
  const asked = messages(asks);
  const question: unknown = (await asked.next()).value;
  const reply = { jsonrpc: '2.0', id: at(question, 'id'), result: { action: 'decline' } };
  assert.equal((await post(handler, reply, session)).status, 202);
  assert.equal(textOf((await asked.next()).value), 'answered {"f":{"action":"decline"}}');
  assert.equal((await asked.next()).done, true);

  const headers = { Accept: 'text/event-stream', ...session };
  const feed = messages(await handler(new Request(URL, { headers })));
  const change = call('c', 'change', { list: 'tools' });
  const modern = await post(handler, change, headersFor(change));
  assert.equal(at(await modern.json(), 'result', 'resultType'), 'complete');
  assert.equal(at((await feed.next()).value, 'method'), 'notifications/tools/list_changed');

  const ended = await handler(new Request(URL, { method: 'DELETE', headers: session }));
  assert.equal(ended.status, 204);
  assert.equal((await feed.next()).done, true);
  assert.equal((await post(handler, legacyCall(2, 'echo', { text: 'x' }), session)).status, 404);
  await handler.close();
});
