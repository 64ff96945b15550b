// Child processes of the harness: none outlives it, and one that fails says why.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const benchDirectory = fileURLToPath(new URL('..', import.meta.url));

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts `node` with these arguments; what goes wrong is reported under `name`, with its standard error. */
export function startNode(name, args, { stdio = ['pipe', 'pipe'], env = {} } = {}) {
  const { NODE_OPTIONS: _, ...inherited } = process.env; // the reader's own options would be measured too
  const [stdin, stdout, ...more] = stdio;
  const child = spawn(process.execPath, args, {
    cwd: benchDirectory,
    env: { ...inherited, ...env },
    stdio: [stdin, stdout, 'pipe', ...more],
  });
  running.add(child);

  let errors = '';
  child.stderr.on('data', (part) => (errors = (errors + part).slice(-4000)));
  // A peer that dies makes writes to it fail; the rejection of `failed` says it better.
  child.stdin?.on('error', () => {});
  const exited = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal, errors });
    });
  });
  const failed = exited.then(({ code, signal }) => {
    if (!child.expectedToEnd || code > 0) throw new Error(`ended with ${signal ?? code}: ${errors.trim()}`);
  });
  failed.catch(() => {}); // it is looked at where somebody waits

  return { name, child, exited, failed };
}

/** Waits for `promise`, but neither longer than `seconds` nor longer than the child lives. */
export async function whileAlive({ name, child, failed }, promise, seconds, what) {
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: nothing within ${seconds} s`)), seconds * 1000);
  });
  const never = new Promise(() => {});
  try {
    return await Promise.race([promise, failed.then(() => never), timeout]);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${name}: ${error.message}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

export async function stop({ child, exited }) {
  child.expectedToEnd = true;
  child.kill('SIGKILL');
  await exited;
}

export async function readAll(stream) {
  let text = '';
  for await (const part of stream) text += part;
  return text;
}
