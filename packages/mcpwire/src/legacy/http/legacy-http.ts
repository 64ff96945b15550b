import { Slots } from '../../async/slots.ts';
import { encodeResult } from '../../protocol/encode-message.ts';
import type { Handler } from '../../protocol/handler.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { classify } from '../../protocol/parse-message.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import { isRequestId } from '../../protocol/request-id.ts';
import { LEGACY_VERSIONS } from '../../protocol/revisions/index.ts';
import { Connection } from '../../transport/http/connection.ts';
import { corsHeaders } from '../../transport/http/cors.ts';
import type { HttpHead, Refusal } from '../../transport/http/head.ts';
import { JSON_TYPE } from '../../transport/http/http-call.ts';
import type { Disconnectable, LegacyFront } from '../../transport/http/legacy-front.ts';
import type { OpenStreams } from '../../transport/http/open-streams.ts';
import type { HttpSettings } from '../../transport/http/options.ts';
import type { HttpReply } from '../../transport/http/reply.ts';
import { deliver, parseBatch } from '../front/deliver.ts';
import type { Parsed } from '../front/deliver.ts';
import { negotiate } from '../front/facts.ts';
import { initializeResult } from '../front/initialize.ts';
import type { LegacySession } from '../front/session.ts';
import { isLocal } from '../front/session.ts';
import { sendError, sendRefusal } from './answers.ts';
import type { HttpWire } from './answers.ts';
import { callerOf, FULL, HttpSessions, UNKNOWN } from './http-sessions.ts';
import type { Belonging } from './http-sessions.ts';
import { NotificationFeeds } from './notification-feeds.ts';
import { legacyHttpSettings } from './options.ts';
import type { LegacyHttpOptions, LegacyHttpSettings } from './options.ts';
import { PostReply } from './post-reply.ts';
import { parseEventId } from './resumable-stream.ts';
import type { HeldSession } from './session-table.ts';

/** Streamable HTTP of the legacy era: sessions, the notification stream, resumption (2025-11-25 basic/transports). */
export class LegacyHttp implements LegacyFront {
  readonly #handle: Handler;
  readonly #http: HttpSettings;
  readonly #settings: LegacyHttpSettings;
  /** Counts what runs; a request too many is refused and doesn't wait. */
  readonly #slots = new Slots(Number.POSITIVE_INFINITY);
  readonly #sessions: HttpSessions;
  readonly #feeds: NotificationFeeds;

