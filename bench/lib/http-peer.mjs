// A running HTTP peer and the load on it.
import { once } from 'node:events';
import { readAll, startNode, stop, whileAlive } from './child.mjs';
import { peerFile } from './peers.mjs';
import { readStats } from './read-stats.mjs';

export async function startHttpPeer(name, { tools = 2, exposeGc = false } = {}) {
  const args = [...(exposeGc ? ['--expose-gc'] : []), peerFile(name, 'http')];
  const peer = startNode(name, args, { stdio: ['ignore', 'pipe'], env: { TOOLS: String(tools) } });
  const [line] = await whileAlive(peer, once(peer.child.stdout, 'data'), 20, 'start');
  const ports = JSON.parse(line);

  return {
    name,
    url: `http://127.0.0.1:${ports.port}${ports.path}`,
    /** job: {message, concurrency, warmup, count, seconds}; answers {calls, ms, cpuUs}. */
    load: (job) => whileAlive(peer, runLoad({ ...ports, ...job }), job.seconds * 4 + 30, 'load'),
    collectGarbage: () => readStats(ports.stats, 'gc'),
    stop: () => stop(peer),
  };
}

async function runLoad(job) {
  const load = startNode('load', ['load/http.mjs', JSON.stringify(job)], {
    stdio: ['ignore', 'pipe'],
  });
  load.child.expectedToEnd = true;
  const output = readAll(load.child.stdout);
  await whileAlive(load, load.exited, job.seconds * 4 + 20, 'end');
  await load.failed;
  return JSON.parse(await output);
}
