// Runs one program from spawn to exit and reads what its whole life cost.
import { readAll, startNode, whileAlive } from './child.mjs';

/** `whenStarted` may talk to the child; answers its {result, cpuMs, rssMiB}. */
export async function runOnce(name, args, { env, whenStarted = async ({ stdin }) => void stdin.end() } = {}) {
  const program = startNode(name, ['--require', './preload/report-at-exit.cjs', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env,
  });
  const { child } = program;
  const report = readAll(child.stdio[3]);
  const result = await whileAlive(program, whenStarted(child), 30, 'first answer');
  child.expectedToEnd = true;
  await whileAlive(program, program.exited, 10, 'exit after the end of stdin');
  await program.failed;
  const { cpu, rss } = JSON.parse(await report);
  return { result, cpuMs: (cpu.user + cpu.system) / 1000, rssMiB: rss / 2 ** 20 };
}
