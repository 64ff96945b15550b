import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Queue } from './queue.ts';

/** One server-sent event as it stood on the wire. */
export interface SseEvent {
  readonly id?: string;
  readonly event?: string;
  readonly retry?: string;
  readonly data: string;
}

/** Reads an event stream with all that events can have: ids, names, retry times, comments. */
export class SseEvents {
  readonly headers: IncomingHttpHeaders;
  /** Resolves when the stream is over: true where it was ended as it should be. */
  readonly ended: Promise<boolean>;
  readonly #response: IncomingMessage;
  readonly #events = new Queue<SseEvent>();
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
        this.#events.end(new Error('the stream is over'));
        this.#comments.end(new Error('the stream is over'));
        resolve(response.complete);
      });
    });
  }

  next(): Promise<SseEvent> {
    return this.#events.next();
  }

  /** The message of the next event that has one. */
  async message(): Promise<unknown> {
    for (;;) {
      const { data } = await this.next();
      if (data !== '') return JSON.parse(data);
    }
  }

  comment(): Promise<string> {
    return this.#comments.next();
  }

  /** Events that came and were not read. */
  rest(): readonly SseEvent[] {
    return this.#events.rest();
  }

  close(): void {
    this.#response.destroy();
  }

  #take(chunk: string): void {
    this.#text += chunk;
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end === -1) return;
      const block = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      if (block.startsWith(':')) this.#comments.push(block);
      else this.#events.push(parse(block));
    }
  }
}

function parse(block: string): SseEvent {
  const fields = block.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
  });
  return { data: '', ...Object.fromEntries(fields) };
}
