import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ErrorCode, LegacyErrorCode, mayEmit } from './error-codes.ts';

test('the codes of the specification, and any integer that JSON-RPC does not keep, may be emitted [BASE-14] [BASE-15] [BASE-18] [BASE-22]', () => {
  for (const code of Object.values(ErrorCode)) assert.ok(mayEmit(code), String(code));
  const defined = new Set<number>(Object.values(ErrorCode));
  fc.assert(
    fc.property(fc.integer({ min: -32768, max: -32000 }), (code) => mayEmit(code) === defined.has(code)),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(
      fc.maxSafeInteger(),
      (code) => mayEmit(code) === (defined.has(code) || code < -32768 || code > -32000),
    ),
  );
});

test('the retired codes and numbers that are no integers may not [BASE-14] [BASE-20]', () => {
  for (const code of Object.values(LegacyErrorCode)) assert.ok(!mayEmit(code), String(code));
  for (const code of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    assert.ok(!mayEmit(code), String(code));
  }
});
