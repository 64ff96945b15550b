// Connects to real servers from npm (test/interop/servers.json), over every transport that each offers: npm run interop
// [-- name…] [-- --json]. Each is listed, and one harmless tool of it called; its era must be what is known of it.
// The servers are installed once, into a cache outside of the repository; after that no network is needed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'mcpwire/node';

const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'mcpwire-interop');
/** Milliseconds for everything that is done with one server over one transport. */
const MOST_MS = 90_000;

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const servers = JSON.parse(readFileSync('test/interop/servers.json', 'utf8')).filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const rows = [];
for (const server of servers) {
  const folder = install(server);
  for (const transport of ['stdio', 'http']) {
    if (server[transport] === undefined) continue;
    const row = {
      server: `${server.name}@${server.version}`,
      transport,
      ...(await visit(server, folder, transport)),
    };
    rows.push(row);
    if (!process.argv.includes('--json')) print(row);
  }
}
if (process.argv.includes('--json')) console.log(JSON.stringify(rows, null, 1));
const failed = rows.filter((row) => row.problem !== undefined);
console.error(`${rows.length - failed.length} of ${rows.length} passed`);
process.exitCode = failed.length === 0 ? 0 : 1;

function install({ name, version, also = [], env = {} }) {
  const folder = join(CACHE, `${name.replace('/', '+')}@${version}`);
  const done = join(folder, '.done');
  if (existsSync(done)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  console.error(`installing ${name}@${version} …`);
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', `${name}@${version}`, ...also];
  const { status, stderr } = spawnSync('npm', args, {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm could not install ${name}@${version}: ${stderr.slice(-1000)}`);
  writeFileSync(done, '');
  return folder;
}

async function visit(server, folder, transport) {
  const work = mkdtempSync(join(tmpdir(), 'mcpwire-interop-'));
  writeFileSync(join(work, 'a.js'), 'export const a = 1;\n');
  const started = Date.now();
  const reports = [];
  let process_;
  let client;
  const stage = { at: 'start' };
  try {
    const target = transport === 'stdio' ? stdioTarget(server, folder, work) : undefined;
    let to = target;
    if (target === undefined) {
      process_ = await startHttp(server, folder, work);
      to = process_.target;
    }
    const row = await within(MOST_MS, stage, async () => {
      stage.at = 'connect';
      client = await connect(to, {
        timeoutMs: 30_000,
        invalidOutput: 'report',
        report: ({ kind }) => reports.push(kind),
      });
      stage.at = 'list';
      const tools = await client.tools().all();
      stage.at = 'call';
      const outcome = await call(client, server.call, tools, work);
      return { era: client.era, version: client.version, tools: tools.length, call: outcome };
    });
    if (row.era !== server.era[transport]) row.problem = `is ${row.era}, known as ${server.era[transport]}`;
    else if (row.call.startsWith('failed') && server.call.mayFail === undefined) row.problem = row.call;
    if (reports.length > 0) row.reports = [...new Set(reports)];
    return { ...row, ms: Date.now() - started };
  } catch (error) {
    return {
      problem: `${stage.at}: ${error.name}: ${error.message}`.slice(0, 600),
      ms: Date.now() - started,
    };
  } finally {
    await client?.close();
    await process_?.stop();
    rmSync(work, { recursive: true, force: true });
  }
}

async function call(client, { name, arguments: args = {}, first, mayFail }, tools, work) {
  const tool = first === true ? tools[0] : tools.find((each) => each.name === name);
  if (tool === undefined) {
    return `failed: there is no tool ${name}: ${tools.map((each) => each.name).join(' ')}`;
  }
  const given = JSON.parse(JSON.stringify(args).replaceAll('$WORK', work));
  try {
    const result = await client.call(tool.name, given);
    if (result.isError) {
      return `${tool.name}: failed as a tool may${mayFail === undefined ? '' : ` (${mayFail})`}: ${result.text.slice(0, 60).replaceAll('\n', ' ')}`;
    }
    return `${tool.name}: ok`;
  } catch (error) {
    // An answer in the words of the protocol is an answer.
    if (error.name === 'PeerError' && mayFail !== undefined) {
      return `${tool.name}: error ${error.code} (${mayFail})`;
    }
    return `failed: ${tool.name}: ${error.name}: ${error.message}`;
  }
}

function stdioTarget(server, folder, work) {
  const { args, env } = server.stdio;
  return { ...commandOf(server, folder, args, work), env: env ?? {}, cwd: work };
}

function commandOf(server, folder, args, work, port = '') {
  const filled = args.map((arg) => arg.replace('$WORK', work).replace('$PORT', port));
  const bin = join(folder, server.bin);
  return server.native === true
    ? { command: bin, args: filled }
    : { command: process.execPath, args: [bin, ...filled] };
}

async function startHttp(server, folder, work) {
  const port = String(await freePort());
  const { args, env = {}, path, headers = {} } = server.http;
  const { command, args: filled } = commandOf(server, folder, args, work, port);
  const given = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.replace('$PORT', port)]),
  );
  const child = spawn(command, filled, {
    cwd: work,
    env: { PATH: process.env.PATH, HOME: work, ...given },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let errors = '';
  child.stderr.on('data', (part) => (errors = (errors + part).slice(-1000)));
  const { pid = 0 } = child;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // it is gone
    }
    await exited;
  };
  try {
    await listens(port, exited, () => errors);
  } catch (error) {
    await stop();
    throw error;
  }
  return { target: { url: `http://localhost:${port}${path}`, headers }, stop };
}

async function listens(port, exited, errors) {
  let isGone = false;
  void exited.then(() => (isGone = true));
  for (let tries = 0; tries < 300 && !isGone; tries++) {
    try {
      await fetch(`http://localhost:${port}/`, { method: 'OPTIONS', signal: AbortSignal.timeout(1000) });
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100)); // not yet
    }
  }
  throw new Error(`the server does not listen on ${port}: ${errors()}`);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function within(ms, stage, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`hangs in ${stage.at}: nothing within ${ms} ms`)), ms);
  });
  return Promise.race([work(), late]).finally(() => clearTimeout(timer));
}

function print({ server, transport, era, version, tools, call: outcome, reports = [], ms, problem }) {
  const cells = [
    server.padEnd(54),
    transport.padEnd(6),
    (era ?? '–').padEnd(7),
    (version ?? '–').padEnd(11),
    String(tools ?? '–').padStart(4),
    `${ms} ms`.padStart(9),
  ];
  console.log(
    `${cells.join(' ')}  ${problem === undefined ? outcome : `PROBLEM ${problem}`}${reports.length > 0 ? ` [${reports.join(', ')}]` : ''}`,
  );
}
