// Runs the official conformance suite against our fixture: judge.mjs <server|client> <revision> [scenario…]
// Prints one line for each scenario with its counts, then `N passed, N failed`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROLES = ['server'];
const [role, revision, ...scenarios] = process.argv.slice(2);
if (!ROLES.includes(role) || revision === undefined) {
  console.error(`usage: npm run judge -- <${ROLES.join('|')}> <revision> [scenario…]`);
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
const expected = JSON.parse(readFileSync(`${JUDGE}/expected.json`, 'utf8'))[`${role} ${revision}`] ?? {};
const out = mkdtempSync(join(tmpdir(), 'mcpwire-judge-'));
try {
  const { url, stop } = await startFixture();
  try {
    if (scenarios.length === 0) run(['--url', url, '--requirements', revision]);
    for (const name of scenarios) {
      run(['--url', url, '--scenario', name, '--spec-version', revision, '--force']);
    }
  } finally {
    stop();
  }
  process.exitCode = report() ? 0 : 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}

function run(args) {
  const { stderr } = spawnSync(NODE22, [SUITE, role, ...args, '-o', out], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (readdirSync(out).length === 0) throw new Error(`the judge wrote no results: ${stderr}`);
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

function report() {
  let passed = 0;
  let failed = 0;
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
    if (complaint === undefined) passed++;
    else failed++;
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
      failed++;
      console.log(`${name}  was not run`);
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
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
