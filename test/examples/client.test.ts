import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import process from 'node:process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const example = (name: string): string =>
  fileURLToPath(new URL(`../../examples/${name}.js`, import.meta.url));

test('the example of a client lists and calls the tools of the example of a server', async () => {
  const args = [example('client'), process.execPath, example('dice')];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  assert.match(stdout, /^roll: Rolls dice\n\{ rolls: \[ [1-6], [1-6] \] \}/);
});
