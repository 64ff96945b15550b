// A small checked call over stdio, 64 in flight.
import { withStdioPeers } from '../lib/stdio-workload.mjs';
import { interleave } from '../lib/rounds.mjs';
import { loadRows } from '../lib/rows.mjs';

export async function run({ peers, rounds, quick }) {
  const job = { message: { kind: 'add' }, window: 64, count: quick ? 4_000 : 20_000, seconds: 20 };
  return withStdioPeers(peers, {}, async (running) => {
    for (const peer of Object.values(running)) await peer.load(job);
    const samples = await interleave(peers, rounds ?? (quick ? 2 : 7), (name) => running[name].load(job));
    return loadRows(samples, 'message');
  });
}
