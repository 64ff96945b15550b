// The same small call on a server with 100 tools, beside the server with two: its cost must not grow.
import { measuredJob, startAll, stopAll, warmupJob } from '../lib/http-workload.mjs';
import { divide, interleave, pick } from '../lib/rounds.mjs';
import { figure, loadRows } from '../lib/rows.mjs';
import { spec } from './http-call.mjs';

export async function run({ peers, rounds, quick }) {
  const few = await startAll(peers, { tools: 2 });
  const many = await startAll(peers, { tools: 100 });
  try {
    for (const peer of [...Object.values(few), ...Object.values(many)]) {
      await peer.load(warmupJob(spec, quick));
    }
    const samples = await interleave(peers, rounds ?? (quick ? 2 : spec.rounds), async (name) => ({
      few: await few[name].load(measuredJob(spec, quick)),
      many: await many[name].load(measuredJob(spec, quick)),
    }));
    const cpu = (part) => pick(samples, (sample) => sample[part].cpuUs / sample[part].calls);
    return [
      ...loadRows(pick(samples, (sample) => sample.many)),
      figure('CPU per call, 100 tools / 2 tools', '×', divide(cpu('many'), cpu('few'))),
    ];
  } finally {
    await stopAll(few);
    await stopAll(many);
  }
}
