// Builds every package into its dist folder: JavaScript by esbuild, one file per entry and a few shared chunks,
// because a start that opens few files is far cheaper (docs/decisions/0003-build.md); declarations by tsc.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { build } from 'esbuild';

for (const name of readdirSync('packages')) {
  const folder = `packages/${name}`;
  if (!existsSync(`${folder}/tsconfig.build.json`)) continue;
  rmSync(`${folder}/dist`, { recursive: true, force: true });
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '-p', `${folder}/tsconfig.build.json`],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
  const { outputFiles } = await build({
    write: false,
    entryPoints: entriesOf(folder),
    outdir: `${folder}/dist`,
    outbase: `${folder}/src`,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    packages: 'external',
    chunkNames: 'chunks/[hash]',
    sourcemap: 'external',
    logLevel: 'warning',
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    // Chunks are imported once more for their effects, which they don't have, and bundlers warn of that.
    writeFileSync(path, text.replaceAll(/^import "\.[^"]+";$/gm, ''));
  }
  for (const file of ['LICENSE', 'README.md']) {
    if (existsSync(file)) copyFileSync(file, `${folder}/${file}`);
  }
}

/** The sources of what `exports` offers: dist/entry/server.js comes from src/entry/server.ts. */
function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  return Object.values(exports)
    .filter((target) => typeof target === 'object')
    .map((target) => `${folder}/${target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts')}`);
}
