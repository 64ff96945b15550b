// Starts every peer afresh in every round. The request is written at once, as a client that knows the
// revision does; CPU and RSS are those of the whole short life, which ends after the first answer.
import { firstLine } from './line-reader.mjs';
import { createMessage, firstId } from './messages.mjs';
import { runOnce } from './one-run.mjs';
import { peerFile } from './peers.mjs';
import { interleave, pick } from './rounds.mjs';
import { comparison } from './rows.mjs';

export async function coldStart({ tools }, { peers, rounds, quick }) {
  const start = (name) => startOnce(name, tools);
  // The first start reads files from the disk; it isn't counted.
  await interleave(peers, 1, start);
  const samples = await interleave(peers, rounds ?? (quick ? 3 : 15), start);
  return [
    comparison(
      'CPU',
      'ms',
      pick(samples, ({ cpuMs }) => cpuMs),
    ),
    comparison(
      'time to the answer',
      'ms',
      pick(samples, ({ result }) => result.ms),
    ),
    comparison(
      'RSS',
      'MiB',
      pick(samples, ({ rssMiB }) => rssMiB),
    ),
  ];
}

function startOnce(name, tools) {
  const message = createMessage({ kind: 'add' });
  const spawned = performance.now();
  return runOnce(name, [peerFile(name, 'stdio')], {
    env: { TOOLS: String(tools) },
    whenStarted: async ({ stdin, stdout }) => {
      stdin.write(`${message.body(firstId)}\n`);
      const line = await firstLine(stdout);
      const ms = performance.now() - spawned;
      message.check(firstId, JSON.parse(line));
      stdin.end();
      return { ms };
    },
  });
}
