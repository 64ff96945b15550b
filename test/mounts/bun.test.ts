import { testMount } from './mount-tests.ts';
import { runMount, runtimeFile } from './run-mount.ts';

testMount('Bun', () =>
  runMount({
    command: runtimeFile('.bin/bun'),
    args: ['examples/mounts/bun.ts'],
    port: /http:\/\/[^/]+:(\d+)/,
  }),
);
