// A long line that arrives bit by bit.
import { setTimeout as sleep } from 'node:timers/promises';
import { createMessage, firstId } from './messages.mjs';

/** An `echo` that fills a line of `bytes` bytes to within 1 %. */
export function echoInLine(bytes) {
  const lengthOf = (size) => createMessage({ kind: 'echo', size }).body(firstId).length + 1;
  // The characters that JSON escapes make the line longer than its text; taking as many away makes it fit.
  const size = bytes - lengthOf(0);
  return createMessage({ kind: 'echo', size: size - (lengthOf(size) - bytes) });
}

/** JSON allows spaces after a value: they bring the line, with its end, to exactly `bytes` bytes. */
export function lineOf(bytes, body) {
  const line = Buffer.alloc(bytes, ' ');
  const length = line.write(body);
  if (length + 1 > bytes || length < bytes * 0.99) throw new Error('the body does not fit the line');
  line[bytes - 1] = 0x0a;
  return line;
}

/** A pause after every piece lets the reader take it before the next one comes. */
export async function writeInChunks(stream, bytes, size) {
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise((resolve) => stream.write(bytes.subarray(at, at + size), resolve));
    if (at + size < bytes.length) await sleep(1);
  }
}
