import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { encodeError, encodeNotification, encodeResult } from './encode-message.ts';
import { parseMessage, readId } from './parse-message.ts';
import { DEFAULT_TEXT_BOUNDS } from './scan-text.ts';

const parse = (text: string): ReturnType<typeof parseMessage> => parseMessage(text, DEFAULT_TEXT_BOUNDS);

const id = fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger());
const object = fc.dictionary(
  fc.string({ unit: 'binary' }).filter((key) => key !== '__proto__'),
  fc.jsonValue({ maxDepth: 3 }),
);

/** JSON knows no minus zero. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('what is encoded is parsed to the same message [BASE-02] [BASE-06] [STDIO-02]', () => {
  fc.assert(
    fc.property(id, object, fc.string(), (anId, members, text) => {
      const result = encodeResult(anId, members);
      const error = encodeError(anId, { code: 4711, message: text, data: members });
      const notification = encodeNotification({ method: `notifications/${text}`, params: members });
      for (const line of [result, error, notification]) assert.ok(!/[\n\r]/.test(line));
      assert.deepEqual(parse(result), { kind: 'result', id: plain(anId), result: plain(members) });
      assert.deepEqual(parse(error), {
        kind: 'error',
        id: plain(anId),
        error: { code: 4711, message: text, data: plain(members) },
      });
      assert.deepEqual(parse(notification), {
        kind: 'notification',
        method: `notifications/${text}`,
        params: plain(members),
      });
    }),
  );
});

test('any text is a message or an error, never an exception [BASE-12] [BASE-13]', () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...Object(value) })),
  );
  fc.assert(
    fc.property(text, (anything) => {
      const message = parse(anything);
      if (message.kind === 'invalid') assert.ok([-32700, -32600].includes(message.error.code));
    }),
  );
});

test('an error without id, or with null for it, is an error nobody can match', () => {
  const error = { code: 1, message: 'x' };
  for (const member of [{}, { id: null }]) {
    const message = parse(JSON.stringify({ jsonrpc: '2.0', ...member, error }));
    assert.deepEqual(message, { kind: 'error', id: undefined, error });
  }
  assert.equal(parse(JSON.stringify({ jsonrpc: '2.0', id: 1.5, error })).kind, 'invalid');
});

test('whether a refused text can expect an answer', () => {
  const silent = (value: object): unknown => {
    const message = parse(JSON.stringify(value));
    return message.kind === 'invalid' ? message.silent : message.kind;
  };
  assert.equal(silent({ jsonrpc: '2.0', id: 1, method: 5 }), false);
  assert.equal(silent({ jsonrpc: '2.0', id: null, method: 'x' }), false);
  assert.equal(silent({ jsonrpc: '2.0', method: 5 }), true);
  assert.equal(silent({ jsonrpc: '2.0', id: 1, result: 5 }), true);
  assert.equal(silent({ jsonrpc: '2.0', id: 1 }), false);
});

test('the id of a refused text is read at its beginning, and only where it is one [BASE-12]', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['{"jsonrpc":"2.0","id":7,', 7],
    [' {\n"id" : "a\\"b" ,', 'a"b'],
    ['{"id":0}', 0],
    ['{"id":""}', ''],
    ['{"id":-3,', -3],
    ['{"id":1.5,', undefined],
    ['{"id":1e3,', undefined],
    ['{"id":01,', undefined],
    ['{"id":9007199254740992,', undefined],
    ['{"id":null,', undefined],
    ['{"id":"a', undefined],
    ['{"id":7', undefined],
    ['{"method":"x","id":7,', undefined],
    ['{"params":{"id":7,', undefined],
    ['[{"id":7,', undefined],
    [`{"id":"${'x'.repeat(2000)}",`, undefined],
  ];
  for (const [text, expected] of rows) assert.strictEqual(readId(text), expected, text.slice(0, 40));
});
