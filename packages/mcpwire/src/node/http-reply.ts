import type { ServerResponse } from 'node:http';
import type { HttpSettings } from '../transport/http/options.ts';
import type { HttpReply } from '../transport/http/reply.ts';
import { EMPTY_HEADERS, STREAM_HEADERS, USUAL_HEADERS } from '../transport/http/response-headers.ts';

/** Answers through a Node response. */
export class NodeReply implements HttpReply {
  readonly #response: ServerResponse;
  readonly #settings: HttpSettings;
  #drained: Promise<void> | undefined;

  constructor(response: ServerResponse, settings: HttpSettings) {
    this.#response = response;
    this.#settings = settings;
  }

  send(
    status: number,
    contentType: string | undefined,
    body: string,
    headers: readonly string[] = EMPTY_HEADERS,
  ): void {
    const response = this.#response;
    const usual = contentType === undefined ? EMPTY_HEADERS : ['Content-Type', contentType, ...USUAL_HEADERS];
    const length = status === 204 ? EMPTY_HEADERS : ['Content-Length', String(Buffer.byteLength(body))];
    response.writeHead(status, [...usual, ...length, ...headers]);
    response.end(body);
    this.#watchRest();
  }

  openStream(headers: readonly string[] = EMPTY_HEADERS): void {
    this.#response.writeHead(200, [...STREAM_HEADERS, ...headers]);
    this.#response.flushHeaders();
  }

  write(text: string): Promise<void> | undefined {
    if (this.#response.write(text)) return undefined;
    if (this.#response.writableLength > this.#settings.maxBufferedBytes) this.#response.destroy();
    this.#drained ??= this.#waitForDrain();
    return this.#drained;
  }

  endStream(text: string): void {
    this.#response.end(text);
    this.#watchRest();
  }

  /** After the last word: a client that takes nothing of it for the time is cut off. What is left takes memory. */
  #watchRest(): void {
    const response = this.#response;
    // Nearly always the system has taken everything by now.
    if (response.writableLength === 0) return;
    // Node looks at what the system took meanwhile, and goes back to its own times when all of it is out.
    response.setTimeout(this.#settings.writeTimeoutMs, () => response.destroy());
  }

  /** Waits until the client reads again; a client that doesn't within the time is cut off. */
  #waitForDrain(): Promise<void> {
    const response = this.#response;
    return new Promise<void>((resolve) => {
      const timer = setTimeout(() => response.destroy(), this.#settings.writeTimeoutMs);
      const done = (): void => {
        clearTimeout(timer);
        response.off('drain', done);
        response.off('close', done);
        this.#drained = undefined;
        resolve();
      };
      response.on('drain', done);
      response.on('close', done);
    });
  }
}
