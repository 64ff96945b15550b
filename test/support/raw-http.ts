import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';

/** A bare connection to an HTTP server: bytes as they are. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes on a new connection and reads one whole answer; the connection is closed then. */
export async function sendRaw(port: number, bytes: string | Uint8Array): Promise<RawAnswer> {
  const socket = await openSocket(port);
  socket.write(bytes);
  const answer = await readAnswer(socket);
  socket.destroy();
  return answer;
}

/** Reads one answer with a declared length (or without a body) from a connection. */
export function readAnswer(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = '';
    const finish = (): void => {
      socket.off('data', take);
      socket.off('close', closed);
    };
    const take = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      const answer = parse(text);
      if (answer === undefined) return;
      finish();
      resolve(answer);
    };
    const closed = (): void => {
      finish();
      reject(new Error(`the connection closed after ${JSON.stringify(text)}`));
    };
    socket.on('data', take);
    socket.on('close', closed);
  });
}

function parse(text: string): RawAnswer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = text.slice(0, end);
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const body = text.slice(end + 4);
  if (body.length < length) return undefined;
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body: body.slice(0, length) };
}

/** The bytes of a POST with these header lines. */
export function rawPost(lines: readonly string[], body: string): string {
  return ['POST /mcp HTTP/1.1', ...lines, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join(
    '\r\n',
  );
}
