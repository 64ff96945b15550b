// Builds every package into its dist folder (docs/decisions/0003-build.md): declarations by tsc, one for each source;
// JavaScript in few files, because a start that opens few files is far cheaper.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { transform } from 'esbuild';
import { rollup } from 'rollup';

/**
 * What the entries load at once stands in one chunk, apart from what only Node can run; what is loaded now and then
 * (behind `import()`) in chunks of its own.
 */
async function bundle(folder) {
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const dependencies = Object.keys(manifest.dependencies ?? {});
  const build = await rollup({
    input: entriesOf(folder, manifest),
    external: (id) =>
      id.startsWith('node:') || dependencies.some((name) => id === name || id.startsWith(`${name}/`)),
    treeshake: { moduleSideEffects: false },
    plugins: [typescript],
  });
  let atOnce;
  await build.write({
    dir: `${folder}/dist`,
    format: 'es',
    entryFileNames: 'entry/[name].js',
    chunkFileNames: 'chunks/[name].js',
    sourcemap: 'hidden',
    minifyInternalExports: false,
    hoistTransitiveImports: false,
    manualChunks(id, { getModuleInfo, getModuleIds }) {
      atOnce ??= loadedAtOnce(getModuleInfo, [...getModuleIds()]);
      const isNodeOnly = id.includes('/src/node/') || id.includes('/src/entry/');
      return atOnce.has(id) && !isNodeOnly ? 'core' : undefined;
    },
    plugins: [compact],
  });
  await build.close();
}

/** Every module that an entry imports, directly or by way of others, without `import()`. */
function loadedAtOnce(getModuleInfo, ids) {
  const found = new Set();
  const left = ids.filter((id) => getModuleInfo(id).isEntry);
  for (const id of left) {
    for (const next of getModuleInfo(id).importedIds) {
      if (found.has(next) || getModuleInfo(next)?.isExternal === true) continue;
      found.add(next);
      left.push(next);
    }
  }
  return found;
}

/** Takes the types off. */
const typescript = {
  name: 'typescript',
  transform: (code, id) =>
    id.endsWith('.ts')
      ? transform(code, { loader: 'ts', target: 'es2022', sourcemap: true, sourcefile: id })
      : null,
};

/** Takes out comments and white space, and keeps names: a stack trace still reads like the source. */
const compact = {
  name: 'compact',
  renderChunk: (code) =>
    transform(code, { minifyWhitespace: true, minifySyntax: true, target: 'es2022', sourcemap: true }),
};

/** The sources of what `exports` offers: dist/entry/server.js comes from src/entry/server.ts. */
function entriesOf(folder, { exports }) {
  const targets = Object.values(exports).filter((target) => typeof target === 'object');
  return Object.fromEntries(
    targets.map(({ default: file }) => {
      const name = basename(file, '.js');
      return [name, resolve(folder, 'src/entry', `${name}.ts`)];
    }),
  );
}

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
  await bundle(folder);
  for (const file of ['LICENSE', 'README.md']) {
    if (existsSync(file)) copyFileSync(file, `${folder}/${file}`);
  }
}
