// Runs the official conformance suite against our fixture: judge.mjs <server|client> <revision…> [scenario…]
// All revisions are judged against one running process. Prints one line for each scenario with its counts, then
// `N passed, N failed`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROLES = ['server', 'client'];
/** These have a frozen list of what is required; of an older one everything that applies to it is run. */
const REQUIREMENT_SETS = ['2026-07-28', '2025-11-25'];
const [role, ...words] = process.argv.slice(2);
const revisions = words.filter((word) => /^\d{4}-\d\d-\d\d$/.test(word));
const scenarios = words.filter((word) => !revisions.includes(word));
if (!ROLES.includes(role) || revisions.length === 0) {
  console.error(`usage: npm run judge -- <${ROLES.join('|')}> <revision…> [scenario…]`);
  process.exit(2);
}
const JUDGE = 'test/judge';
const NODE22 = `${JUDGE}/node_modules/node/bin/node`;
const SUITE = `${JUDGE}/node_modules/@modelcontextprotocol/conformance/dist/index.js`;
if (!existsSync(SUITE)) {
  console.log('installing the judge …');
  const { status } = spawnSync('npm', ['ci', '--no-workspaces', '--no-audit', '--no-fund'], {
    cwd: JUDGE,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
const allExpected = JSON.parse(readFileSync(`${JUDGE}/expected.json`, 'utf8'));
/** Scenarios of a client that the judge itself failed, with what it said. */
const refused = [];
const total = { passed: 0, failed: 0 };
const fixture = role === 'server' ? await startFixture() : { stop() {} };
try {
  for (const revision of revisions) judge(revision);
} finally {
  fixture.stop();
}
for (const why of refused) console.log(`the judge failed ${why}`);
console.log(`${total.passed} passed, ${total.failed + refused.length} failed`);
if (refused.length > 0) process.exitCode = 1;
else process.exitCode = total.failed === 0 ? 0 : 1;

function judge(revision) {
  const out = mkdtempSync(join(tmpdir(), 'mcpwire-judge-'));
  const expected = allExpected[`${role} ${revision}`] ?? {};
  const run = (...args) =>
    role === 'server'
      ? runSuite(out, ['--url', fixture.url, ...args])
      : runSuite(out, ['--command', `${process.execPath} .build/test/fixtures/run-judge-client.js`, ...args]);
  try {
    if (role === 'client') {
      // One by one, which is stricter too: a warning, a failed exit or a time-out fails the scenario.
      for (const name of scenarios.length > 0 ? scenarios : Object.keys(expected)) {
        run('--scenario', name, '--spec-version', revision, '--force', '--timeout', '60000');
      }
    } else if (scenarios.length > 0) {
      for (const name of scenarios) run('--scenario', name, '--spec-version', revision, '--force');
    } else if (REQUIREMENT_SETS.includes(revision)) run('--requirements', revision);
    else run('--suite', 'all', '--spec-version', revision);
    if (revisions.length > 1) console.log(`── ${role} ${revision}`);
    report(out, expected);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function runSuite(out, args) {
  const before = readdirSync(out).length;
  const { stderr, stdout, status } = spawnSync(NODE22, [SUITE, role, ...args, '-o', out], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (role === 'client' && status !== 0) refused.push(`${args.join(' ')}\n${stdout.slice(-3000)}`);
  if (readdirSync(out).length === before) throw new Error(`the judge wrote no results: ${stderr}`);
}

async function startFixture() {
  const child = spawn(process.execPath, ['.build/test/fixtures/run-server.js', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the fixture ended with ${code}`)));
  });
  return { url, stop: () => child.kill('SIGTERM') };
}

function report(out, expected) {
  const seen = new Set();
  for (const folder of readdirSync(out).toSorted()) {
    const name = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    seen.add(name);
    const checks = JSON.parse(readFileSync(join(out, folder, 'checks.json'), 'utf8'));
    const count = (status) => checks.filter((check) => check.status === status).length;
    const counts = {
      passed: count('SUCCESS'),
      warnings: count('WARNING'),
      failed: count('FAILURE'),
      skipped: count('SKIPPED'),
    };
    const rule = expected[name] ?? {};
    const complaint = complain(counts, rule);
    if (complaint === undefined) total.passed++;
    else total.failed++;
    const note = complaint ?? (rule.expected === undefined ? '' : `expected: ${rule.expected}`);
    console.log(
      `${name}  passed ${counts.passed}  warnings ${counts.warnings}  failed ${counts.failed}  skipped ${counts.skipped}${note === '' ? '' : `  (${note})`}`,
    );
    if (complaint !== undefined) {
      for (const check of checks) {
        if (!['SUCCESS', 'INFO'].includes(check.status)) {
          console.log(`    ${check.status} ${check.id}: ${check.errorMessage ?? check.description}`);
        }
      }
    }
  }
  if (scenarios.length === 0) {
    for (const name of Object.keys(expected)) {
      if (seen.has(name)) continue;
      total.failed++;
      console.log(`${name}  was not run`);
    }
  }
}

/** A scenario is good only if its checks really ran: a suite that checks nothing proves nothing. */
function complain(counts, rule) {
  if (rule.expected !== undefined) {
    return counts.failed + counts.warnings + counts.skipped > 0
      ? undefined
      : 'expected to fail, yet it passes: update expected.json';
  }
  if (counts.failed > 0) return 'failed';
  if (counts.warnings > 0) return 'warned';
  if (counts.skipped > (rule.skipped ?? 0)) return 'skipped';
  if (rule.checks === undefined) return 'not in expected.json';
  return counts.passed < rule.checks ? `only ${counts.passed} of ${rule.checks} checks` : undefined;
}
