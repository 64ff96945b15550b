import { encodeError, encodeResult } from '../../protocol/encode-message.ts';
import type { Handler } from '../../protocol/handler.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { invalidRequest } from '../../protocol/protocol-error.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import { LEGACY_VERSIONS } from '../../protocol/revisions/index.ts';
import { Sealer } from '../../seal/sealer.ts';
import { Connection } from '../../transport/http/connection.ts';
import { corsHeaders } from '../../transport/http/cors.ts';
import type { HttpHead, Refusal } from '../../transport/http/head.ts';
import { JSON_TYPE } from '../../transport/http/http-call.ts';
import type { Disconnectable, LegacyFront } from '../../transport/http/legacy-front.ts';
import type { OpenStreams } from '../../transport/http/open-streams.ts';
import type { HttpSettings } from '../../transport/http/options.ts';
import type { HttpReply } from '../../transport/http/reply.ts';
import { toErrorObject } from '../../transport/report.ts';
import { BatchReply } from '../front/batch.ts';
import { negotiate } from '../front/facts.ts';
import type { SessionFacts } from '../front/facts.ts';
import { initializeResult } from '../front/initialize.ts';
import { LegacySession } from '../front/session.ts';
import { NotificationFeeds } from './notification-feeds.ts';
import { legacyHttpSettings } from './options.ts';
import type { LegacyHttpOptions, LegacyHttpSettings } from './options.ts';
import { parsePost } from './parse-post.ts';
import type { Parsed } from './parse-post.ts';
import { PostReply } from './post-reply.ts';
import { parseEventId, ResumableStream } from './resumable-stream.ts';
import { SessionIds } from './session-id.ts';
import { SessionTable } from './session-table.ts';
import type { HeldSession } from './session-table.ts';

/** What a legacy request belongs to: a session that this instance holds, or nothing but itself. */
interface Belonging {
  readonly session: LegacySession;
  readonly held: HeldSession | undefined;
}

/** Streamable HTTP of the legacy era: sessions, the notification stream, resumption (2025-11-25 transports). */
export class LegacyHttp implements LegacyFront {
  readonly #handle: Handler;
  readonly #http: HttpSettings;
  readonly #settings: LegacyHttpSettings;
  readonly #streams: OpenStreams;
  readonly #ids: SessionIds;
  readonly #table: SessionTable;
  readonly #feeds: NotificationFeeds;
  /** Ids that are being read: two messages that arrive together must not make two sessions. */
  readonly #reading = new Map<string, Promise<HeldSession | Refusal>>();
  #running = 0;
  #nextLoneStream = 1;
  #idle: (() => void) | undefined;

  constructor(handle: Handler, http: HttpSettings, streams: OpenStreams, options: LegacyHttpOptions) {
    this.#handle = handle;
    this.#http = http;
    this.#settings = legacyHttpSettings(options);
    this.#streams = streams;
    this.#ids = new SessionIds(new Sealer(options.secrets), this.#settings.maxAgeMs);
    this.#table = new SessionTable(this.#settings.table);
    this.#feeds = new NotificationFeeds(this.#settings, streams, http.maxSubscriptions);
  }