  constructor(handle: Handler, http: HttpSettings, streams: OpenStreams, options: LegacyHttpOptions) {
    this.#handle = handle;
    this.#http = http;
    this.#settings = legacyHttpSettings(options);
    this.#sessions = new HttpSessions(handle, this.#settings, options, {
      slots: this.#slots,
      report: http.report,
      open: streams,
    });
    this.#feeds = new NotificationFeeds(this.#settings.resumeMs, http.maxSubscriptions);
  }

  post(value: unknown, head: HttpHead, reply: HttpReply): Disconnectable | undefined {
    const wire = { head, reply };
    const unknown = checkVersion(head);
    if (unknown !== undefined) return this.#refuse(unknown, wire, requestIdOf(value));
    const isBatch = Array.isArray(value);
    const messages: readonly Parsed[] | Parsed = isBatch ? parseBatch(value) : classify(value);
    if ('kind' in messages) {
      if (messages.kind === 'invalid') {
        // Only a session that is held has questions open.
        if (messages.isResponse === true) this.#sessions.held(head)?.session.response(messages);
        sendError(messages.id, messages.error, 400, wire, this.#http);
        return undefined;
      }
      if (messages.kind === 'request' && messages.method === 'initialize') {
        void this.#initialize(messages.id, messages.params, wire);
        return undefined;
      }
    }
    const list = 'kind' in messages ? [messages] : messages;
    const found = this.#sessions.belonging(head);
    if (!(found instanceof Promise)) return this.#deliver(list, isBatch, found, wire);
    const connection = new Connection();
    found
      .then((belonging) => {
        const target = this.#deliver(list, isBatch, this.#stillHeld(belonging), wire);
        if (target !== undefined) connection.attach(target);
      })
      .catch((error: unknown) => sendError(undefined, error, 500, wire, this.#http));
    return connection;
  }

  get(head: HttpHead, reply: HttpReply): Disconnectable | undefined {
    const wire = { head, reply };
    const refusal = this.#checkGet(head);
    if (refusal !== undefined) return this.#refuse(refusal, wire);
    const connection = new Connection();
    this.#get(wire, connection).catch((error: unknown) => {
      this.#http.report({ kind: 'stream-failed', message: 'a notification stream', error });
    });
    return connection;
  }

  delete(head: HttpHead, reply: HttpReply): void {
    const wire = { head, reply };
    const refusal = this.#hasNoSession(head) ? NO_STREAM : checkVersion(head);
    if (refusal !== undefined) {
      this.#refuse(refusal, wire);
      return;
    }
    Promise.resolve(this.#sessions.find(head))
      .then((found) => {
        if ('status' in found) return this.#refuse(found, wire);
        this.#sessions.end(found);
        reply.send(204, undefined, '', corsHeaders(head, this.#http));
        return undefined;
      })
      .catch((error: unknown) => sendError(undefined, error, 500, wire, this.#http));
  }

  async close(): Promise<void> {
    this.#feeds.close();
    await this.#slots.idle();
    this.#sessions.close();
  }

  abort(): void {
    this.#sessions.close();
  }

  async #initialize(id: RequestId, params: JsonObject, wire: HttpWire): Promise<void> {
    const { head, reply } = wire;
    const isLone = this.#settings.mode === 'stateless';
    try {
      const facts = negotiate(params);
      const result = await initializeResult(this.#handle, facts, callerOf(head), isLone);
      const headers = [...corsHeaders(head, this.#http)];
      if (!isLone) {
        const held = await this.#sessions.start(facts, head);
        if (held === undefined) {
          this.#refuse(FULL, wire, id);
          return;
        }
        headers.push('Mcp-Session-Id', held.id);
      }
      reply.send(200, JSON_TYPE, encodeResult(id, result), headers);
    } catch (error) {
      sendError(id, error, 400, wire, this.#http);
    }
  }

  #deliver(
    messages: readonly Parsed[],
    isBatch: boolean,
    to: Belonging | Refusal,
    wire: HttpWire,
  ): Disconnectable | undefined {
    const [first] = messages;
    const id = first?.kind === 'request' && !isBatch ? first.id : undefined;
    if ('status' in to) return this.#refuse(to, wire, id);
    const refusal = this.#checkDelivery(messages, isBatch, to.session);
    if (refusal !== undefined) {
      to.streams.finished();
      return this.#refuse(refusal, wire, id);
    }
    const headers = corsHeaders(wire.head, this.#http);
    let post: PostReply | undefined;
    const isAnswered = deliver(messages, isBatch, {
      session: to.session,
      open: () => {
        post = new PostReply(wire, headers, to.streams, this.#isPrimed(to.session));
        return { caller: post, reply: post };
      },
      unexpected: (message) => {
        const what = `a ${message.kind} for id ${String(message.id)}`;
        this.#http.report({ kind: 'response-ignored', message: what });
      },
    });
    if (!isAnswered) {
      to.streams.finished();
      wire.reply.send(202, undefined, '', headers);
    }
    return post;
  }

  /** What was waited for may have ended meanwhile: a DELETE can come between. */
  #stillHeld(found: HeldSession | Refusal): HeldSession | Refusal {
    return 'status' in found || this.#sessions.holds(found) ? found : UNKNOWN;
  }

  #checkDelivery(messages: readonly Parsed[], isBatch: boolean, session: LegacySession): Refusal | undefined {
    if (isBatch && session.facts.version !== '2025-03-26') {
      return { status: 400, message: 'only revision 2025-03-26 has batches' };
    }
    const free = this.#http.maxConcurrent - this.#slots.running;
    if (free >= messages.length) return undefined;
    const works = messages.filter((message) => message.kind === 'request' && !isLocal(message.method));
    return works.length > Math.max(free, 0) ? BUSY : undefined;
  }

  /** Since 2025-11-25 a stream begins with an event that says where to resume: who can't come back needs none. */
  #isPrimed(session: LegacySession): boolean {
    return this.#settings.mode === 'sessions' && session.facts.version >= '2025-11-25';
  }

  #checkGet(head: HttpHead): Refusal | undefined {
    if (this.#hasNoSession(head)) return NO_STREAM;
    const accept = head.header('accept');
    if (accept !== undefined && !/text\/event-stream|text\/\*|\*\/\*/i.test(accept)) {
      return { status: 406, message: 'Accept must list text/event-stream' };
    }
    return checkVersion(head);
  }

  async #get(wire: HttpWire, connection: Connection): Promise<void> {
    const { head, reply } = wire;
    const found = this.#stillHeld(await this.#sessions.find(head));
    if ('status' in found) return this.#refuse(found, wire);
    if (connection.isGone) return;
    const lastEventId = head.header('last-event-id');
    const place = lastEventId === undefined ? undefined : parseEventId(lastEventId);
    const stream = place === undefined ? undefined : found.streams.find(place.stream);
    if (place !== undefined && stream !== undefined) {
      connection.attach(stream.connect(reply, place.seq, false));
      return;
    }
    if (place?.stream.startsWith('p') === true) {
      const message = `nothing is kept of the stream that ${lastEventId ?? ''} names`;
      return this.#refuse({ status: 400, message }, wire);
    }
    const feed = await this.#feeds.open(found, reply, corsHeaders(head, this.#http), place);
    if (feed === undefined) return this.#refuse(BUSY, wire);
    connection.attach(feed);
  }

  /** Whether there is nothing for a GET or a DELETE to find. */
  #hasNoSession(head: HttpHead): boolean {
    if (this.#settings.mode === 'stateless') return true;
    // Of either era: to a modern client there is only POST, and a legacy one names its revision.
    return head.header('mcp-session-id') === undefined && head.header('mcp-protocol-version') === undefined;
  }

  #refuse(refusal: Refusal, wire: HttpWire, id?: RequestId): undefined {
    sendRefusal(refusal, wire, this.#http, id);
  }
}

/** The id of what would be a request. */
function requestIdOf(value: unknown): RequestId | undefined {
  const message = isJsonObject(value) && value['method'] !== undefined ? value : undefined;
  return isRequestId(message?.['id']) ? message['id'] : undefined;
}

/** The header names a revision of this era, or is absent (2025-11-25 basic/transports, "Protocol Version Header"). */
function checkVersion(head: HttpHead): Refusal | undefined {
  const version = head.header('mcp-protocol-version');
  if (version === undefined || LEGACY_VERSIONS.includes(version.trim())) return undefined;
  const known = LEGACY_VERSIONS.join(', ');
  return { status: 400, message: `unsupported protocol version ${version}: known are ${known}` };
}

const NO_STREAM: Refusal = {
  status: 405,
  message: 'without a session there is only POST here',
  headers: ['Allow', 'POST'],
};
const BUSY: Refusal = { status: 503, message: 'too busy: try again', headers: ['Retry-After', '1'] };
