import type { Cancellation } from '../../../protocol/handler.ts';

/** One HTTP request on its way out. */
export interface HttpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
  readonly cancellation: Cancellation;
  /**
   * Whether it may not wait for a free connection: streams that stay open, and messages without which others that hold
   * connections would never end.
   */
  readonly isApart?: boolean;
}

/** The head of an answer, and the way to its body: `text`, `read` or `discard`, one of them, once. */
export interface HttpAnswer {
  readonly status: number;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  /** The whole body, UTF-8. Rejects with a `ProtocolViolationError` where it is longer than that. */
  text(maxBytes: number): Promise<string>;
  /** The body in pieces, as they come; resolves at its end. What the function throws ends the reading. */
  read(onChunk: (bytes: Uint8Array) => void): Promise<void>;
  /** Nobody wants the body. */
  discard(): void;
}

/**
 * The smallest HTTP client that links need. `send` resolves with the head of the answer. It and the ways to the body
 * reject with an `UnreachableError` where the network fails, and with the reason of the cancellation.
 */
export interface Sender {
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Closes connections that are kept. */
  close(): Promise<void>;
}

/** The media type of an answer without its parameters, in lower case. */
export function mediaType(answer: HttpAnswer): string {
  const header = answer.header('content-type');
  if (header === 'application/json' || header === 'text/event-stream') return header;
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
