import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { DEFAULT_TEXT_BOUNDS, scanText } from './scan-text.ts';

const scan = (text: string, bounds = DEFAULT_TEXT_BOUNDS): string | undefined =>
  scanText(text, bounds)?.message;

/** Nesting and number of values of a JSON value, counted the plain way. */
function measure(value: unknown): { depth: number; tokens: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, tokens: 0 };
  const children = Object.values(value).map(measure);
  return {
    depth: 1 + Math.max(0, ...children.map((child) => child.depth)),
    tokens: 1 + Math.max(0, children.length - 1) + children.reduce((sum, child) => sum + child.tokens, 0),
  };
}

test('the text of any JSON value is let through within its own bounds and refused just below them', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const { depth, tokens } = measure(value);
      assert.equal(scan(text, { maxDepth: depth, maxTokens: tokens }), undefined);
      if (depth > 0) {
        assert.match(scan(text, { maxDepth: depth - 1, maxTokens: tokens }) ?? '', /^nested deeper/);
      }
      if (tokens > 0) {
        assert.match(scan(text, { maxDepth: depth, maxTokens: tokens - 1 }) ?? '', /^more than/);
      }
    }),
  );
});

test('a member that stands twice is found at the three outer levels, however it is written', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.array(fc.string(), { maxLength: 40 }),
      fc.nat(2),
      (key, others, level) => {
        const members = [...new Set(others.filter((other) => other !== key)), key].map(
          (name) => `${JSON.stringify(name)}:0`,
        );
        const escaped = [...key].map((character) => escapeAll(character)).join('');
        const wrap = (inner: string): string => '{"w":'.repeat(level) + inner + '}'.repeat(level);
        assert.equal(scan(wrap(`{${members.join(',')}}`)), undefined);
        const twice = wrap(`{${members.join(',')},"${escaped}":1}`);
        assert.equal(scan(twice), `duplicate member ${JSON.stringify(key)}`);
      },
    ),
  );
});

function escapeAll(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

test('only an id of the message itself is ambiguous', () => {
  assert.deepEqual(scanText('{"id":1,"id":2}', DEFAULT_TEXT_BOUNDS), {
    message: 'duplicate member "id"',
    isAmbiguous: true,
  });
  assert.equal(scanText('{"id":1,"params":{"id":1,"id":2}}', DEFAULT_TEXT_BOUNDS)?.isAmbiguous, false);
  assert.equal(scanText('{"a":1,"a":2}', DEFAULT_TEXT_BOUNDS)?.isAmbiguous, false);
});

test('what looks like structure inside a text is no structure', () => {
  for (const text of ['"[[[["', '"\\"{{{{"', '{"a":"\\\\","b":"{,,,[\\""}', '"a\\\\\\"[["']) {
    assert.equal(scan(text, { maxDepth: 1, maxTokens: 2 }), undefined, text);
  }
});

test('broken texts neither throw nor take long', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('{', '}', '[', ']', ',', '"', '\\', ':', 'a', ' ')), (pieces) => {
      scan(pieces.join(''));
    }),
  );
  const start = performance.now();
  scan(`"${'\\"'.repeat(500_000)}`);
  scan(`{"${'\\\\'.repeat(500_000)}`);
  scan(`{${Array.from({ length: 90_000 }, (_, index) => `"${index}":0`).join(',')}}`);
  assert.ok(performance.now() - start < 2000);
});
