import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

interface Size {
  readonly minified: number;
  readonly gzipped: number;
}

interface Row {
  readonly name: string;
  readonly whole: Size;
  readonly start: Size;
  readonly imports: readonly string[];
}

const rows = JSON.parse(
  execFileSync(process.execPath, ['scripts/bundle-size.mjs', '--json'], { encoding: 'utf8' }),
) as readonly Row[];

function row(name: string): Row {
  const found = rows.find((one) => one.name === name);
  assert.ok(found !== undefined, name);
  return found;
}

/** Bytes, minified and gzipped, without the JSON Schema library. */
const BUDGETS = [
  { name: 'createServer', whole: 35_000, start: 25_800 },
  { name: 'createServer + toFetchHandler', whole: 53_000, start: 31_500 },
  { name: 'mcpwire/client', whole: 46_000, start: 25_000 },
] as const;

for (const { name, whole, start } of BUDGETS) {
  test(`a bundle of ${name} starts with at most ${start} bytes and holds at most ${whole}`, () => {
    const sizes = row(name);
    assert.ok(sizes.start.gzipped <= start, `starts with ${sizes.start.gzipped} bytes`);
    assert.ok(sizes.whole.gzipped <= whole, `holds ${sizes.whole.gzipped} bytes`);
  });
}

for (const name of ['mcpwire', 'mcpwire/server', 'mcpwire/client', 'mcpwire/http']) {
  test(`a bundle of ${name} needs nothing of Node`, () => {
    const foreign = row(name).imports.filter((path) => !path.startsWith('typebox/'));
    assert.deepEqual(foreign, []);
  });
}
