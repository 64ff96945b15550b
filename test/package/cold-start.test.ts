import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

const ROUNDS = 9;
/** The entry takes about 7 ms where this was written: what the bound must catch is a library that is loaded too early. */
const MOST_MS = 30;

test(`importing mcpwire/server costs at most ${MOST_MS} ms of CPU more than an empty start`, () => {
  cpuMs("import 'mcpwire/server';"); // reads files from the disk; it isn't counted
  // Both starts of a round meet the same machine.
  const differences = Array.from({ length: ROUNDS }, () => {
    const empty = cpuMs('');
    return cpuMs("import 'mcpwire/server';") - empty;
  });
  const median = differences.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Infinity;
  assert.ok(median <= MOST_MS, `${median.toFixed(1)} ms`);
});

function cpuMs(imports: string): number {
  const source = `${imports}
    process.on('exit', () => {
      const { user, system } = process.cpuUsage();
      console.log((user + system) / 1000);
    });`;
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '--eval', source], { encoding: 'utf8' }),
  );
}
