import { encodeNotification, encodeRequest } from '../../../protocol/encode-message.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import type { Message } from '../../../protocol/message.ts';
import type { Notification } from '../../../protocol/notifications.ts';
import type { InvalidMessage } from '../../../protocol/parse-message.ts';
import { PeerError } from '../../../protocol/protocol-error.ts';
import { LazySignal } from '../../../async/lazy-signal.ts';
import { safeReporter } from '../../report.ts';
import type { Reporter } from '../../report.ts';
import { ConnectionClosedError, HttpError, ProtocolViolationError, SessionLostError } from '../errors.ts';
import type { Link, LinkEvents, LinkRequest } from '../link.ts';
import type { HttpLinkOptions } from './http-options.ts';
import { HttpWire } from './http-wire.ts';
import { LegacyStream } from './legacy-stream.ts';
import { PendingRequests } from './pending.ts';
import type { Waiting } from './pending.ts';
import { idIn, messagesOf, resultIn } from './read-answer.ts';
import { mediaType } from './sender.ts';
import type { HttpAnswer, Sender } from './sender.ts';

/** How long the server's own stream may take to open before requests go out without it. */
const STREAM_HEAD_MS = 3000;
const STREAM_LOST = "the server's own stream is gone: what it asks or tells outside of calls is not heard";
/** How long the farewell may take. */
const FAREWELL_MS = 1000;

/**
 * Streamable HTTP of 2025-03-26 to 2025-11-25: sessions, a stream of the server's own, streams that can be come back to.
 * What the session is, the link learns from the `initialize` that passes through it.
 */
export class LegacyHttpLink implements Link {
  readonly transport = 'http';
  readonly #wire: HttpWire;
  readonly #sender: Sender;
  readonly #events: LinkEvents;
  readonly #report: Reporter;
  readonly #pending: PendingRequests;
  /** Ends streams and whatever else is on its way when the session does. */
  #life = new LazySignal();
  #sessionId: string | undefined;
  #version: string | undefined;
  /** The server's own stream, while it opens. */
  #opening: Promise<void> | undefined;
  /** The lives of requests that are on their way, by id. */
  readonly #posts = new Map<number, LazySignal>();
  #isClosed = false;

  constructor(options: HttpLinkOptions, events: LinkEvents) {
    this.#wire = new HttpWire(options);
    this.#sender = options.sender;
    this.#events = events;
    this.#report = safeReporter(options.report);
    this.#pending = new PendingRequests(this.#wire.bounds.maxPending);
  }

  async request(request: LinkRequest): Promise<JsonObject> {
    if (this.#isClosed) throw closedHere();
    if (request.cancellation.aborted) throw request.cancellation.reason;
    const isHandshake = request.method === 'initialize';
    if (isHandshake) this.#forgetSession(new SessionLostError('a new session begins'));
    const waiting = this.#pending.open(request, (cancelled) => this.#cancelled(cancelled));
    void this.#post(waiting).catch((error: unknown) => waiting.fail(error));
    const result = await waiting.result;
    if (isHandshake && typeof result['protocolVersion'] === 'string') {
      this.#version = result['protocolVersion'];
    }
    return result;
  }

  async notify(notification: Notification): Promise<void> {
    await this.#tell(encodeNotification(notification), notification.method);
    if (notification.method === 'notifications/initialized') {
      // What the server asks outside of its answers comes here, and is lost where nobody listens.
      const opening = this.#openServerStream();
      this.#opening = opening;
      await opening;
    }
  }

  respond(text: string): Promise<void> {
    return this.#tell(text, 'a response');
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const id = this.#sessionId;
    this.#forgetSession(closedHere());
    if (id !== undefined) await this.#farewell(id);
    await this.#sender.close();
  }

  async #post(waiting: Waiting): Promise<void> {
    const { id } = waiting;
    await this.#opening;
    if (waiting.isSettled) return;
    const life = new LazySignal();
    const session = this.#life;
    const end = (): void => life.abort(session.reason);
    if (session.aborted) throw session.reason;
    session.onAbort(end);
    this.#posts.set(id, life);
    try {
      await this.#exchange(waiting, life);
    } finally {
      this.#posts.delete(id);
      session.ignore(end);
    }
  }

