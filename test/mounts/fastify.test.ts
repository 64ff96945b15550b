import process from 'node:process';
import { testMount } from './mount-tests.ts';
import { runMount } from './run-mount.ts';

testMount('Fastify', () =>
  runMount({ command: process.execPath, args: ['.build/examples/mounts/fastify.js'], port: /:\s*(\d+)\D*$/ }),
);
