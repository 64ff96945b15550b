// Starts every peer over stdio for the time of one workload.
import { startStdioPeer } from './stdio-peer.mjs';

export async function withStdioPeers(peers, options, work) {
  const running = Object.fromEntries(peers.map((name) => [name, startStdioPeer(name, options)]));
  try {
    return await work(running);
  } finally {
    await Promise.all(Object.values(running).map((peer) => peer.stop()));
  }
}