  /** Sends a request and reads its answer, unless its life ends before. */
  async #exchange(waiting: Waiting, life: LazySignal): Promise<void> {
    const { id, request } = waiting;
    const isHandshake = request.method === 'initialize';
    const answer = await this.#wire.send({
      method: 'POST',
      headers: this.#headers(),
      body: encodeRequest(id, request.method, request.params),
      cancellation: life,
    });
    if (waiting.isSettled) {
      answer.discard();
      return;
    }
    if (answer.status < 200 || answer.status >= 300) {
      throw await this.#refusal(answer, request.method, isHandshake);
    }
    if (isHandshake) this.#sessionId = answer.header('mcp-session-id');
    if (mediaType(answer) !== 'text/event-stream') {
      waiting.succeed(await resultIn(answer, id, request.method, this.#wire));
      return;
    }
    const receive = (message: Message | InvalidMessage, data: string): void =>
      this.#received(message, data, waiting);
    await this.#stream(receive, life).follow(answer, () => waiting.isSettled);
    if (waiting.isSettled) return;
    throw new ConnectionClosedError(
      `the server ended its answer to ${request.method} before the response: whether it ran is not known`,
    );
  }

  /** A message of a stream: of the answer to a request, or of the server's own. */
  #received(message: Message | InvalidMessage, text: string, origin?: Waiting): void {
    switch (message.kind) {
      case 'notification':
      case 'request':
        if (origin === undefined) this.#events.incoming(message);
        else origin.request.hear(message);
        return;
      case 'invalid': {
        const error = new ProtocolViolationError(
          `an event that is no message: ${message.error.message}`,
          'BASE-02',
          text,
        );
        if (origin !== undefined && idIn(message, text) === origin.id) origin.fail(error);
        else this.#report({ kind: 'bad-message', message: error.message });
        return;
      }
      default:
        if (message.kind === 'error' && message.id === undefined && origin !== undefined) {
          origin.fail(new PeerError(message.error));
        } else if (!this.#pending.settle(message) && !this.#pending.wasUsed(message.id)) {
          this.#report({
            kind: 'stray-response',
            message: `the server answered a request that was never sent [BASE-06]: ${text.slice(0, 200)}`,
          });
        }
    }
  }

  /**
   * The request is no longer waited for. Closing its stream would not say so, because in this era a client may come back;
   * once the server was told, it is closed all the same: some servers never end it.
   */
  #cancelled({ id, request }: Waiting): void {
    // What was never sent needs no cancellation.
    if (request.method === 'initialize' || this.#isClosed || !this.#posts.has(id)) return;
    const { reason } = request.cancellation;
    const params = { requestId: id, reason: reason instanceof Error ? reason.message : 'cancelled' };
    this.#tell(encodeNotification({ method: 'notifications/cancelled', params }), 'notifications/cancelled')
      .catch((error: unknown) => {
        if (this.#isClosed) return;
        const message = 'the server did not take the cancellation';
        this.#report({ kind: 'cancel-failed', method: request.method, message, error });
      })
      .finally(() => this.#posts.get(id)?.abort(reason));
  }

  async #tell(body: string, what: string): Promise<void> {
    const answer = await this.#wire.send({
      method: 'POST',
      headers: this.#headers(),
      body,
      cancellation: this.#life,
      isApart: true,
    });
    if (answer.status < 200 || answer.status >= 300) throw await this.#refusal(answer, what, false);
    // Servers answer with 202, 204, `null` or worse: nothing in it counts.
    answer.discard();
  }

  /** Opens the server's own stream and goes on once its head is there, or it is clear that there is none. */
  #openServerStream(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, STREAM_HEAD_MS);
      const opened = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const session = this.#life;
      this.#stream((message, text) => this.#received(message, text))
        .keepOpen({
          opened,
          missed: () => this.#events.missed?.(),
          struggles: (error) => this.#report({ kind: 'server-stream-lost', message: STREAM_LOST, error }),
        })
        .catch((error: unknown) => {
          if (session.aborted) return;
          if (error instanceof SessionLostError) this.#events.sessionLost?.();
          else this.#report({ kind: 'server-stream-lost', message: STREAM_LOST, error });
        })
        .finally(opened);
    });
  }

  #stream(
    receive: (message: Message | InvalidMessage, text: string) => void,
    life = this.#life,
  ): LegacyStream {
    return new LegacyStream({
      wire: this.#wire,
      life,
      headers: () => this.#headers(),
      receive: (text) => {
        for (const message of messagesOf(text, this.#wire.textBounds)) receive(message, text);
      },
      refused: (answer) => this.#refusal(answer, 'GET', false),
    });
  }

  /** A refusal that says that the session is gone is told apart: a new handshake mends it. */
  async #refusal(answer: HttpAnswer, what: string, isHandshake: boolean): Promise<Error> {
    const error = await this.#wire.refusal(answer, what);
    if (isHandshake || this.#sessionId === undefined) return error;
    const text = error instanceof HttpError ? error.body : error.message;
    const isLost = answer.status === 404 || (answer.status === 400 && /session/i.test(text));
    return isLost
      ? new SessionLostError(`the server no longer knows the session: ${error.message}`, { cause: error })
      : error;
  }

  #headers(): { readonly [name: string]: string } {
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(this.#version === undefined ? {} : { 'mcp-protocol-version': this.#version }),
      ...(this.#sessionId === undefined ? {} : { 'mcp-session-id': this.#sessionId }),
    };
  }

  #forgetSession(why: Error): void {
    this.#sessionId = undefined;
    this.#version = undefined;
    this.#opening = undefined;
    const life = this.#life;
    this.#life = new LazySignal();
    this.#pending.failAll(why);
    life.abort(why);
  }

  /** Tells the server that the session is over; it may not know how to take that. */
  async #farewell(id: string): Promise<void> {
    const life = new LazySignal();
    const timer = setTimeout(
      () => life.abort(new ConnectionClosedError('no answer to DELETE in time')),
      FAREWELL_MS,
    );
    try {
      const headers = { ...this.#headers(), 'mcp-session-id': id };
      const answer = await this.#wire.send({ method: 'DELETE', headers, cancellation: life, isApart: true });
      answer.discard();
    } catch (error) {
      this.#report({
        kind: 'farewell-failed',
        message: 'the server did not hear that the session is over',
        error,
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

function closedHere(): ConnectionClosedError {
  return new ConnectionClosedError('the connection was closed by this side');
}
