// The shape that most HTTP workloads share: start the peers, warm them up, load them in turn.
import { startHttpPeer } from './http-peer.mjs';
import { interleave } from './rounds.mjs';
import { loadRows } from './rows.mjs';

/** spec: {tools, message, concurrency, warmup, count, seconds, rounds}; count and seconds bound one round of a peer. */
export async function httpWorkload(spec, { peers, rounds, quick }) {
  const running = await startAll(peers, { tools: spec.tools });
  try {
    for (const peer of Object.values(running)) await peer.load(warmupJob(spec, quick));
    const samples = await interleave(peers, rounds ?? (quick ? 2 : spec.rounds), (name) =>
      running[name].load(measuredJob(spec, quick)),
    );
    return loadRows(samples);
  } finally {
    await stopAll(running);
  }
}

/** Enough calls for the peer's code to be compiled. */
export function warmupJob({ message, concurrency, warmup, seconds }, quick) {
  return { message, concurrency, warmup: 0, count: share(warmup, quick), seconds: seconds * 4 };
}

/** Its own warm-up is for the fresh connections only. */
export function measuredJob({ message, concurrency, count, seconds }, quick) {
  return {
    message,
    concurrency,
    warmup: concurrency * 2,
    count: share(count, quick),
    seconds: share(seconds, quick),
  };
}

function share(amount, quick) {
  return quick ? amount / 4 : amount;
}

export async function startAll(peers, options) {
  const running = {};
  try {
    for (const name of peers) running[name] = await startHttpPeer(name, options);
    return running;
  } catch (error) {
    await stopAll(running);
    throw error;
  }
}

export async function stopAll(running) {
  await Promise.all(Object.values(running).map((peer) => peer.stop()));
}
