import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeHeaderValue, encodeHeaderValue } from './header-value.ts';

test('[HTTP-53] any text survives the way through a header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const header = encodeHeaderValue(value);
      assert.match(header, /^[\x20-\x7e\t]*$/);
      assert.equal(decodeHeaderValue(header), value);
    }),
  );
});