  post(value: unknown, head: HttpHead, reply: HttpReply): Disconnectable {
    const connection = new Connection();
    this.#post(value, head, reply, connection).catch((error: unknown) => {
      this.#sendError(undefined, error, head, reply, 500);
    });
    return connection;
  }

  get(head: HttpHead, reply: HttpReply): Disconnectable | undefined {
    if (this.#hasNoSession(head)) {
      this.#refuse(NO_STREAM, head, reply);
      return undefined;
    }
    const accept = head.header('accept');
    if (accept !== undefined && !/text\/event-stream|text\/\*|\*\/\*/i.test(accept)) {
      this.#refuse({ status: 406, message: 'Accept must list text/event-stream' }, head, reply);
      return undefined;
    }
    const connection = new Connection();
    this.#get(head, reply, connection).catch((error: unknown) =>
      this.#sendError(undefined, error, head, reply, 500),
    );
    return connection;
  }

  delete(head: HttpHead, reply: HttpReply): void {
    if (this.#hasNoSession(head)) return this.#refuse(NO_STREAM, head, reply);
    this.#findSession(head)
      .then((found) => {
        if ('status' in found) return this.#refuse(found, head, reply);
        this.#table.end(found.id);
        reply.send(204, undefined, '', corsHeaders(head, this.#http));
      })
      .catch((error: unknown) => this.#sendError(undefined, error, head, reply, 500));
  }

  async close(): Promise<void> {
    this.#feeds.close();
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    this.#table.close();
  }

  async #post(value: unknown, head: HttpHead, reply: HttpReply, connection: Connection): Promise<void> {
    const version = head.header('mcp-protocol-version');
    if (version !== undefined && !LEGACY_VERSIONS.includes(version.trim())) {
      const known = LEGACY_VERSIONS.join(', ');
      return this.#sendError(
        undefined,
        invalidRequest(`unsupported protocol version ${version}: known are ${known}`),
        head,
        reply,
        400,
      );
    }
    const messages = parsePost(value);
    if ('kind' in messages) return this.#sendError(messages.id, messages.error, head, reply, 400);
    const [first] = messages;
    if (first?.kind === 'request' && first.method === 'initialize' && !Array.isArray(value)) {
      return this.#initialize(first.id, first.params, head, reply);
    }
    const found = await this.#belonging(head);
    if ('status' in found) return this.#refuse(found, head, reply, idOf(first));
    if (Array.isArray(value) && found.session.facts.version !== '2025-03-26') {
      return this.#sendError(
        undefined,
        invalidRequest('only revision 2025-03-26 has batches'),
        head,
        reply,
        400,
      );
    }
    this.#deliver(messages, Array.isArray(value), found, head, reply, connection);
  }

  async #initialize(id: RequestId, params: JsonObject, head: HttpHead, reply: HttpReply): Promise<void> {
    const caller = { transport: 'http', header: (name: string) => head.header(name) };
    try {
      const facts = negotiate(params);
      const result = await initializeResult(this.#handle, facts, caller);
      const headers = [...corsHeaders(head, this.#http)];
      if (this.#settings.mode === 'sessions') {
        const sessionId = await this.#ids.mint(facts, '');
        if (this.#hold(sessionId, facts, head) === undefined) return this.#refuse(FULL, head, reply);
        headers.push('Mcp-Session-Id', sessionId);
      }
      reply.send(200, JSON_TYPE, encodeResult(id, result), headers);
    } catch (error) {
      this.#sendError(id, error, head, reply, 400);
    }
  }

  #deliver(
    messages: readonly Parsed[],
    isBatch: boolean,
    to: Belonging,
    head: HttpHead,
    reply: HttpReply,
    connection: Connection,
  ): void {
    const answered = messages.filter(
      (message) => message.kind === 'request' || (message.kind === 'invalid' && !message.silent),
    );
    if (answered.length > 0 && this.#running >= this.#http.maxConcurrent)
      return this.#refuse(BUSY, head, reply);
    // What needs no answer goes first: a cancellation finds its request only in an earlier message.
    const post = answered.length === 0 ? undefined : this.#reply(to, head, reply);
    if (post !== undefined) connection.attach(post);
    const batch = isBatch && post !== undefined ? new BatchReply(answered.length, post) : undefined;
    for (const message of messages) {
      switch (message.kind) {
        case 'request':
          if (post !== undefined) to.session.request(message, post, batch?.part() ?? post);
          break;
        case 'notification':
          to.session.notification(message);
          break;
        case 'invalid':
          if (!message.silent) {
            const text = encodeError(message.id, message.error.toWire());
            if (batch !== undefined) batch.add(text);
            else post?.finish(text);
          }
          break;
        default:
          if (!to.session.response(message)) {
            this.#http.report({
              kind: 'response-ignored',
              message: `a ${message.kind} for id ${String(message.id)}`,
            });
          }
      }
    }
    if (post === undefined) reply.send(202, undefined, '', corsHeaders(head, this.#http));
  }

  #reply(to: Belonging, head: HttpHead, reply: HttpReply): PostReply {
    this.#running++;
    const headers = corsHeaders(head, this.#http);
    const openStream = (): ResumableStream => {
      const { held } = to;
      const id = `p${held === undefined ? this.#nextLoneStream++ : held.nextStream++}`;
      const stream = new ResumableStream(id, this.#settings.stream, this.#streams, headers);
      if (held !== undefined) this.#table.keep(held, stream);
      return stream;
    };
    const primed = to.held !== undefined && to.session.facts.version >= '2025-11-25';
    return new PostReply({ head, reply, headers }, openStream, primed, () => {
      this.#running--;
      if (this.#running === 0) this.#idle?.();
    });
  }

  async #get(head: HttpHead, reply: HttpReply, connection: Connection): Promise<void> {
    const found = await this.#findSession(head);
    if ('status' in found) return this.#refuse(found, head, reply);
    if (connection.isGone) return;
    const lastEventId = head.header('last-event-id');
    const place = lastEventId === undefined ? undefined : parseEventId(lastEventId);
    const stream = place === undefined ? undefined : found.streams.get(place.stream);
    if (place !== undefined && stream !== undefined) {
      connection.attach({ disconnected: () => stream.lost() });
      stream.connect(reply, place.seq, false);
      return;
    }
    if (place?.stream.startsWith('p') === true) {
      return this.#refuse(
        { status: 400, message: `nothing is kept of the stream that ${lastEventId ?? ''} names` },
        head,
        reply,
      );
    }
    const headers = corsHeaders(head, this.#http);
    const feed = await this.#feeds.open(found, reply, headers, place);
    if (feed === undefined) return this.#refuse(BUSY, head, reply);
    connection.attach(feed);
  }

  /** The session that a request belongs to, or why it belongs to none. */
  async #belonging(head: HttpHead): Promise<Belonging | Refusal> {
    if (this.#settings.mode === 'stateless') {
      const version = head.header('mcp-protocol-version')?.trim() ?? '2025-03-26';
      const facts = { version, clientCapabilities: {}, clientInfo: { name: 'unknown', version: 'unknown' } };
      return { session: this.#session(facts, head), held: undefined };
    }
    const found = await this.#findSession(head);
    return 'status' in found ? found : { session: found.session, held: found };
  }

  /** Whether there is nothing for a GET or a DELETE to find. */
  #hasNoSession(head: HttpHead): boolean {
    return this.#settings.mode === 'stateless' || head.header('mcp-session-id') === undefined;
  }

  async #findSession(head: HttpHead): Promise<HeldSession | Refusal> {
    const id = head.header('mcp-session-id');
    if (id === undefined) return { status: 400, message: NEITHER };
    const held = this.#table.find(id, '');
    if (held !== undefined) return held;
    let reading = this.#reading.get(id);
    if (reading === undefined) {
      reading = this.#readSession(id, head).finally(() => this.#reading.delete(id));
      this.#reading.set(id, reading);
    }
    return reading;
  }

  async #readSession(id: string, head: HttpHead): Promise<HeldSession | Refusal> {
    const facts = this.#table.hasEnded(id) ? undefined : await this.#ids.read(id, '');
    if (facts === undefined)
      return { status: 404, message: 'the session is unknown or has ended: start with initialize' };
    return this.#hold(id, facts, head) ?? FULL;
  }

  #hold(id: string, facts: SessionFacts, head: HttpHead): HeldSession | undefined {
    return this.#table.add(id, '', this.#session(facts, head));
  }

  #session(facts: SessionFacts, head: HttpHead): LegacySession {
    const caller = { transport: 'http', header: (name: string) => head.header(name) };
    return new LegacySession(facts, caller, {
      handle: this.#handle,
      bounds: this.#settings.session,
      report: this.#http.report,
    });
  }

  #refuse(refusal: Refusal, head: HttpHead, reply: HttpReply, id?: RequestId): void {
    const text = encodeError(id, invalidRequest(refusal.message).toWire());
    reply.send(refusal.status, JSON_TYPE, text, [
      ...(refusal.headers ?? []),
      ...corsHeaders(head, this.#http),
    ]);
  }

  #sendError(
    id: RequestId | undefined,
    error: unknown,
    head: HttpHead,
    reply: HttpReply,
    status: number,
  ): void {
    const text = encodeError(id, toErrorObject(error, 'initialize', this.#http.report));
    reply.send(status, JSON_TYPE, text, corsHeaders(head, this.#http));
  }
}

const NEITHER =
  'neither era: a modern request has MCP-Protocol-Version and the fields of _meta, a legacy one has Mcp-Session-Id, which initialize gives';
const NO_STREAM: Refusal = {
  status: 405,
  message: 'without a session there is only POST here',
  headers: ['Allow', 'POST'],
};
const FULL: Refusal = {
  status: 503,
  message: 'no room for another session: try again',
  headers: ['Retry-After', '10'],
};
const BUSY: Refusal = { status: 503, message: 'too busy: try again', headers: ['Retry-After', '1'] };

function idOf(message: Parsed | undefined): RequestId | undefined {
  return message?.kind === 'request' ? message.id : undefined;
}
