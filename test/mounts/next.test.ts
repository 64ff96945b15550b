import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { resolve } from 'node:path';
import { testMount } from './mount-tests.ts';
import { runMount, runtimeFile } from './run-mount.ts';

testMount('Next', () => {
  const next = resolve(runtimeFile('next/dist/bin/next'));
  const cwd = 'test/runtimes/next-app';
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
  execFileSync(process.execPath, [next, 'build'], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
  return runMount({
    command: process.execPath,
    args: [next, 'start', '--hostname', '127.0.0.1', '--port', '0'],
    cwd,
    port: /http:\/\/[^/]+:(\d+)/,
  });
});
