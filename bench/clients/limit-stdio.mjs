// A bare pipe client: one write per call, lines cut and parsed, nothing checked.
import { spawn } from 'node:child_process';
import { measure, meta, target } from './shared.mjs';

const child = spawn(process.execPath, [target], { stdio: ['pipe', 'pipe', 'inherit'] });
const pending = new Map();
let id = 0;
let rest = '';
child.stdout.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const message = JSON.parse(line);
    pending.get(message.id)(message.result);
    pending.delete(message.id);
  }
});
await measure(async (a) => {
  const result = await new Promise((resolve) => {
    pending.set(++id, resolve);
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'add', arguments: { a, b: 2 }, _meta: meta } })}\n`,
    );
  });
  return result.structuredContent.sum;
});
child.kill();
