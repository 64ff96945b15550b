import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Queue } from './queue.ts';

/** Reads a stream of server-sent events message by message. */
export class EventReader {
  readonly headers: IncomingHttpHeaders;
  /** Resolves when the stream is over: true where it was ended as it should be. */
  readonly ended: Promise<boolean>;
  readonly #response: IncomingMessage;
  readonly #messages = new Queue<unknown>();
  readonly #comments = new Queue<string>();
  #text = '';

  constructor(response: IncomingMessage) {
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['content-type'], 'text/event-stream');
    this.headers = response.headers;
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#take(chunk));
    response.on('error', () => {});
    this.ended = new Promise((resolve) => {
      response.on('close', () => {
        this.#messages.end(new Error('the stream is over'));
        this.#comments.end(new Error('the stream is over'));
        resolve(response.complete);
      });
    });
  }

  /** The next message. */
  next(): Promise<unknown> {
    return this.#messages.next();
  }

  /** The next comment line. */
  comment(): Promise<string> {
    return this.#comments.next();
  }

  /** Messages that came and were not read. */
  rest(): readonly unknown[] {
    return this.#messages.rest();
  }

  /** Stops reading: what is sent from now on waits in the buffers of the two ends. */
  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  /** Closes the connection. */
  close(): void {
    this.#response.destroy();
  }

  #take(chunk: string): void {
    this.#text += chunk;
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end === -1) return;
      const event = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      if (event.startsWith(':')) this.#comments.push(event);
      else this.#messages.push(JSON.parse(event.replace(/^data: /, '')));
    }
  }
}
