import type { HttpAnswer, HttpRequest, Sender } from '../transport/client/http/sender.ts';
import { ConnectionClosedError, ProtocolViolationError } from '../transport/client/errors.ts';
import { unreachable } from '../transport/client/http/unreachable.ts';

/** Sends through the `fetch` that every runtime has, or through one that is given. */
export class FetchSender implements Sender {
  readonly #fetch: typeof fetch;

  constructor(fetchFunction: typeof fetch = (...args) => fetch(...args)) {
    this.#fetch = fetchFunction;
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    const { method, url, headers, body, cancellation } = request;
    const controller = new AbortController();
    const cancel = (): void => controller.abort(cancellation.reason);
    cancellation.onAbort(cancel);
    try {
      const response = await this.#fetch(url, {
        method,
        headers,
        redirect: 'manual',
        signal: controller.signal,
        ...(body === undefined ? {} : { body }),
      });
      return new FetchAnswer(request, response, controller, cancel);
    } catch (error) {
      cancellation.ignore(cancel);
      throw cancellation.aborted ? cancellation.reason : unreachable(url, error);
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class FetchAnswer implements HttpAnswer {
  readonly status: number;
  readonly #request: HttpRequest;
  readonly #response: Response;
  readonly #controller: AbortController;
  readonly #cancel: () => void;

  constructor(request: HttpRequest, response: Response, controller: AbortController, cancel: () => void) {
    this.#request = request;
    this.#response = response;
    this.#controller = controller;
    this.#cancel = cancel;
    // Browsers show nothing of a redirect that they were told not to follow.
    this.status = response.type === 'opaqueredirect' ? 302 : response.status;
  }

  header(name: string): string | undefined {
    return this.#response.headers.get(name) ?? undefined;
  }

  async text(maxBytes: number): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    await this.read((chunk) => {
      size += chunk.length;
      if (size > maxBytes) {
        throw new ProtocolViolationError(
          `the server sent a body of more than ${maxBytes} bytes`,
          undefined,
          '',
        );
      }
      chunks.push(chunk);
    });
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    try {
      return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
    } catch {
      throw new ProtocolViolationError('the server sent a body that is not UTF-8', 'TRN-01', '');
    }
  }

  async read(onChunk: (bytes: Uint8Array) => void): Promise<void> {
    const { cancellation, url } = this.#request;
    const reader = this.#response.body?.getReader();
    try {
      for (;;) {
        const piece = await reader?.read().catch((error: unknown) => {
          throw cancellation.aborted
            ? cancellation.reason
            : new ConnectionClosedError(`${url} cut its answer off`, { cause: error });
        });
        if (piece === undefined || piece.done) return;
        onChunk(piece.value);
      }
    } catch (error) {
      this.#controller.abort(error);
      throw error;
    } finally {
      cancellation.ignore(this.#cancel);
    }
  }

  discard(): void {
    this.#request.cancellation.ignore(this.#cancel);
    // Aborting would close a connection that can be used again; nothing more is done with the body.
    void this.#response.body?.cancel().catch(() => {});
  }
}
