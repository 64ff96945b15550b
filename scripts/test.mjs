// Runs the compiled tests with node:test: all of them, or those whose path contains one of the arguments.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const wanted = process.argv.slice(2);
const files = readdirSync('.build', { recursive: true })
  .map((file) => `.build/${String(file)}`)
  .filter(
    (file) =>
      file.endsWith('.test.js') && (wanted.length === 0 || wanted.some((part) => file.includes(part))),
  );
if (files.length === 0) {
  console.error(`no test matches ${wanted.join(' ')}`);
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', '--test', '--test-concurrency=2', '--test-timeout=180000', ...files.toSorted()],
  {
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
