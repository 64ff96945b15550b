import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { test } from 'node:test';

const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];

test(
  'the official conformance suite passes for every revision against one running process [issue 3]',
  { timeout: 600_000 },
  async (t) => {
    const args = ['scripts/judge.mjs', 'server', ...REVISIONS];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    t.after(() => child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    for (const revision of REVISIONS) assert.match(output, new RegExp(`── server ${revision}`), output);
    assert.match(output.trimEnd().split('\n').at(-1) ?? '', /^[1-9]\d* passed, 0 failed$/, output);
    assert.equal(code, 0);
  },
);
