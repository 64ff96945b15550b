// What the legacy era costs: the small checked call of http-call, in both eras in turn against one mcpwire server.
import { measuredJob, startAll, stopAll, warmupJob } from '../lib/http-workload.mjs';
import { interleave, pick } from '../lib/rounds.mjs';
import { figure } from '../lib/rows.mjs';
import { spec } from './http-call.mjs';

const eras = ['modern', 'legacy'];

export async function run({ peers, rounds, quick }) {
  if (!peers.includes('mcpwire')) return [];
  const running = await startAll(['mcpwire']);
  const specOf = (era) => ({ ...spec, message: era === 'legacy' ? { kind: 'legacyAdd' } : spec.message });
  try {
    for (const era of eras) await running.mcpwire.load(warmupJob(specOf(era), quick));
    const samples = await interleave(eras, rounds ?? (quick ? 2 : spec.rounds), (era) =>
      running.mcpwire.load(measuredJob(specOf(era), quick)),
    );
    const cpu = pick(samples, ({ cpuUs, calls }) => cpuUs / calls);
    return [
      figure('CPU per call', 'µs', cpu),
      figure('CPU, legacy / modern', '×', {
        ratio: cpu.legacy.map((value, round) => value / cpu.modern[round]),
      }),
    ];
  } finally {
    await stopAll(running);
  }
}
