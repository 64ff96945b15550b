// A long line that arrives in pieces of 8 KiB: the cost must grow with the line, not with its square.
import { withStdioPeers } from '../lib/stdio-workload.mjs';
import { divide, interleave, pick } from '../lib/rounds.mjs';
import { comparison, figure } from '../lib/rows.mjs';

const MiB = 2 ** 20;
const KiB = 2 ** 10;
const lines = {
  pieces: { bytes: 4 * MiB, chunk: 8 * KiB },
  whole: { bytes: 4 * MiB, chunk: 4 * MiB },
  half: { bytes: 2 * MiB, chunk: 8 * KiB },
};

export async function run({ peers, rounds, quick }) {
  return withStdioPeers(peers, {}, async (running) => {
    const measure = async (name) => {
      const sample = {};
      for (const [key, line] of Object.entries(lines)) sample[key] = await running[name].longLine(line);
      return sample;
    };
    for (const name of peers) await measure(name);
    const samples = await interleave(peers, rounds ?? (quick ? 2 : 7), measure);
    const cpu = (key) => pick(samples, (sample) => sample[key]);
    return [
      comparison('CPU of 4 MiB in 8 KiB chunks', 'µs', cpu('pieces')),
      figure('8 KiB chunks / one chunk', '×', divide(cpu('pieces'), cpu('whole'))),
      figure('4 MiB / 2 MiB, 8 KiB chunks', '×', divide(cpu('pieces'), cpu('half'))),
    ];
  });
}
