// Prints what the entries weigh in an application's bundle: npm run bundle-size [-- --json]. `whole` is everything in
// one file; `start` is what a bundler that splits at import() loads first. The JSON Schema library is left out of both.
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const CASES = {
  mcpwire: "export * from 'mcpwire'",
  'mcpwire/server': "export * from 'mcpwire/server'",
  'mcpwire/client': "export * from 'mcpwire/client'",
  'mcpwire/http': "export * from 'mcpwire/http'",
  createServer: "export { createServer } from 'mcpwire/server'",
  'createServer + toFetchHandler':
    "export { createServer } from 'mcpwire/server'; export { toFetchHandler } from 'mcpwire/http'",
};

const rows = await Promise.all(
  Object.entries(CASES).map(async ([name, contents]) => {
    const whole = await bundle(contents, false);
    return {
      name,
      whole: sizeOf(whole),
      start: sizeOf(await bundle(contents, true)),
      imports: importsOf(whole),
    };
  }),
);
if (process.argv.includes('--json')) console.log(JSON.stringify(rows));
else rows.forEach(print);

function bundle(contents, splitting) {
  return build({
    stdin: { contents, resolveDir: '.', sourcefile: 'entry.js' },
    outdir: 'out',
    bundle: true,
    splitting,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    external: ['typebox', 'undici', 'node:*'],
  });
}

/** Bytes of the entry and of everything that it imports at once. */
function sizeOf({ outputFiles, metafile }) {
  const size = { minified: 0, gzipped: 0 };
  const left = [
    Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === 'entry.js'),
  ];
  for (const path of left) {
    const { contents } = outputFiles.find((file) => file.path.endsWith(path));
    size.minified += contents.length;
    size.gzipped += gzipSync(contents, { level: 9 }).length;
    for (const { path: next, kind, external } of metafile.outputs[path].imports) {
      if (kind === 'import-statement' && external !== true && !left.includes(next)) left.push(next);
    }
  }
  return size;
}

function importsOf({ metafile }) {
  return Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
}

function print({ name, whole, start, imports }) {
  const sizes = [whole, start].map(({ minified, gzipped }) => `${kb(minified)} min ${kb(gzipped)} gzip`);
  console.log(
    `${name.padEnd(30)} whole ${sizes[0]}  start ${sizes[1]}  imports ${imports.length > 0 ? imports.join(', ') : 'nothing'}`,
  );
}

function kb(bytes) {
  return `${(bytes / 1024).toFixed(1).padStart(5)} KiB`;
}
