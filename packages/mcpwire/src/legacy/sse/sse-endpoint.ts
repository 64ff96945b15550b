import { Slots } from '../../async/slots.ts';
import { encodeError } from '../../protocol/encode-message.ts';
import type { Handler } from '../../protocol/handler.ts';
import { classify, parseText } from '../../protocol/parse-message.ts';
import { invalidRequest, parseError } from '../../protocol/protocol-error.ts';
import type { ProtocolError } from '../../protocol/protocol-error.ts';
import { admitHead } from '../../transport/http/admit-head.ts';
import { BodyBudget, BUSY, CLOSING } from '../../transport/http/body-budget.ts';
import { corsHeaders } from '../../transport/http/cors.ts';
import type { Endpoint } from '../../transport/http/endpoint.ts';
import type { HttpHead, Refusal } from '../../transport/http/head.ts';
import { checkHostAndOrigin } from '../../transport/http/host-origin.ts';
import { JSON_TYPE } from '../../transport/http/http-call.ts';
import type { Disconnectable } from '../../transport/http/legacy-front.ts';
import { OpenStreams } from '../../transport/http/open-streams.ts';
import { httpSettings } from '../../transport/http/options.ts';
import type { HttpOptions, HttpSettings } from '../../transport/http/options.ts';
import type { HttpReply } from '../../transport/http/reply.ts';
import { withDefaults } from '../../protocol/bounds.ts';
import { DEFAULT_SESSION_BOUNDS } from '../front/reply.ts';
import { isLocal } from '../front/session.ts';
import { DEFAULT_SSE_PATHS, DEFAULT_SSE_STREAMS } from './options.ts';
import type { SseOptions } from './options.ts';
import { SseStream } from './sse-stream.ts';

const NAME = 'sessionId';

/**
 * The deprecated HTTP+SSE transport (2024-11-05 basic/transports): GET opens an event stream whose first event names the
 * address for messages; POSTs there are answered 202, and what they ask for on the stream.
 */
export class SseEndpoint implements Endpoint {
  readonly settings: HttpSettings;
  readonly bodies: BodyBudget;
  readonly #handle: Handler;
  readonly #options: SseOptions;
  readonly #path: string;
  readonly #messagesPath: string;
  readonly #open: OpenStreams;
  readonly #streams = new Map<string, SseStream>();
  readonly #slots = new Slots(Number.POSITIVE_INFINITY);
  #isClosing = false;

  constructor(handle: Handler, http: HttpOptions, options: SseOptions) {
    this.#handle = handle;
    this.#options = options;
    this.settings = httpSettings(http);
    this.bodies = new BodyBudget(this.settings);
    this.#open = new OpenStreams(this.settings.keepAliveMs);
    this.#path = options.path ?? DEFAULT_SSE_PATHS.path;
    this.#messagesPath = options.messagesPath ?? DEFAULT_SSE_PATHS.messagesPath;
  }

  /** Whether the target is one of the two addresses of this transport. */
  serves(target: string): boolean {
    const path = pathOf(target);
    return path === this.#path || path === this.#messagesPath;
  }

  admit(head: HttpHead, reply: HttpReply): 'body' | Disconnectable | undefined {
    const isStream = pathOf(head.target) === this.#path;
    if (isStream && (head.method === 'GET' || this.#path !== this.#messagesPath)) {
      return this.#get(head, reply);
    }
    const refusal = admitHead(head, this.settings) ?? (this.#isClosing ? CLOSING : undefined);
    if (refusal === undefined) return 'body';
    this.refuse(refusal, reply);
    return undefined;
  }

  post(head: HttpHead, text: string | undefined, reply: HttpReply): undefined {
    this.#post(head, text, reply);
  }

  #post(head: HttpHead, text: string | undefined, reply: HttpReply): void {
    const name = new URL(head.target, 'http://localhost').searchParams.get(NAME) ?? '';
    const stream = this.#streams.get(name);
    if (stream === undefined) {
      this.refuse({ status: 404, message: 'no event stream of this name is open' }, reply);
      return;
    }
    if (text === undefined) return this.#sendError(parseError('not UTF-8'), head, reply);
    const parsed = parseText(text, this.settings.bounds);
    if (parsed.kind === 'invalid') return this.#sendError(parsed.error, head, reply);
    const { value } = parsed;
    if (Array.isArray(value)) {
      if (stream.takeBatch(value)) return this.#accept(head, reply);
      return this.#sendError(invalidRequest('this revision has no batches'), head, reply);
    }
    const message = classify(value);
    if (message.kind === 'invalid') {
      stream.takeInvalid(message);
      return this.#sendError(message.error, head, reply);
    }
    const works = message.kind === 'request' && !isLocal(message.method);
    if (works && this.#slots.running >= this.settings.maxConcurrent) {
      this.refuse(BUSY, reply);
      return;
    }
    this.#accept(head, reply);
    stream.take(message);
  }

  refuse(refusal: Refusal, reply: HttpReply): void {
    reply.send(refusal.status, 'text/plain; charset=utf-8', `${refusal.message}\n`, refusal.headers);
  }

  /** Refuses new streams and messages, resolves when running requests are answered and every stream has ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#slots.idle();
    this.abort();
  }

  /** Cancels what runs and ends every stream. */
  abort(): void {
    for (const name of this.#streams.keys()) this.#end(name);
  }

  #get(head: HttpHead, reply: HttpReply): Disconnectable | undefined {
    const refusal =
      checkHostAndOrigin(head, this.settings) ??
      checkGet(head) ??
      (this.#isClosing ? CLOSING : undefined) ??
      (this.#streams.size >= (this.#options.maxStreams ?? DEFAULT_SSE_STREAMS) ? BUSY : undefined);
    if (refusal !== undefined) {
      this.refuse(refusal, reply);
      return undefined;
    }
    const name = randomName();
    const stream = new SseStream(reply, {
      handle: this.#handle,
      caller: { transport: 'sse', header: (header) => head.header(header) },
      slots: this.#slots,
      report: this.settings.report,
      bounds: withDefaults(DEFAULT_SESSION_BOUNDS, this.#options),
    });
    this.#streams.set(name, stream);
    this.#open.add(stream);
    stream.open(`${this.#messagesPath}?${NAME}=${name}`, corsHeaders(head, this.settings));
    return { disconnected: () => this.#end(name) };
  }

  #end(name: string): void {
    const stream = this.#streams.get(name);
    if (stream === undefined) return;
    this.#streams.delete(name);
    this.#open.delete(stream);
    stream.end();
  }

  #accept(head: HttpHead, reply: HttpReply): void {
    reply.send(202, 'text/plain; charset=utf-8', 'Accepted\n', corsHeaders(head, this.settings));
  }

  #sendError(error: ProtocolError, head: HttpHead, reply: HttpReply): void {
    reply.send(400, JSON_TYPE, encodeError(undefined, error.toWire()), corsHeaders(head, this.settings));
  }
}

function checkGet(head: HttpHead): Refusal | undefined {
  if (head.method === 'GET') return undefined;
  return {
    status: 405,
    message: `${head.method} is not served: open an event stream with GET`,
    headers: ['Allow', 'GET'],
  };
}

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? '';
}

/** 128 random bits: whoever knows the name may speak for its client. */
function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
