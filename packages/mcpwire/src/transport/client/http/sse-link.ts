import { encodeNotification, encodeRequest } from '../../../protocol/encode-message.ts';
import type { Cancellation } from '../../../protocol/handler.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import type { Notification } from '../../../protocol/notifications.ts';
import { asError } from '../../../async/as-error.ts';
import { LazySignal } from '../../../async/lazy-signal.ts';
import { safeReporter } from '../../report.ts';
import type { Reporter } from '../../report.ts';
import { ConnectionClosedError, ProtocolViolationError } from '../errors.ts';
import type { Link, LinkEvents, LinkRequest } from '../link.ts';
import { EventReader } from './event-reader.ts';
import type { SentEvent } from './event-reader.ts';
import type { HttpLinkOptions } from './http-options.ts';
import { HttpWire } from './http-wire.ts';
import { PendingRequests } from './pending.ts';
import type { Waiting } from './pending.ts';
import { idIn, messagesOf } from './read-answer.ts';
import { mediaType } from './sender.ts';
import type { HttpAnswer, Sender } from './sender.ts';

/**
 * HTTP+SSE of 2024-11-05: one stream brings everything from the server, and its first event says where messages go.
 */
export class SseLink implements Link {
  readonly transport = 'sse';
  readonly #wire: HttpWire;
  readonly #sender: Sender;
  readonly #events: LinkEvents;
  readonly #report: Reporter;
  readonly #pending: PendingRequests;
  readonly #life = new LazySignal();
  #endpoint = '';
  #isClosed = false;

  /**
   * Opens the stream and waits for its endpoint. Rejects with what the server answers instead, with a
   * `ProtocolViolationError` where there is no such stream, and with the reason of the cancellation.
   */
  static async open(
    options: HttpLinkOptions,
    events: LinkEvents,
    cancellation: Cancellation,
  ): Promise<SseLink> {
    const link = new SseLink(options, events);
    const giveUp = (): void => link.#life.abort(cancellation.reason);
    cancellation.onAbort(giveUp);
    try {
      await link.#open();
    } catch (error) {
      link.#life.abort(error);
      throw error;
    } finally {
      cancellation.ignore(giveUp);
    }
    return link;
  }

  private constructor(options: HttpLinkOptions, events: LinkEvents) {
    this.#wire = new HttpWire(options);
    this.#sender = options.sender;
    this.#events = events;
    this.#report = safeReporter(options.report);
    this.#pending = new PendingRequests(this.#wire.bounds.maxPending);
  }

  request(request: LinkRequest): Promise<JsonObject> {
    if (this.#isClosed) return Promise.reject(closedHere());
    if (request.cancellation.aborted) return Promise.reject(request.cancellation.reason);
    let waiting: Waiting;
    try {
      waiting = this.#pending.open(request, (cancelled) => this.#cancelled(cancelled));
    } catch (error) {
      return Promise.reject(error);
    }
    this.#post(encodeRequest(waiting.id, request.method, request.params), request.method).catch(
      (error: unknown) => waiting.fail(error),
    );
    return waiting.result;
  }

  notify(notification: Notification): Promise<void> {
    return this.#post(encodeNotification(notification), notification.method);
  }

  respond(text: string): Promise<void> {
    return this.#post(text, 'a response');
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pending.failAll(closedHere());
    this.#life.abort(closedHere());
    await this.#sender.close();
  }

  async #open(): Promise<void> {
    const answer = await this.#wire.send({
      method: 'GET',
      headers: { accept: 'text/event-stream' },
      cancellation: this.#life,
      isApart: true,
    });
    if (answer.status !== 200) throw await this.#wire.refusal(answer, 'GET');
    if (mediaType(answer) !== 'text/event-stream') {
      answer.discard();
      throw new ProtocolViolationError(
        'a GET is not answered with an event stream',
        undefined,
        mediaType(answer),
      );
    }
    await new Promise<void>((resolve, reject) => {
      this.#read(answer, resolve).then(
        () => this.#lost(new ConnectionClosedError('the server ended its stream'), reject),
        (error: unknown) => this.#lost(error, reject),
      );
    });
  }

  #read(answer: HttpAnswer, opened: () => void): Promise<void> {
    const reader = new EventReader(this.#wire.bounds.maxEventBytes, {
      event: (event) => {
        if (event.event !== 'endpoint') {
          if (event.event === 'message') this.#received(event);
          return;
        }
        this.#endpoint = this.#endpointOf(event.data);
        opened();
      },
    });
    return answer.read((chunk) => reader.push(chunk));
  }

  #endpointOf(text: string): string {
    const base = this.#wire.url;
    if (!URL.canParse(text, base)) {
      throw new ProtocolViolationError('the endpoint is no URL', undefined, text);
    }
    const endpoint = new URL(text, base);
    // What is sent, credentials among it, is meant for this origin and no other.
    if (endpoint.origin !== new URL(base).origin) {
      throw new ProtocolViolationError('the endpoint leads to another origin', undefined, text);
    }
    return endpoint.href;
  }

  #received({ data }: SentEvent): void {
    for (const message of messagesOf(data, this.#wire.textBounds)) {
      if (message.kind === 'notification' || message.kind === 'request') {
        this.#events.incoming(message);
      } else if (message.kind === 'invalid') {
        this.#malformed(
          new ProtocolViolationError(
            `an event that is no message: ${message.error.message}`,
            'BASE-02',
            data,
          ),
          idIn(message, data),
        );
      } else if (!this.#pending.settle(message) && !this.#pending.wasUsed(message.id)) {
        this.#report({
          kind: 'stray-response',
          message: `the server answered a request that was never sent [BASE-06]: ${data.slice(0, 200)}`,
        });
      }
    }
  }

  #malformed(error: ProtocolViolationError, id: string | number | undefined): void {
    if (!this.#pending.fail(id, error)) this.#report({ kind: 'bad-message', message: error.message });
  }

  #cancelled({ id, request }: Waiting): void {
    if (request.method === 'initialize' || this.#isClosed) return;
    const { reason } = request.cancellation;
    const params = { requestId: id, reason: reason instanceof Error ? reason.message : 'cancelled' };
    this.notify({ method: 'notifications/cancelled', params }).catch((error: unknown) => {
      if (this.#isClosed) return;
      this.#report({
        kind: 'cancel-failed',
        method: request.method,
        message: 'the server did not take the cancellation',
        error,
      });
    });
  }

  async #post(body: string, what: string): Promise<void> {
    const answer = await this.#wire.send(
      { method: 'POST', headers: { 'content-type': 'application/json' }, body, cancellation: this.#life },
      this.#endpoint,
    );
    if (answer.status < 200 || answer.status >= 300) throw await this.#wire.refusal(answer, what);
    answer.discard();
  }

  #lost(error: unknown, reject: (error: unknown) => void): void {
    reject(error);
    if (this.#isClosed) return;
    this.#isClosed = true;
    const lost = asError(error);
    this.#pending.failAll(lost);
    this.#life.abort(lost);
    this.#events.closed(lost);
  }
}

function closedHere(): ConnectionClosedError {
  return new ConnectionClosedError('the connection was closed by this side');
}
