// A running stdio peer and the load on it. The load generator is this process; the peer is another.
import { once } from 'node:events';
import { startNode, stop, whileAlive } from './child.mjs';
import { firstLine, lineReader } from './line-reader.mjs';
import { createMessage, idCounter } from './messages.mjs';
import { echoInLine, lineOf, writeInChunks } from './long-line.mjs';
import { peerFile } from './peers.mjs';
import { summary } from './read-stats.mjs';

export function startStdioPeer(name, { tools = 2, exposeGc = false } = {}) {
  const args = [
    ...(exposeGc ? ['--expose-gc'] : []),
    '--require',
    './preload/control.cjs',
    peerFile(name, 'stdio'),
  ];
  const peer = startNode(name, args, { stdio: ['pipe', 'pipe', 'ipc'], env: { TOOLS: String(tools) } });
  const { child } = peer;
  const nextId = idCounter();
  const alive = (promise, seconds, what) => whileAlive(peer, promise, seconds, what);

  async function ask(question) {
    const answer = once(child, 'message');
    child.send(question);
    const [report] = await alive(answer, 20, 'reports its figures');
    return summary(report);
  }

  /** Sends `count` messages, `window` in flight; answers {calls, ms, cpuUs}. Stops sending after `seconds`. */
  async function load({ message, window, count, seconds }) {
    const before = await ask('stats');
    const start = performance.now();
    const calls = await alive(
      pump(message, window, count, start + seconds * 1000),
      seconds + 30,
      'under load',
    );
    const ms = performance.now() - start;
    const after = await ask('stats');
    return { calls, ms, cpuUs: after.cpuUs - before.cpuUs };
  }

  function pump(spec, window, count, deadline) {
    const message = createMessage(spec);
    const inFlight = new Set();
    let sent = 0;

    // Requests that become possible together leave in one write, as a busy client's do.
    function refill() {
      let lines = '';
      while (inFlight.size < window && sent < count && performance.now() < deadline) {
        const id = nextId();
        inFlight.add(id);
        sent++;
        lines += `${message.body(id)}\n`;
      }
      if (lines) child.stdin.write(lines);
    }

    return new Promise((resolve, reject) => {
      const onData = lineReader((line) => {
        const response = JSON.parse(line.toString());
        if (!inFlight.delete(response.id)) throw new Error(`no such request: ${line.subarray(0, 300)}`);
        message.check(response.id, response);
      });
      child.stdout.on('data', function receive(chunk) {
        try {
          onData(chunk);
          refill();
        } catch (error) {
          child.stdout.off('data', receive);
          return reject(error);
        }
        if (inFlight.size > 0) return;
        child.stdout.off('data', receive);
        resolve(sent);
      });
      refill();
    });
  }

  /** One `echo` in a line of exactly `bytes` bytes, written in pieces of `chunk`; answers the CPU it cost in µs. */
  async function longLine({ bytes, chunk }) {
    const message = echoInLine(bytes);
    const id = nextId();
    const line = lineOf(bytes, message.body(id));
    const answer = firstLine(child.stdout).then((text) => message.check(id, JSON.parse(text)));
    answer.catch(() => {}); // it may fail before it is waited for
    const before = await ask('stats');
    await alive(writeInChunks(child.stdin, line, chunk), 120, 'takes a long line');
    await alive(answer, 120, 'answers a long line');
    const after = await ask('stats');
    return after.cpuUs - before.cpuUs;
  }

  return { name, load, longLine, collectGarbage: () => ask('gc'), stop: () => stop(peer) };
}
