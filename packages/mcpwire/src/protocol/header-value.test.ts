import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { decodeHeaderValue, encodeHeaderValue, readHeaderValue } from './header-value.ts';

test('any text makes the round trip through a header that HTTP allows [HTTP-53] [HTTP-54]', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary-ascii' }),
    fc.string().map((inner) => `=?base64?${inner}?=`),
  );
  fc.assert(
    fc.property(text, (value) => {
      const encoded = encodeHeaderValue(value);
      assert.match(encoded, /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/);
      assert.equal(decodeHeaderValue(encoded), value);
      assert.equal(decodeHeaderValue(` \t${encoded}\t `), value);
    }),
  );
});

test('values are encoded as the specification shows [HTTP-52]', () => {
  assert.equal(encodeHeaderValue('us-west1'), 'us-west1');
  assert.equal(encodeHeaderValue(''), '');
  assert.equal(encodeHeaderValue('a b'), 'a b');
  assert.equal(encodeHeaderValue('Hello, 世界'), '=?base64?SGVsbG8sIOS4lueVjA==?=');
  assert.equal(encodeHeaderValue(' padded '), '=?base64?IHBhZGRlZCA=?=');
  assert.equal(encodeHeaderValue('line1\nline2'), '=?base64?bGluZTEKbGluZTI=?=');
  assert.equal(encodeHeaderValue('=?base64?literal?='), '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=');
});

test('a value with characters that no header may hold is none [HTTP-62] [HTTP-78]', () => {
  for (const raw of ['é', 'a\nb', 'a\rb', '\0', '\x7f', '\u00a0a', 'a\u2028', '\u0085']) {
    assert.equal(decodeHeaderValue(raw), undefined, JSON.stringify(raw));
    assert.equal(readHeaderValue(raw), undefined, JSON.stringify(raw));
  }
});

test('Base64 that is not canonical, or no UTF-8, is refused [HTTP-62]', () => {
  for (const inner of ['YQ', 'YQ=', 'YR==', 'Y===', 'YWI', '-_-_', 'Y Q==', '/w==', '7aCA', '?', '=']) {
    assert.equal(decodeHeaderValue(`=?base64?${inner}?=`), undefined, inner);
  }
});

test('marks that are not exact are a plain value [HTTP-52]', () => {
  for (const raw of ['=?BASE64?YQ==?=', '=?base64?YQ==', 'base64?YQ==?=', '=?base64?=', '=?utf-8?B?YQ==?=']) {
    assert.equal(decodeHeaderValue(raw), raw);
  }
});
