import { testMount } from './mount-tests.ts';
import { runMount, runtimeFile } from './run-mount.ts';

testMount('Deno', () =>
  runMount({
    command: runtimeFile('.bin/deno'),
    args: ['serve', '--host', '127.0.0.1', '--port', '0', 'examples/mounts/deno.ts'],
    port: /http:\/\/[^/]+:(\d+)/,
  }),
);
