import type { HttpSettings } from '../transport/http/options.ts';
import type { HttpReply } from '../transport/http/reply.ts';
import { EMPTY_HEADERS, STREAM_HEADERS, USUAL_HEADERS } from '../transport/http/response-headers.ts';

/** Answers by resolving a `Response`; an event stream is its body. */
export class FetchReply implements HttpReply {
  readonly response: Promise<Response>;
  onCancel: () => void = () => {};
  #resolve!: (response: Response) => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #wake: (() => void) | undefined;
  #ready: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #encoder = new TextEncoder();
  readonly #settings: HttpSettings;

  constructor(settings: HttpSettings) {
    this.#settings = settings;
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  send(
    status: number,
    contentType: string | undefined,
    body: string,
    headers: readonly string[] = EMPTY_HEADERS,
  ): void {
    const usual = contentType === undefined ? EMPTY_HEADERS : ['Content-Type', contentType, ...USUAL_HEADERS];
    const hasBody = status !== 202 && status !== 204;
    this.#resolve(
      new Response(hasBody ? body : null, { status, headers: toHeaders([...usual, ...headers]) }),
    );
  }

  openStream(headers: readonly string[] = EMPTY_HEADERS): void {
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#drained(),
      cancel: () => this.#gone(),
    };
    // Counted in bytes, so that what waits for a slow reader is known.
    const stream = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: QUEUE_BYTES }));
    this.#resolve(new Response(stream, { status: 200, headers: toHeaders([...STREAM_HEADERS, ...headers]) }));
  }

  write(text: string): Promise<void> | undefined {
    const controller = this.#controller;
    if (controller === undefined) return undefined;
    controller.enqueue(this.#encoder.encode(text));
    const room = controller.desiredSize ?? 0;
    if (room > 0) return undefined;
    if (-room > this.#settings.maxBufferedBytes) this.#cut();
    else this.#timer ??= setTimeout(() => this.#cut(), this.#settings.writeTimeoutMs);
    this.#ready ??= new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    return this.#ready;
  }

  /** The client is gone before there was an answer: whoever waits for one is not left waiting. */
  abandon(): void {
    this.#resolve(new Response(null, { status: CLIENT_CLOSED_REQUEST }));
  }

  endStream(text: string): void {
    const controller = this.#controller;
    if (controller === undefined) return;
    this.#controller = undefined;
    clearTimeout(this.#timer);
    controller.enqueue(this.#encoder.encode(text));
    controller.close();
  }

  #drained(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wake?.();
    this.#wake = undefined;
    this.#ready = undefined;
  }

  /** The client is gone: nobody reads any more. */
  #gone(): void {
    this.#controller = undefined;
    this.#drained();
    this.onCancel();
  }

  /** The client does not read within the time, or lets too much wait. */
  #cut(): void {
    this.#controller?.error(new Error('the client does not read its event stream'));
    this.#gone();
  }
}

/** No standard status says it; this one is what proxies log. Nobody reads it. */
const CLIENT_CLOSED_REQUEST = 499;
/** What a stream holds before its writer waits. */
const QUEUE_BYTES = 16 * 1024;

function toHeaders(flat: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < flat.length; at += 2) headers.append(flat[at] ?? '', flat[at + 1] ?? '');
  return headers;
}
