// Interleaving: every round measures every peer once, so that a slow minute of the machine hits all alike.

/** Answers {peer: [sample of round 1, of round 2, …]}. */
export async function interleave(peers, count, measure) {
  const samples = Object.fromEntries(peers.map((peer) => [peer, []]));
  for (let round = 0; round < count; round++) {
    for (const peer of peers) samples[peer].push(await measure(peer));
  }
  return samples;
}

/** One number out of every sample. */
export function pick(samples, select) {
  return Object.fromEntries(Object.entries(samples).map(([peer, list]) => [peer, list.map(select)]));
}

/** Two series divided round by round. */
export function divide(above, below) {
  return Object.fromEntries(
    Object.entries(above).map(([peer, list]) => [
      peer,
      list.map((value, round) => value / below[peer][round]),
    ]),
  );
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
