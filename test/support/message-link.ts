import type { JsonObject } from '../../packages/mcpwire/src/protocol/json.ts';
import { classify } from '../../packages/mcpwire/src/protocol/parse-message.ts';
import { PeerError } from '../../packages/mcpwire/src/protocol/protocol-error.ts';
import type { Notification } from '../../packages/mcpwire/src/protocol/notifications.ts';
import { ConnectionClosedError } from '../../packages/mcpwire/src/transport/client/errors.ts';
import type {
  Incoming,
  Link,
  LinkEvents,
  LinkRequest,
} from '../../packages/mcpwire/src/transport/client/link.ts';
import type { Json } from './messages.ts';
import { at } from './messages.ts';

interface Waiting {
  readonly request: LinkRequest;
  resolve(result: JsonObject): void;
  reject(error: unknown): void;
  ignoreAbort(): void;
}

/** A link over whatever carries whole messages: a pair of transports in memory, a pipe, a script. */
export class MessageLink implements Link {
  readonly transport = 'in-process';
  readonly #events: LinkEvents;
  readonly #send: (message: Json) => void;
  readonly #waiting = new Map<unknown, Waiting>();
  #nextId = 0;
  #isClosed = false;

  constructor(events: LinkEvents, send: (message: Json) => void) {
    this.#events = events;
    this.#send = send;
  }

  /** How many requests have no answer yet. */
  get open(): number {
    return this.#waiting.size;
  }

  request(request: LinkRequest): Promise<JsonObject> {
    const { method, params, cancellation } = request;
    if (this.#isClosed) return Promise.reject(new ConnectionClosedError('the link is closed'));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        if (!this.#waiting.delete(id)) return;
        this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        reject(cancellation.reason);
      };
      const ignoreAbort = (): void => cancellation.ignore(cancel);
      cancellation.onAbort(cancel);
      this.#waiting.set(id, { request, resolve, reject, ignoreAbort });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  notify({ method, params }: Notification): Promise<void> {
    this.#send({ jsonrpc: '2.0', method, params });
    return Promise.resolve();
  }

  respond(text: string): Promise<void> {
    if (!this.#isClosed) this.#send(JSON.parse(text) as Json);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    for (const id of this.#waiting.keys()) this.fail(id, new ConnectionClosedError('the link is closed'));
    return Promise.resolve();
  }

  /** A message of the server; with an id, on the own way of that request. */
  receive(value: unknown, on?: unknown): void {
    const message = classify(value);
    if (message.kind === 'invalid') throw message.error;
    if (message.kind === 'request' || message.kind === 'notification') {
      const hearer = on === undefined ? this.#hearer(message) : this.#waiting.get(on)?.request;
      if (hearer === undefined) this.#events.incoming(message);
      else hearer.hear(message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    waiting.ignoreAbort();
    if (message.kind === 'result') waiting.resolve(message.result);
    else waiting.reject(new PeerError(message.error));
  }

  /** The link's own failure of a request. */
  fail(id: unknown, error: Error): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.ignoreAbort();
    waiting?.reject(error);
  }

  /** The way to the server is gone. */
  break(error: Error): void {
    this.#isClosed = true;
    for (const id of this.#waiting.keys()) this.fail(id, error);
    this.#events.closed(error);
  }

  #hearer(message: Incoming): LinkRequest | undefined {
    const token = at(message.params, 'progressToken');
    if (message.method !== 'notifications/progress' || token === undefined) return undefined;
    return [...this.#waiting.values()].find(
      ({ request }) => at(request.params, '_meta', 'progressToken') === token,
    )?.request;
  }
}
