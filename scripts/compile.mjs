// Builds the packages, then compiles everything, tests included, into a fresh .build folder.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import './build.mjs';

// What was compiled from a deleted test would still run.
rmSync('.build', { recursive: true, force: true });
process.exitCode =
  spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], {
    stdio: 'inherit',
  }).status ?? 1;
