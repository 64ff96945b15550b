import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';

function runDemo(folder: string): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ['.build/examples/demo/main.js', folder], {
    encoding: 'utf8',
    timeout: 60_000,
  });
}

test('the demo tells what both transports carry and ends with a summary', () => {
  const { status, stdout, stderr } = runDemo('docs');
  assert.equal(stderr, '');
  assert.equal(status, 0);
  for (const expected of [
    /^→ The client asks which tools there are/m,
    /^← The server is at work: 1 of \d+ files/m,
    /^ {4}mcp-protocol-version: 2026-07-28$/m,
    /^ {4}mcp-name: search$/m,
    /^ {4}content-type: text\/event-stream$/m,
    /^stdio: 8 requests, all answered as they should be; \d+ notifications\.$/m,
    /^HTTP: 8 requests, all answered as they should be; \d+ notifications\.$/m,
  ]) {
    assert.match(stdout, expected);
  }
});

test('the demo says what went wrong', (t) => {
  const empty = mkdtempSync(join(tmpdir(), 'mcpwire-demo-'));
  t.after(() => rmSync(empty, { recursive: true }));
  const nothing = runDemo(empty);
  assert.equal(nothing.status, 1);
  assert.match(nothing.stderr, /^The demo failed: the search found nothing/m);
  const missing = runDemo(join(empty, 'missing'));
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /^docs-server: there is no folder /m);
  assert.match(missing.stderr, /^The demo failed: /m);
});
