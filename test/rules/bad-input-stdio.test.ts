import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BAD_TEXTS, ODD_TEXTS } from '../support/bad-texts.ts';
import { assertError, at, call, textOf } from '../support/messages.ts';
import { startStdio } from '../support/stdio-peer.ts';

const ECHO = call('next', 'echo', { text: 'good' });

test('each malformed line gets its exact error on stdio, and the next good one is answered [BASE-02] [BASE-12] [BASE-13] [BASE-19] [TRN-01] [STDIO-01]', async (t) => {
  const peer = startStdio(t);
  for (const { what, bytes, code, id, message } of BAD_TEXTS) {
    peer.write(bytes);
    peer.write('\n');
    const answer = await peer.next();
    assert.doesNotThrow(() => assertError(answer, id, code, message), `${what}: ${JSON.stringify(answer)}`);
    assert.equal(textOf(await peer.ask(ECHO)), 'good', what);
  }
  peer.closeInput();
  assert.equal(await peer.exited, 0);
});

test('a line that is odd and good is answered on stdio [BASE-02] [TRN-01]', async (t) => {
  const peer = startStdio(t);
  for (const [what, text, expected] of ODD_TEXTS) {
    peer.write(`${text}\n`);
    assert.equal(textOf(await peer.next()), expected, what);
  }
});

test('lines may end with CRLF, be blank, or come in any pieces [STDIO-01]', async (t) => {
  const peer = startStdio(t);
  const line = JSON.stringify(call(1, 'echo', { text: 'é世界😀' }));
  const other = JSON.stringify(call(2, 'echo', { text: 'é世界😀' }));
  peer.write(`${line}\r\n\r\n\n  \n\t\r\n${other}\r\n`);
  for (let count = 0; count < 2; count++) assert.equal(textOf(await peer.next()), 'é世界😀');
  for (const byte of Buffer.from(`${line}\n`)) peer.write(Uint8Array.of(byte));
  assert.equal(textOf(await peer.next()), 'é世界😀');
  assert.deepEqual(peer.rest(), []);
});

test('a line over the bound is -32600, with its id where that stands at the beginning; the rest of it is skipped [BASE-12]', async (t) => {
  const peer = startStdio(t, { stdio: { maxLineBytes: 2000 } });
  const long = 'x'.repeat(5000);
  const first = JSON.stringify({ id: 7, ...call(7, 'echo', { text: long }) });
  peer.write(`${first}\n`);
  assertError(await peer.next(), 7, -32600, /at most 2000 bytes/);
  peer.write(`${JSON.stringify(call('a"b', 'echo', { text: long }))}\n`);
  assertError(await peer.next(), 'a"b', -32600);
  const { id, ...late } = call(7, 'echo', { text: long });
  peer.write(`${JSON.stringify({ ...late, id })}\n`);
  assertError(await peer.next(), undefined, -32600);
  peer.write(`${long}\n`);
  assertError(await peer.next(), undefined, -32600);
  // In pieces, and with good lines right behind.
  const [head, tail] = [first.slice(0, 3000), first.slice(3000)];
  peer.write(head);
  peer.write(`${tail}\n${JSON.stringify(ECHO)}\n`);
  assertError(await peer.next(), 7, -32600);
  assert.equal(textOf(await peer.next()), 'good');
});

test('a line of exactly the bound is served, one byte more is not', async (t) => {
  const line = JSON.stringify(call(7, 'echo', { text: 'é' }));
  const size = Buffer.byteLength(line);
  const peer = startStdio(t, { stdio: { maxLineBytes: size } });
  peer.write(`${line}\n`);
  assert.equal(textOf(await peer.next()), 'é');
  peer.write(`${line} \n`);
  assertError(await peer.next(), 7, -32600);
});

test('a line of 100 MB costs no more memory than the bound [BASE-12]', async (t) => {
  const peer = startStdio(t, { stdio: { maxLineBytes: 1_000_000 } });
  const piece = Buffer.alloc(1_000_000, 'x');
  for (let count = 0; count < 100; count++) {
    if (!peer.child.stdin.write(piece)) {
      await new Promise((resolve) => peer.child.stdin.once('drain', resolve));
    }
  }
  peer.write('\n');
  assertError(await peer.next(), undefined, -32600);
  assert.equal(textOf(await peer.ask(ECHO)), 'good');
  assert.deepEqual(peer.rest(), []);
});

test('an id that is still in flight can not be used again, another type of it can [BASE-06] [BASE-12]', async (t) => {
  const peer = startStdio(t);
  peer.send(call(1, 'gate', { key: 'a' }));
  await peer.stderr(/^gate a waits$/);
  assertError(await peer.ask(call(1, 'echo', { text: 'x' })), 1, -32600, /no answer yet/);
  assert.equal(textOf(await peer.ask(call('1', 'echo', { text: 'string' }))), 'string');
  peer.send(call(2, 'open_gate', { key: 'a' }));
  const answers = [await peer.next(), await peer.next()];
  assert.equal(textOf(answers.find((answer) => at(answer, 'id') === 1)), 'through a');
  assert.equal(textOf(await peer.ask(call(1, 'echo', { text: 'free again' }))), 'free again');
});

test('stdin that ends in the middle of a line: what is there counts as a line [STDIO-13]', async (t) => {
  const peer = startStdio(t);
  peer.write('{"jsonrpc":"2.0","id":1,"meth');
  peer.closeInput();
  assertError(await peer.next(), undefined, -32700);
  assert.equal(await peer.exited, 0);
});
