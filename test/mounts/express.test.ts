import process from 'node:process';
import { testMount } from './mount-tests.ts';
import { runMount } from './run-mount.ts';

testMount('Express', () =>
  runMount({ command: process.execPath, args: ['.build/examples/mounts/express.js'], port: /:\s*(\d+)\D*$/ }),
);
