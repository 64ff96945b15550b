import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { HeaderChanges } from './http-peer.ts';
import { Queue } from './queue.ts';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A bare connection to an HTTP server: bytes as they are, answers with a declared length as they come. */
export class RawConnection {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  readonly #answers = new Queue<RawAnswer>();
  #text = '';

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => this.#take(chunk.toString('latin1')));
    this.closed = once(socket, 'close').then(() => {
      this.#answers.end(new Error(`the connection is closed, with ${JSON.stringify(this.#text)} left`));
    });
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** The next answer. */
  next(): Promise<RawAnswer> {
    return this.#answers.next();
  }

  /** What came and was no whole answer. */
  get rest(): string {
    return this.#text;
  }

  close(): void {
    this.socket.destroy();
  }

  #take(chunk: string): void {
    this.#text += chunk;
    for (;;) {
      const end = this.#text.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = this.#text.slice(0, end);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      const body = this.#text.slice(end + 4, end + 4 + length);
      if (body.length < length) return;
      this.#text = this.#text.slice(end + 4 + length);
      this.#answers.push({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body });
    }
  }
}

export async function openConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return new RawConnection(socket);
}

/** Sends bytes on a new connection and reads one whole answer; the connection is closed then. */
export async function sendRaw(port: number, bytes: string | Uint8Array): Promise<RawAnswer> {
  const connection = await openConnection(port);
  connection.write(bytes);
  const answer = await connection.next();
  connection.close();
  return answer;
}

/** Header lines of these headers. */
export function headerLines(headers: HeaderChanges): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
}

/** The bytes of a POST with these header lines. */
export function rawPost(lines: readonly string[], body: string): string {
  return ['POST /mcp HTTP/1.1', ...lines, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join(
    '\r\n',
  );
}
