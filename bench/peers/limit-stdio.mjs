// A bare line reader on stdin, one write per answer.
import { answer } from './shared/limit.mjs';

const newline = 0x0a;
let pending = [];

process.stdin.on('data', (chunk) => {
  let start = 0;
  for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
    const tail = chunk.subarray(start, end);
    // Chunks are joined once, when their line is complete, so that a long line costs linear time.
    const line = pending.length === 0 ? tail : Buffer.concat([...pending, tail]);
    pending = [];
    start = end + 1;
    process.stdout.write(`${answer(line)}\n`);
  }
  if (start < chunk.length) pending.push(chunk.subarray(start));
});
