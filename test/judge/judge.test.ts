import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { test } from 'node:test';
import type { TestContext } from 'node:test';

const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];

test(
  'the official conformance suite passes for every revision against one running process [issue 3]',
  { timeout: 600_000 },
  (t) => judge(t, 'server', REVISIONS),
);

test(
  'the official conformance suite passes the client, one scenario at a time and without a warning [issue 5]',
  { timeout: 600_000 },
  (t) => judge(t, 'client', REVISIONS.slice(0, 2)),
);

async function judge(t: TestContext, role: string, revisions: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, ['scripts/judge.mjs', role, ...revisions], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  for (const revision of revisions) assert.match(output, new RegExp(`── ${role} ${revision}`), output);
  assert.match(output.trimEnd().split('\n').at(-1) ?? '', /^[1-9]\d* passed, 0 failed$/, output);
  assert.equal(code, 0);
}
