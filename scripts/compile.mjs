// Builds the packages, then compiles everything, tests included, into a fresh .build folder.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import './build.mjs';

// What was compiled from a deleted test would still run.
rmSync('.build', { recursive: true, force: true });
process.exitCode = spawnSync('npx', ['tsc', '-p', 'tsconfig.json'], { stdio: 'inherit' }).status ?? 1;
