// One request to a peer's second port: what it has used so far.
import { get } from 'node:http';
import { readAll } from './child.mjs';

/** what: `stats`, or `gc` to collect garbage first. */
export async function readStats(port, what = 'stats') {
  const text = await new Promise((resolve, reject) => {
    const request = get({ port, host: '127.0.0.1', path: `/__${what}`, agent: false }, (response) => {
      resolve(readAll(response));
    });
    request.on('error', reject);
  });
  return summary(JSON.parse(text));
}

/** From what a peer reports to what the workloads use. */
export function summary({ cpu, memory }) {
  return { cpuUs: cpu.user + cpu.system, heapUsed: memory.heapUsed, rss: memory.rss };
}
