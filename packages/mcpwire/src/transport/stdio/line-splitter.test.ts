import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { LineSplitter } from './line-splitter.ts';

/** What a splitter makes of these chunks: lines as texts, `!` and the head for lines that were too long. */
function split(chunks: readonly Uint8Array[], maxBytes: number): readonly string[] {
  const found: string[] = [];
  const splitter = new LineSplitter(maxBytes, {
    line: (bytes) => found.push(Buffer.from(bytes).toString('latin1')),
    tooLong: (head) => found.push(`!${Buffer.from(head).toString('latin1')}`),
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return found;
}

/** The same the plain way, from the whole text. */
function expected(text: string, maxBytes: number): readonly string[] {
  return text
    .split('\n')
    .map((line) => (line.length > maxBytes ? `!${line}` : line.replace(/\r$/, '')))
    .filter((line) => !/^[ \t\r]*$/.test(line));
}

/** Heads of lines that were too long depend on the chunks: only that they are heads is compared. */
function same(found: readonly string[], wanted: readonly string[], chunked: boolean): void {
  assert.equal(found.length, wanted.length);
  for (const [index, line] of found.entries()) {
    const other = wanted[index] ?? '';
    if (line.startsWith('!') && chunked) assert.ok(other.startsWith(line), `${line} of ${other}`);
    else assert.equal(line, other);
  }
}

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\r\n', '\r', ' ', '\t', '\u0085'),
      fc.string({ unit: fc.constantFrom(...'ab{}"é'), maxLength: 12 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

test('any chunking of the bytes gives the same lines [STDIO-01]', () => {
  fc.assert(
    fc.property(
      text,
      fc.array(fc.nat(200), { maxLength: 20 }),
      fc.integer({ min: 1, max: 40 }),
      (whole, cuts, maxBytes) => {
        const bytes = Buffer.from(whole, 'latin1');
        const places = [
          ...new Set([0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length]),
        ].toSorted((a, b) => a - b);
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        same(split(chunks, maxBytes), expected(whole, maxBytes), true);
        same(
          split(
            [...bytes].map((byte) => Uint8Array.of(byte)),
            maxBytes,
          ),
          expected(whole, maxBytes),
          true,
        );
        same(split([bytes], maxBytes), expected(whole, maxBytes), true);
      },
    ),
    { numRuns: 1000 },
  );
});

test('only a line feed ends a line: what Unicode calls a line break is data [STDIO-01]', () => {
  const line = 'a\u2028b\u2029c\u0085d\rf\vg\fh';
  const bytes = Buffer.from(`${line}\n`);
  assert.deepEqual(split([bytes], 1000), [bytes.subarray(0, -1).toString('latin1')]);
});

test('the head of a line that is too long is at most 1,024 bytes', () => {
  const found = split([Buffer.alloc(5000, 'x'), Buffer.from('\nnext')], 2000);
  assert.equal(found[0]?.length, 1025);
  assert.equal(found[1], 'next');
});

test('a long line in small pieces takes time in proportion to its length', () => {
  const piece = Buffer.alloc(100, 'x');
  const time = (count: number): number => {
    const start = performance.now();
    split(
      Array.from({ length: count }, () => piece),
      1e9,
    );
    return performance.now() - start;
  };
  time(1000);
  assert.ok(time(100_000) < 2000);
});
