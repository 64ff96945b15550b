// Runs every client against the bare server, each in a process of its own, and reads what a call costs the client.
import { readAll, startNode, whileAlive } from './child.mjs';
import { interleave } from './rounds.mjs';
import { loadRows } from './rows.mjs';

export async function clientWorkload(transport, target, { peers, rounds, quick }) {
  const count = quick ? 4_000 : 20_000;
  const measure = (peer) => runClient(peer, transport, [target, String(count), '32']);
  return loadRows(await interleave(peers, rounds ?? (quick ? 2 : 7), measure));
}

async function runClient(peer, transport, args) {
  const program = startNode(`${peer} client`, [`clients/${peer}-${transport}.mjs`, ...args], {
    stdio: ['ignore', 'pipe'],
  });
  program.child.expectedToEnd = true;
  const output = readAll(program.child.stdout);
  await whileAlive(program, program.exited, 90, 'end');
  await program.failed;
  return JSON.parse(await output);
}
