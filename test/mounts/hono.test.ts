import process from 'node:process';
import { testMount } from './mount-tests.ts';
import { runMount } from './run-mount.ts';

testMount('Hono', () =>
  runMount({ command: process.execPath, args: ['.build/examples/mounts/hono.js'], port: /:\s*(\d+)\D*$/ }),
);
