import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legacyServer } from '../fixtures/legacy-server.ts';
import { serve } from '../support/http-peer.ts';
import { ASKABLE, form, legacyCall, sample } from '../support/legacy-messages.ts';
import { HttpSession, StdioWire } from '../support/legacy-wire.ts';
import type { Json } from '../support/messages.ts';
import { at, textOf } from '../support/messages.ts';
import { startStdio } from '../support/stdio-peer.ts';

/** What stands where the answer to a question was due, and is none [2025-11-25 basic "Responses"]. */
const MALFORMED: readonly Json[] = [
  { jsonrpc: '2.0', result: 'foo' },
  { jsonrpc: '2.0', error: 'x' },
  { jsonrpc: '2.0', error: { code: 1 } },
  { jsonrpc: '2.0', error: { code: 'x', message: 'm' } },
  { jsonrpc: '2.0' },
  { jsonrpc: '2.0', result: {}, error: { code: 1, message: 'm' } },
  { result: {} },
];
const CANCELLED = 'answered {"q":{"action":"cancel"}}';

function ask(id: number, question: Json): Json {
  return legacyCall(id, 'ask', { inputRequests: { q: question } });
}

test('a malformed answer to a form is a cancelled form, and nothing is said of it, over stdio', async (t) => {
  const peer = startStdio(t, {}, 'run-legacy-stdio.js');
  const session = await StdioWire.start(peer, '2025-11-25', ASKABLE);
  for (const [index, malformed] of MALFORMED.entries()) {
    peer.send(ask(index, form()));
    peer.send({ ...malformed, id: at(await peer.next(), 'id') });
    assert.equal(textOf(await session.unasked()), CANCELLED, JSON.stringify(malformed));
    await peer.stderr(/message-refused/);
  }
  peer.send({ jsonrpc: '2.0', id: 'no question' });
  assert.equal(at(await peer.next(), 'error', 'code'), -32600);
});

test('a malformed answer to a form is answered 400 over HTTP, and the form is cancelled', async (t) => {
  const session = await HttpSession.start(await serve(t, legacyServer()), '2025-11-25', ASKABLE);
  for (const [index, malformed] of MALFORMED.entries()) {
    const stream = await session.open(ask(index, form()));
    const answer = await session.post({ ...malformed, id: at(await stream.message(), 'id') });
    assert.equal(answer.status, 400);
    assert.equal(textOf(await stream.message()), CANCELLED, JSON.stringify(malformed));
  }
});

test('a malformed answer to another question ends the call, and in a batch it takes nothing else along', async (t) => {
  const session = await HttpSession.start(await serve(t, legacyServer()), '2025-03-26', ASKABLE);
  const stream = await session.open(ask(1, sample()));
  const id = at(await stream.message(), 'id');
  const answer = await session.post([
    { jsonrpc: '2.0', id },
    { jsonrpc: '2.0', id: 2, method: 'ping' },
  ]);
  assert.deepEqual(answer.json, [{ jsonrpc: '2.0', id: 2, result: {} }]);
  assert.match(JSON.stringify(await stream.message()), /did not answer sampling.*a malformed answer/);
});
