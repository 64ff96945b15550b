// What a call leaves behind: the heap after a collection, from one thousand calls
// to the next on a warm server.
import { startAll, stopAll } from '../lib/http-workload.mjs';
import { interleave } from '../lib/rounds.mjs';
import { figure } from '../lib/rows.mjs';
import { withStdioPeers } from '../lib/stdio-workload.mjs';

const calls = 1_000;
const warmupCalls = 5_000;

export async function run(options) {
  return [await overHttp(options), await overStdio(options)];
}

async function overHttp({ peers, rounds, quick }) {
  const running = await startAll(peers, { exposeGc: true });
  const job = (count) => ({ message: { kind: 'add' }, concurrency: 8, warmup: 0, count, seconds: 30 });
  try {
    return await growth('HTTP', { peers, rounds, quick }, running, job);
  } finally {
    await stopAll(running);
  }
}

function overStdio({ peers, rounds, quick }) {
  const job = (count) => ({ message: { kind: 'add' }, window: 8, count, seconds: 30 });
  return withStdioPeers(peers, { exposeGc: true }, (running) =>
    growth('stdio', { peers, rounds, quick }, running, job),
  );
}

async function growth(transport, { peers, rounds, quick }, running, job) {
  const heapAfterCalls = async (name) => {
    await running[name].load(job(calls));
    return (await running[name].collectGarbage()).heapUsed;
  };
  for (const peer of Object.values(running)) await peer.load(job(warmupCalls));
  // What a closed connection holds for a moment is there after every round: it cancels out.
  const heaps = await interleave(peers, 1 + (rounds ?? (quick ? 3 : 9)), heapAfterCalls);
  return figure(`heap growth per call, ${transport}`, 'B', perCall(heaps));
}

function perCall(heaps) {
  const steps = (list) => list.slice(1).map((heap, round) => (heap - list[round]) / calls);
  return Object.fromEntries(Object.entries(heaps).map(([name, list]) => [name, steps(list)]));
}
