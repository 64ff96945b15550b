import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../protocol/usage-error.ts';
import { Sealer } from './sealer.ts';

const OLD = 'old secret, old secret, old secret, old';
const NEW = 'new secret, new secret, new secret, new';
const CONTEXT = { purpose: 'session', bound: ['alice'] };
const VALUE = { version: '2025-11-25', nested: { list: [1, 'ü', null] } };
const HOUR = 3_600_000;

test('what was sealed opens again, and is safe in a header and a URL', async () => {
  const sealer = new Sealer();
  const text = await sealer.seal(VALUE, CONTEXT, HOUR);
  assert.match(text, /^[A-Za-z0-9_-]+$/);
  assert.deepEqual(await sealer.open(text, CONTEXT), VALUE);
});

test('sealed twice, the same value reads differently: a nonce is never used again', async () => {
  const sealer = new Sealer();
  const texts = new Set<string>();
  for (let round = 0; round < 100; round++) texts.add(await sealer.seal(VALUE, CONTEXT, HOUR));
  assert.equal(texts.size, 100);
});

test('a change of any byte, and a text cut or made longer at any place, opens nothing', async () => {
  const sealer = new Sealer([OLD]);
  const text = await sealer.seal({ a: 1 }, CONTEXT, HOUR);
  const bytes = Buffer.from(text, 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    for (const bit of [1, 128]) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8((bytes[at] ?? 0) ^ bit, at);
      assert.equal(await sealer.open(changed.toString('base64url'), CONTEXT), undefined, `byte ${at}`);
    }
    assert.equal(await sealer.open(bytes.subarray(0, at).toString('base64url'), CONTEXT), undefined);
  }
  assert.equal(await sealer.open(`${text}AA`, CONTEXT), undefined);
});

test('each text opens in exactly one spelling: other characters, padding and stray bits at the end are refused', async () => {
  const sealer = new Sealer([OLD]);
  // Of three lengths in a row two end in a character with bits that mean nothing.
  for (const filler of ['', 'x', 'xx']) {
    const text = await sealer.seal({ filler }, CONTEXT, HOUR);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const last of alphabet) {
      const spelled = text.slice(0, -1) + last;
      if (spelled !== text) assert.equal(await sealer.open(spelled, CONTEXT), undefined, last);
    }
    for (const odd of [`${text}=`, ` ${text}`, `${text}\n`, text.replace(/.$/, '+'), '', '=', 'ü']) {
      assert.equal(await sealer.open(odd, CONTEXT), undefined, odd);
    }
  }
});

test('a value opens only for the purpose and the parties that it was sealed for', async () => {
  const sealer = new Sealer([OLD]);
  const text = await sealer.seal(VALUE, { purpose: 'session', bound: ['alice', 'tools/call'] }, HOUR);
  const others = [
    { purpose: 'state', bound: ['alice', 'tools/call'] },
    { purpose: 'session', bound: ['bob', 'tools/call'] },
    { purpose: 'session', bound: ['alice'] },
    { purpose: 'session', bound: ['alice', 'tools/call', ''] },
    { purpose: 'session', bound: ['tools/call', 'alice'] },
    { purpose: 'session', bound: [] },
  ];
  for (const context of others) assert.equal(await sealer.open(text, context), undefined);
});

test('no two contexts read the same, however their parts are cut', async () => {
  const sealer = new Sealer([OLD]);
  const pairs: readonly (readonly [readonly string[], readonly string[]])[] = [
    [
      ['ab', 'c'],
      ['a', 'bc'],
    ],
    [['a', ''], ['a']],
    [['1:a'], ['', '1:a']],
    [['a1:b'], ['a', 'b']],
    [['a', '1:b'], ['a1:1:b']],
  ];
  for (const [one, other] of pairs) {
    const text = await sealer.seal(VALUE, { purpose: 'p', bound: one }, HOUR);
    assert.equal(await sealer.open(text, { purpose: 'p', bound: other }), undefined);
    assert.deepEqual(await sealer.open(text, { purpose: 'p', bound: one }), VALUE);
  }
});

test('another secret opens nothing, nor does another process without secrets', async () => {
  const text = await new Sealer([OLD]).seal(VALUE, CONTEXT, HOUR);
  assert.equal(await new Sealer([NEW]).open(text, CONTEXT), undefined);
  const own = await new Sealer().seal(VALUE, CONTEXT, HOUR);
  assert.equal(await new Sealer().open(own, CONTEXT), undefined);
});

test('with the same secret any instance opens', async () => {
  const text = await new Sealer([OLD]).seal(VALUE, CONTEXT, HOUR);
  assert.deepEqual(await new Sealer([OLD]).open(text, CONTEXT), VALUE);
});

test('keys are rotated: the first secret seals, all of them open, a dropped one opens no more', async () => {
  const old = await new Sealer([OLD]).seal(VALUE, CONTEXT, HOUR);
  const both = new Sealer([NEW, OLD]);
  assert.deepEqual(await both.open(old, CONTEXT), VALUE);
  const fresh = await both.seal(VALUE, CONTEXT, HOUR);
  assert.deepEqual(await new Sealer([NEW]).open(fresh, CONTEXT), VALUE);
  assert.equal(await new Sealer([OLD]).open(fresh, CONTEXT), undefined);
  assert.equal(await new Sealer([NEW]).open(old, CONTEXT), undefined);
});

test('a value expires at its time and not before', async () => {
  let now = 1_000_000;
  const sealer = new Sealer([OLD], () => now);
  const text = await sealer.seal(VALUE, CONTEXT, 5000);
  now += 4999;
  assert.deepEqual(await sealer.open(text, CONTEXT), VALUE);
  now += 1;
  assert.equal(await sealer.open(text, CONTEXT), undefined);
});

test('a short secret, and an empty list of them, are refused with a sentence', () => {
  assert.throws(
    () => new Sealer(['short']),
    new UsageError('a secret has at least 32 characters: make it random'),
  );
  assert.throws(() => new Sealer([NEW, 'short']), UsageError);
  assert.throws(() => new Sealer([]), /at least one secret/);
});

test('a value of a megabyte is sealed as well', async () => {
  const sealer = new Sealer();
  const value = { text: 'x'.repeat(2 ** 20) };
  assert.deepEqual(await sealer.open(await sealer.seal(value, CONTEXT, HOUR), CONTEXT), value);
});
