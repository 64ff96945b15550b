// Measures what defining tools costs the type checker: generates a file of N tools for each case, runs
// `tsc --noEmit --extendedDiagnostics` on it and prints the instantiations.
//
//   node bench/types/generate.mjs [--json] [--tools 1,100,200] [--cases zod-alone,mcpwire] [--compilers 5.9,7]
//     [--load light|heavy]
//
// Needs the package to be built. Files are written to .build/types-bench/.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const out = join(root, '.build/types-bench');

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    tools: { type: 'string', default: '1,100,200' },
    cases: { type: 'string' },
    compilers: { type: 'string', default: '5.9,7' },
    load: { type: 'string', default: 'light' },
  },
});

const compilers = {
  5.9: join(root, 'node_modules/typescript-5.9/bin/tsc'),
  7: join(root, 'node_modules/typescript/bin/tsc'),
};

const dist = join(root, 'packages/mcpwire/dist/entry');
const mcpwire = 'mcpwire/server';
const hasConnect = /\bconnect\b/.test(readFileSync(join(dist, 'index.d.ts'), 'utf8'));

// "light": the tools' schemas differ in identity only and the handlers return constants; this is the budget's
// reference load. "heavy": every tool has its own property names and enum members, and its handler reads the
// arguments, nested ones too.
const heavy = values.load === 'heavy';
const own = (i) => (heavy ? `_${i}` : '');
const input = (i) => `z.object({
  customer${own(i)}: z.string(),
  quantity: z.number().int(),
  priority: z.enum(['low${own(i)}', 'normal', 'high']),
  tags: z.array(z.string()).optional(),
  address: z.object({ street${own(i)}: z.string(), zip: z.string() }),
})`;
const output = (i) => `z.object({ order${own(i)}: z.string(), total: z.number(), accepted: z.boolean() })`;
const value = (i) =>
  heavy
    ? `{ order_${i}: args.customer_${i} + args.address.street_${i}, total: args.quantity, accepted: args.priority === 'low_${i}' }`
    : `{ order: 'a', total: 1, accepted: true }`;

const each = (n, text) => Array.from({ length: n }, (_, i) => text(i)).join('\n');
const schemas = (n) =>
  each(n, (i) => `export const Input${i} = ${input(i)};\nexport const Output${i} = ${output(i)};`);
const chain = (n) =>
  each(
    n,
    (i) => `  .tool('tool_${i}', { description: 'Tool ${i}', input: ${input(i)}, output: ${output(i)} },
    async (args, ctx) => { ctx.signal.throwIfAborted(); return ${value(i)}; })`,
  );

const zod = `import { z } from 'zod';\n`;
const cases = {
  'zod-alone': (n) => `${zod}${schemas(n)}
${each(
  n,
  (
    i,
  ) => `export async function tool${i}(args: z.infer<typeof Input${i}>): Promise<z.infer<typeof Output${i}>> {
  return ${value(i)};
}`,
)}`,

  mcpwire: (n) => `${zod}import { createServer } from '${mcpwire}';
export const server = createServer({ name: 'bench', version: '1.0.0' })
${chain(n)};`,

  // The server, and one typed call for every tool.
  'mcpwire-client': (n) => `${zod}import { createServer } from '${mcpwire}';
import { connect } from 'mcpwire';
const server = createServer({ name: 'bench', version: '1.0.0' })
${chain(n)};
const client = await connect<typeof server>('http://localhost');
${each(
  n,
  (i) => `export const order${i}: string = (await client.call('tool_${i}', {
  customer${own(i)}: 'a', quantity: 1, priority: 'low${own(i)}', address: { street${own(i)}: 'a', zip: '1' },
})).structuredContent.order${own(i)};`,
)}`,

  official: (n) => `${zod}import { McpServer } from '@modelcontextprotocol/server';
export const server = new McpServer({ name: 'bench', version: '1.0.0' });
${each(
  n,
  (
    i,
  ) => `server.registerTool('tool_${i}', { description: 'Tool ${i}', inputSchema: ${input(i)}, outputSchema: ${output(i)} },
  async (args, ctx) => {
    ctx.mcpReq.signal.throwIfAborted();
    return { content: [], structuredContent: ${value(i)} };
  });`,
)}`,
};

if (!hasConnect) delete cases['mcpwire-client'];

function measure(name, tools, compiler) {
  const dir = join(out, `${name}-${tools}`);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(dir, 'tools.ts'), cases[name](tools));
  const flags =
    '--noEmit --extendedDiagnostics --skipLibCheck --strict --target es2022 --module nodenext --types node';
  const args = [compilers[compiler], ...flags.split(' '), 'tools.ts'];
  if (compiler === '7') args.push('--singleThreaded', '--ignoreConfig');
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: dir, encoding: 'utf8' });
  const figure = (label) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1] ?? NaN);
  return {
    case: name,
    tools,
    compiler: `typescript ${compiler}`,
    instantiations: figure('Instantiations'),
    types: figure('Types'),
    checkSeconds: figure('Check time'),
    errors: [...stdout.matchAll(/^.*error TS.*$/gm)]
      .map(([line]) => line.slice(0, 300))
      .concat(stderr.trim() || []),
  };
}

const results = [];
for (const compiler of values.compilers.split(',')) {
  for (const name of values.cases?.split(',') ?? Object.keys(cases)) {
    for (const tools of values.tools.split(',').map(Number)) {
      const result = measure(name, tools, compiler);
      results.push(result);
      if (values.json) continue;
      const { instantiations, types, checkSeconds, errors } = result;
      console.log(
        `${result.compiler}  ${name.padEnd(14)} ${String(tools).padStart(4)} tools  ` +
          `${String(instantiations).padStart(8)} instantiations  ${String(types).padStart(7)} types  ${checkSeconds} s`,
      );
      for (const error of errors.slice(0, 3)) console.log(`  ${error}`);
    }
  }
}
if (values.json) console.log(JSON.stringify(results, null, 2));
if (results.some(({ errors }) => errors.length > 0)) process.exitCode = 1;
