// Prints what the entries weigh in an application's bundle: npm run bundle-size [-- --json]. The JSON Schema library is
// left out: applications load it on demand.
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const CASES = {
  mcpwire: "export * from 'mcpwire'",
  'mcpwire/server': "export * from 'mcpwire/server'",
  'mcpwire/http': "export * from 'mcpwire/http'",
  createServer: "export { createServer } from 'mcpwire/server'",
  'createServer + toFetchHandler':
    "export { createServer } from 'mcpwire/server'; export { toFetchHandler } from 'mcpwire/http'",
};

const rows = [];
for (const [name, contents] of Object.entries(CASES)) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    external: ['typebox', 'node:*'],
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  const [{ contents: bytes }] = outputFiles;
  rows.push({ name, minified: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length, imports });
}
if (process.argv.includes('--json')) console.log(JSON.stringify(rows));
else {
  for (const { name, minified, gzipped, imports } of rows) {
    console.log(
      `${name.padEnd(30)} ${kb(minified)} min ${kb(gzipped)} min+gzip  imports ${imports.join(', ') || 'nothing'}`,
    );
  }
}

function kb(bytes) {
  return `${(bytes / 1024).toFixed(1).padStart(6)} KB`;
}
