// Builds every package into its dist folder (docs/decisions/0003-build.md): declarations by tsc, one for each source;
// JavaScript in few files, because a start that opens few files is far cheaper.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { build as esbuild, transform } from 'esbuild';
import { rollup } from 'rollup';

/**
 * What the entries of servers load at once stands in one chunk, what clients load beside it in another, apart from what
 * only Node can run; what is loaded now and then (behind `import()`) in chunks of its own.
 */
async function bundle(folder) {
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const dependencies = Object.keys(manifest.dependencies ?? {});
  const build = await rollup({
    input: entriesOf(folder, manifest),
    external: (id) =>
      id.startsWith('node:') || dependencies.some((name) => id === name || id.startsWith(`${name}/`)),
    // rollup takes a parameter for constant where every call that it sees passes the same, and does not see those through
    // import(): it would take code away that is needed. Knip finds what is unused.
    treeshake: false,
    plugins: [typescript, inlined],
  });
  let servers;
  let clients;
  await build.write({
    dir: `${folder}/dist`,
    format: 'es',
    entryFileNames: 'entry/[name].js',
    chunkFileNames: 'chunks/[name].js',
    sourcemap: 'hidden',
    minifyInternalExports: false,
    hoistTransitiveImports: false,
    manualChunks(id, { getModuleInfo, getModuleIds }) {
      const ids = [...getModuleIds()];
      const isClient = (entry) => entry.endsWith('/entry/client.ts');
      servers ??= loadedAtOnce(getModuleInfo, ids, (entry) => !isClient(entry));
      clients ??= loadedAtOnce(getModuleInfo, ids, isClient);
      if (id.includes('/src/node/') || id.includes('/src/entry/')) return undefined;
      if (!clients.has(id)) return servers.has(id) ? 'core' : undefined;
      return /\/src\/(?:transport\/)?client\/|\/fetch-sender/.test(id) ? 'client' : 'shared';
    },
    plugins: [compact],
  });
  await build.close();
}

/** Every module that one of these entries imports, directly or by way of others, without `import()`. */
function loadedAtOnce(getModuleInfo, ids, isWanted) {
  const found = new Set();
  const left = ids.filter((id) => getModuleInfo(id).isEntry && isWanted(id));
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

/** Libraries that few users need, and that are not worth a dependency of everybody: what Windows needs to start a `.cmd`. */
const INLINED = ['cross-spawn'];
const inlined = {
  name: 'inlined',
  resolveId: (id) => (INLINED.includes(id) ? `inlined:${id}` : null),
  async load(id) {
    if (!id.startsWith('inlined:')) return null;
    const { outputFiles } = await esbuild({
      stdin: { contents: `export { default } from '${id.slice(8)}'`, resolveDir: '.' },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      legalComments: 'inline',
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    return outputFiles[0].text;
  },
};

/** The licenses of what is inlined, and of what that needs, go with it. */
function copyLicenses(folder) {
  mkdirSync(`${folder}/dist/licenses`);
  const names = [...INLINED];
  for (const name of names) {
    const license = readdirSync(`node_modules/${name}`).find((file) => /^licen[cs]e/i.test(file));
    copyFileSync(`node_modules/${name}/${license}`, `${folder}/dist/licenses/${name}.txt`);
    const { dependencies = {} } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
    names.push(...Object.keys(dependencies).filter((each) => !names.includes(each)));
  }
}

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
  copyLicenses(folder);
  for (const file of ['LICENSE', 'README.md']) {
    if (existsSync(file)) copyFileSync(file, `${folder}/${file}`);
  }
}
