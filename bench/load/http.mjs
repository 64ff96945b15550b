// The HTTP load generator, a process of its own: raw keep-alive sockets, one request in flight on each.
// Job: {port, path, stats, message, concurrency, warmup, count, seconds} as the first argument;
// prints {calls, ms, cpuUs}, where cpuUs is what the peer used meanwhile.
import { connect } from 'node:net';
import { createChecker } from '../lib/checker.mjs';
import { createMessage, idCounter } from '../lib/messages.mjs';
import { readStats } from '../lib/read-stats.mjs';
import { openSession } from './legacy-session.mjs';
import { requestTemplate } from './request-template.mjs';
import { ResponseReader } from './response-reader.mjs';

const job = JSON.parse(process.argv[2]);
const message = createMessage(job.message);
const check = createChecker(message);
const nextId = idCounter();

const connections = await Promise.all(Array.from({ length: job.concurrency }, openConnection));
if (job.warmup > 0) await runAll({ count: job.warmup, seconds: job.seconds * 2 });
const before = await readStats(job.stats);
const { calls, ms } = await runAll(job);
const after = await readStats(job.stats);
console.log(JSON.stringify({ calls, ms, cpuUs: after.cpuUs - before.cpuUs }));
process.exit(0);

/** Ends after `count` calls or `seconds`, whichever comes first, with every answer received. */
async function runAll({ count, seconds }) {
  const start = performance.now();
  const deadline = start + seconds * 1000;
  let sent = 0;
  const more = () => sent < count && performance.now() < deadline && ++sent > 0;
  await Promise.all(connections.map((connection) => connection.run(more)));
  return { calls: sent, ms: performance.now() - start };
}

async function openConnection() {
  const socket = connect({ port: job.port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const session = message.isLegacy ? await openSession(job) : undefined;
  const request = requestTemplate(message, job, session);
  const reader = new ResponseReader();
  let id, more, done;

  socket.on('data', (part) => {
    try {
      const body = reader.push(part);
      if (!body) return;
      check(id, body);
    } catch (error) {
      fail(error);
    }
    send();
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the peer closed a connection')));

  // The bytes can be used again: an answer means that the request has left.
  function send() {
    if (!more()) return done();
    id = nextId();
    socket.write(request(id));
  }

  return {
    run: (continues) =>
      new Promise((resolve) => {
        more = continues;
        done = resolve;
        send();
      }),
  };
}

function fail(error) {
  console.error(error.message);
  process.exit(1);
}
