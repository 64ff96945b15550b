// Runs the checks that need no test: npm run check [-- name…]. Goes through all of them, then says which failed.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

// By its path: the older compiler that consumers are checked with has a command of the same name.
const TSC = 'node node_modules/typescript/bin/tsc';
const packages = readdirSync('packages').map((name) => `packages/${name}`);

/** Name → commands. */
const CHECKS = {
  // Everything, then the code outside of node/ once more in a world without Node.
  types: [`${TSC} -p tsconfig.json --noEmit`, `${TSC} -p tsconfig.neutral.json`],
  lint: ['oxlint --type-aware --deny-warnings --report-unused-disable-directives'],
  format: ['oxfmt --check .'],
  layers: ['node scripts/check-layers.mjs'],
  docs: ['node scripts/check-docs.mjs'],
  unused: ['knip --no-config-hints'],
  surface: ['node scripts/api-report.mjs --check'],
  // CommonJS gets this package by require() of ESM, which every supported Node has: the one rule left out says
  // that it could not.
  package: packages.flatMap((folder) => [
    `publint --strict ${folder}`,
    `attw --pack ${folder} --ignore-rules cjs-resolves-to-esm`,
  ]),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(CHECKS, name));
if (unknown.length > 0) {
  console.error(`no such check: ${unknown.join(', ')}; there are ${Object.keys(CHECKS).join(', ')}`);
  process.exit(2);
}
const failed = [];
if (!run('node scripts/build.mjs')) process.exit(1);
for (const [name, commands] of Object.entries(CHECKS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`── ${name}`);
  if (!commands.every(run)) failed.push(name);
}
console.log(failed.length === 0 ? 'all checks passed' : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function run(command) {
  const [program, ...args] = command.startsWith('node ')
    ? command.split(' ')
    : ['npx', '--no-install', ...command.split(' ')];
  return spawnSync(program, args, { stdio: 'inherit' }).status === 0;
}
