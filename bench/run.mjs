// npm run bench -- [workload…] [--json] [--rounds N] [--quick]
//
// Compares mcpwire with a bare program that checks nothing (limit) and with the official SDK (official).
// Ratios are taken within a round, where all peers meet the same machine; their median is printed.
import { parseArgs } from 'node:util';
import { availablePeers } from './lib/peers.mjs';
import { printRow, printHeading } from './lib/table.mjs';

const workloads = [
  'http-call',
  'http-call-legacy',
  'http-call-100',
  'http-list-100',
  'http-10k',
  'http-1m',
  'stdio-call',
  'stdio-chunks',
  'cold-start',
  'cold-start-100',
  'client-http',
  'client-stdio',
  'import',
  'heap',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, quick: { type: 'boolean' }, rounds: { type: 'string' } },
});
const unknown = positionals.filter((name) => !workloads.includes(name));
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
if (unknown.length > 0) usage(`no such workload: ${unknown.join(', ')}`);
if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) usage('--rounds takes a whole number');

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130)); // ends the peers too

const peers = availablePeers();
if (!peers.includes('mcpwire')) console.error('mcpwire: not built');
if (!values.json) printHeading();

const results = [];
for (const workload of positionals.length > 0 ? positionals : workloads) {
  try {
    const { run } = await import(`./workloads/${workload}.mjs`);
    for (const row of await run({ peers, rounds, quick: values.quick })) {
      results.push({ workload, ...row });
      if (!values.json) printRow(workload, row);
    }
  } catch (error) {
    results.push({ workload, error: error.message });
    console.error(`${workload}: ${error.message}`);
    process.exitCode = 1;
  }
}
if (values.json) console.log(JSON.stringify({ node: process.version, peers, results }, null, 2));

function usage(problem) {
  console.error(`${problem}\nworkloads: ${workloads.join(' ')}\noptions: --json --quick --rounds N`);
  process.exit(2);
}
