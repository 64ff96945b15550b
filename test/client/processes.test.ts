import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Client } from 'mcpwire/client';
import { connect } from 'mcpwire/node';
import type { ConnectOptions } from 'mcpwire/node';
import { QUIET } from '../support/connections.ts';

const file = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}.js`, import.meta.url));
const PROCESS = file('run-process');
const BOUND = { timeout: 20_000 };

test('what can not be started is named, with where it was looked for', BOUND, async (t) => {
  const folder = temporary(t);
  await assert.rejects(connect({ command: 'no-such-server', env: { PATH: `/nowhere:${folder}` } }), {
    name: 'SpawnError',
    command: 'no-such-server',
    searched: ['/nowhere', folder],
    message: `can't start "no-such-server": not found on PATH (searched /nowhere:${folder})`,
  });
  await assert.rejects(connect({ command: './missing', cwd: folder }), {
    name: 'SpawnError',
    message: /missing doesn't exist/,
  });
  await assert.rejects(connect({ command: 'node', cwd: join(folder, 'gone') }), {
    message: /working folder .*gone doesn't exist/,
  });
  const plain = join(folder, 'plain');
  writeFileSync(plain, 'hello');
  await assert.rejects(connect({ command: plain }), {
    name: 'SpawnError',
    message: /plain may not be executed/,
  });
});

test('no shell reads the command or its arguments', BOUND, async (t) => {
  const client = await start(t, ['$(touch hacked)', '; exit 1', '*', 'a "b" \'c\'']);
  assert.deepEqual(JSON.parse((await client.call('argv')).text), [
    '$(touch hacked)',
    '; exit 1',
    '*',
    'a "b" \'c\'',
  ]);
});

test('a server gets what it needs of the environment, and no secrets', BOUND, async (t) => {
  process.env['MCPWIRE_TEST_SECRET'] = 'hush';
  process.env['MCPWIRE_TEST_WANTED'] = 'yes';
  t.after(() => {
    delete process.env['MCPWIRE_TEST_SECRET'];
    delete process.env['MCPWIRE_TEST_WANTED'];
  });
  const client = await start(t, [], { inheritEnv: ['MCPWIRE_TEST_WANTED'] }, { MCPWIRE_TEST_GIVEN: 'too' });
  const env = JSON.parse((await client.call('env')).text) as { readonly [name: string]: string };
  assert.equal(env['PATH'], process.env['PATH']);
  assert.equal(env['MCPWIRE_TEST_WANTED'], 'yes');
  assert.equal(env['MCPWIRE_TEST_GIVEN'], 'too');
  assert.equal(env['MCPWIRE_TEST_SECRET'], undefined);
  const all = await start(t, [], { inheritEnv: true });
  assert.match((await all.call('env')).text, /hush/);
});

test(
  'a server that dies is started again for the next call, and who was waiting hears why [STDIO-14]',
  BOUND,
  async (t) => {
    const reports: string[] = [];
    const client = await start(t, [], { report: ({ kind, message }) => reports.push(`${kind}: ${message}`) });
    const before = (await client.call('pid')).text;
    const [one, two] = await Promise.allSettled([client.call('wait'), client.call('die')]);
    for (const lost of [one, two]) {
      assert.ok(lost.status === 'rejected');
      const reason = lost.reason as Error & {
        readonly exitCode?: number;
        readonly stderr?: readonly string[];
      };
      assert.equal(reason.name, 'ConnectionClosedError');
      assert.equal(reason.exitCode, 9);
      assert.deepEqual(reason.stderr, ['ready', 'dying now']);
    }
    const [three, four] = await Promise.all([client.call('pid'), client.call('pid')]);
    assert.equal(three.text, four.text);
    assert.notEqual(three.text, before);
    assert.match(reports.join(), /connection-lost/);
  },
);

test('a server that dies again and again is not started for ever', BOUND, async (t) => {
  const client = await start(t, [], { maxRestarts: 2 });
  for (let times = 0; times < 3; times++) {
    await assert.rejects(client.call('die'), { name: 'ConnectionClosedError' });
  }
  await assert.rejects(client.call('pid'), { message: /ended 3 times within 60000 ms.*dying now/s });
});

test(
  'a subscription is sent again to the new process, with its gap told [STDIO-15] [SUB-09]',
  BOUND,
  async (t) => {
    const client = await start(t, []);
    const types: string[] = [];
    for await (const { type } of client.listen({ tools: true })) {
      types.push(type);
      if (types.length === 1) await client.call('die').catch(() => {});
      if (types.length === 3) break;
    }
    assert.deepEqual(types, ['acknowledged', 'gap', 'acknowledged']);
  },
);

