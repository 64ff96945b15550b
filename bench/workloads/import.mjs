// What importing the server entry adds to an empty module.
import { runOnce } from '../lib/one-run.mjs';
import { interleave, pick } from '../lib/rounds.mjs';
import { figure } from '../lib/rows.mjs';

const sources = {
  limit: '',
  official: "import '@modelcontextprotocol/server'",
  mcpwire: "import 'mcpwire/server'",
};

export async function run({ peers, rounds, quick }) {
  const start = (name) => runOnce(name, ['--input-type=module', '--eval', sources[name]]);
  // The first start reads files from the disk; it isn't counted.
  await interleave(peers, 1, start);
  const samples = await interleave(peers, rounds ?? (quick ? 3 : 15), start);
  return [
    figure('CPU beyond an empty module', 'ms', beyondLimit(pick(samples, ({ cpuMs }) => cpuMs))),
    figure('RSS beyond an empty module', 'MiB', beyondLimit(pick(samples, ({ rssMiB }) => rssMiB))),
  ];
}

/** Differences are taken within a round, like ratios. */
function beyondLimit({ limit, ...others }) {
  const entries = Object.entries(others);
  return Object.fromEntries(
    entries.map(([name, list]) => [name, list.map((value, round) => value - limit[round])]),
  );
}
