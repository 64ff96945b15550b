// Builds the packages, then compiles everything, tests included, into a fresh .build folder.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import './build.mjs';

// What was compiled from a deleted test would still run.
rmSync('.build', { recursive: true, force: true });
execFileSync('npx', ['tsc', '-p', 'tsconfig.json'], { stdio: 'inherit' });