test('closing ends the server and everything that it has started [STDIO-12]', BOUND, async (t) => {
  for (const child of ['quiet', 'stubborn']) {
    const client = await start(t, [], { exitMs: 200, termMs: 200 });
    const pids = [client.call('pid'), client.call('spawn', { child })];
    const [server, grandchild] = (await Promise.all(pids)).map(({ text }) => Number(text));
    await client.close();
    for (const pid of [server, grandchild]) await gone(Number(pid));
  }
});

test(
  'nothing of a client keeps its process alive once it is closed, and a process that ends takes its servers along',
  BOUND,
  async () => {
    for (const how of ['close', 'exit', 'idle']) {
      const child = spawn(process.execPath, [file('run-short-client'), how, PROCESS], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const [code] = (await once(child, 'exit')) as [number];
      assert.equal(code, 0, how);
      await gone(Number(output.trim()));
    }
  },
);

test('an entry of a file of servers is connected to, with variables filled in', BOUND, async (t) => {
  const folder = temporary(t);
  const path = join(folder, 'mcp.json');
  const entry = {
    command: process.execPath,
    args: [PROCESS, '${MCPWIRE_TEST_ARG:-fallback}', '${env:HOME}'],
  };
  writeFileSync(
    path,
    JSON.stringify({
      mcpServers: {
        one: entry,
        two: { url: 'http://127.0.0.1:1/mcp' },
        three: { command: 7 },
        four: { command: '${MCPWIRE_TEST_NONE}' },
      },
    }),
  );
  const client = await connect({ file: path, server: 'one' }, QUIET);
  t.after(() => client.close());
  assert.deepEqual(JSON.parse((await client.call('argv')).text), ['fallback', process.env['HOME']]);
  await assert.rejects(connect({ file: path, server: 'two' }), { name: 'UnreachableError' });
  await assert.rejects(connect({ file: path, server: 'three' }), {
    name: 'UsageError',
    message: /three.command must be a string, got number/,
  });
  await assert.rejects(connect({ file: path, server: 'four' }), {
    message: /MCPWIRE_TEST_NONE, which is not set/,
  });
  await assert.rejects(connect({ file: path, server: 'five' }), {
    message: /no server "five"; there are one, two, three, four/,
  });
  writeFileSync(path, '{');
  await assert.rejects(connect({ file: path, server: 'one' }), { message: /mcp.json is not JSON/ });
});

test(
  'on Windows a .cmd such as npx is found by PATHEXT and started with its arguments quoted',
  BOUND,
  async (t) => {
    // The platform is pretended: what would be started is a shell that writes down what it was given.
    const folder = temporary(t);
    const log = join(folder, 'log');
    const shell = join(folder, 'cmd.exe');
    writeFileSync(
      shell,
      `#!/usr/bin/env node\nrequire('fs').writeFileSync(${JSON.stringify(log)}, JSON.stringify(process.argv.slice(2)))`,
    );
    chmodSync(shell, 0o755);
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin', 'npx.cmd'), '');
    const script = `
    Object.defineProperty(process, 'platform', { value: 'win32' });
    process.env.PATHEXT = '.EXE;.CMD';
    const { connect } = await import('mcpwire/node');
    const target = { command: 'npx', args: ['-y', 'a b', 'x&y'], env: { PATH: ${JSON.stringify(`${join(folder, 'bin')};${process.env['PATH'] ?? ''}`)}, PATHEXT: '.EXE;.CMD' } };
    await connect(target, { report() {}, era: 'modern' }).catch(() => {});`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, comspec: shell },
    });
    await once(child, 'exit');
    const args = JSON.parse(readFileSync(log, 'utf8')) as readonly string[];
    assert.deepEqual(args.slice(0, 3), ['/d', '/s', '/c']);
    assert.equal(args[3], '"npx ^"-y^" ^"a^ b^" ^"x^&y^""');
  },
);

async function start(
  t: TestContext,
  args: readonly string[],
  options: ConnectOptions = {},
  env: { readonly [name: string]: string } = {},
): Promise<Client> {
  const client = await connect(
    { command: process.execPath, args: [PROCESS, ...args], env },
    { ...QUIET, ...options },
  );
  t.after(() => client.close());
  return client;
}

/** Resolves once there is no such process; whoever ended it may still have to be told. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
      // A zombie has ended: its parent has not asked yet.
      if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return;
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcpwire-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
