import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { InstalledPackage } from './installed-package.ts';
import type { Outcome } from './installed-package.ts';

let installed: InstalledPackage;
before(() => {
  installed = new InstalledPackage();
});
after(() => installed.remove());

const SUBPATHS = ['mcpwire', 'mcpwire/server', 'mcpwire/http', 'mcpwire/node'];

test('installs as at most three packages', () => {
  const lock = readFileSync(join(installed.folder, 'node_modules/.package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { readonly packages: object };
  const names = Object.keys(packages);
  assert.ok(names.length <= 3, names.join(', '));
});

test('carries its license, and no source maps', () => {
  const files = readdirSync(join(installed.folder, 'node_modules/mcpwire'), { recursive: true }).map(String);
  assert.ok(files.includes('LICENSE'));
  assert.deepEqual(
    files.filter((file) => file.endsWith('.map')),
    [],
  );
});

for (const subpath of SUBPATHS) {
  test(`${subpath} is imported by ESM`, () => {
    const source = `const entry = await import('${subpath}'); console.log(Object.keys(entry).length > 0);`;
    assert.deepEqual(installed.run('import.mjs', source), quiet('true\n'));
  });

  test(`${subpath} is required by CommonJS`, () => {
    const source = `const entry = require('${subpath}'); console.log(Object.keys(entry).length > 0);`;
    assert.deepEqual(installed.run('require.cjs', source), quiet('true\n'));
  });
}

test('nothing but the subpaths can be reached', () => {
  const source = "await import('mcpwire/dist/entry/server.js')";
  assert.match(installed.run('deep.mjs', source).stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/);
});

const CALL = `
import { createServer } from 'mcpwire/server';
import { toFetchHandler } from 'mcpwire/http';
const input = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const handle = toFetchHandler(createServer({ name: 's', version: '1' }).tool('t', { input }, ({ n }) => 'n is ' + n));
async function call(args) {
  const params = {
    name: 't',
    arguments: args,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const response = await handle(new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 't',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }));
  const { result } = await response.json();
  return { text: result.content[0].text, isError: result.isError ?? false };
}
try {
  eval('1');
} catch {
  console.log('no code generation');
}
console.log(JSON.stringify([await call({ n: 3 }), await call({ n: 'three' })]));
`;

test('a server answers valid and invalid arguments where code generation is forbidden', () => {
  const { status, stdout, stderr } = installed.run('call.mjs', CALL, [
    '--disallow-code-generation-from-strings',
  ]);
  assert.equal(status, 0, stderr);
  const [note, results] = stdout.split('\n');
  assert.equal(note, 'no code generation');
  const [valid, invalid] = JSON.parse(results ?? '') as { text: string; isError: boolean }[];
  assert.deepEqual(valid, { text: 'n is 3', isError: false });
  assert.equal(invalid?.isError, true);
  assert.match(invalid.text, /\/n/);
});

const CONSUMER = `
import { ProtocolError } from 'mcpwire';
import type { Handler } from 'mcpwire';
import { createServer, ToolError } from 'mcpwire/server';
import { toFetchHandler } from 'mcpwire/http';
import { serveStdio } from 'mcpwire/node';
import type { StdioServer } from 'mcpwire/node';

const server = createServer({ name: 'shop', version: '1.0.0' }).tool('add', { description: 'Adds' }, () => {
  throw new ToolError('closed');
});
const handle: Handler = server.handle;
export const answer: (request: Request) => Promise<Response> = toFetchHandler(server);
export const running: Promise<StdioServer> = serveStdio({ handle });
export const isOurs = (error: unknown): boolean => error instanceof ProtocolError;
// @ts-expect-error -- proves that the types are there: a server needs a version
createServer({ name: 'shop' });
`;

/** moduleResolution → the module formats that go with it. A CommonJS file is one that ends in .cts. */
const CONSUMERS = [
  { moduleResolution: 'node16', module: 'node16', file: 'consumer.mts' },
  { moduleResolution: 'nodenext', module: 'nodenext', file: 'consumer.mts' },
  { moduleResolution: 'nodenext', module: 'nodenext', file: 'consumer.cts' },
  { moduleResolution: 'bundler', module: 'esnext', file: 'consumer.ts' },
  { moduleResolution: 'node10', module: 'esnext', file: 'consumer.ts' },
  { moduleResolution: 'node10', module: 'commonjs', file: 'consumer.ts' },
];

for (const { moduleResolution, module, file } of CONSUMERS) {
  test(`types reach ${file} under module ${module}, moduleResolution ${moduleResolution}`, () => {
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      typeRoots: [resolve('node_modules/@types')],
      types: ['node'],
    };
    installed.write(file, CONSUMER);
    installed.write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }));
    assert.deepEqual(installed.typeCheck('tsconfig.json'), quiet(''));
  });
}

/** The outcome of a run that says nothing but this. */
function quiet(stdout: string): Outcome {
  return { status: 0, stdout, stderr: '' };
}
