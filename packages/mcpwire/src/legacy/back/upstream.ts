import { cancellationOf } from '../../async/cancellation.ts';
import { Deadline, TimeoutError } from '../../async/with-timeout.ts';
import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import type { Implementation } from '../../protocol/common-types.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { ConnectionClosedError, SessionLostError } from '../../transport/client/errors.ts';
import type { Incoming, Link, LinkEvents } from '../../transport/client/link.ts';
import type { BackBounds } from './bounds.ts';
import type { LegacyFacts, Words } from './handshake.ts';
import { initializeParams, readInitializeResult, wordsOf } from './handshake.ts';

/** Makes the way to a server, whose events go where it is told. */
export type LinkMaker = (events: LinkEvents) => Link | Promise<Link>;

export interface UpstreamOptions {
  /** The version to offer. */
  readonly version: string;
  readonly clientCapabilities: ClientCapabilities;
  readonly clientInfo: Implementation;
  readonly bounds: BackBounds;
  /** What the server says that belongs to no request. */
  readonly incoming: (message: Incoming) => void;
  /** A session was lost and there is a new one: what was set or subscribed to in the old one is gone. */
  readonly renewed: () => void;
}

/** A request in the words of the newest revision, but for its `_meta`. */
export interface UpstreamRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly signal: AbortSignal;
  readonly hear: (message: Incoming) => void;
  /** Whether it may be sent twice. Asked for when it matters. */
  isRepeatable(): boolean;
}

/** Longest that a new handshake with a server that lost the session may take. */
const RENEWAL_MS = 15_000;

/** A legacy server after its handshake, and after another one where it has lost the session. */
export class Upstream {
  readonly #link: Link;
  readonly #options: UpstreamOptions;
  #facts: LegacyFacts | undefined;
  /** Until the server has said which version it speaks, it is taken to speak the one that it was offered. */
  #words: Words;
  /** How many handshakes there have been. */
  #session = 0;
  #isLost = false;
  #renewing: Promise<void> | undefined;
  #isClosed = false;

  constructor(link: Link, options: UpstreamOptions) {
    this.#link = link;
    this.#options = options;
    this.#words = wordsOf(options.version);
  }

  get transport(): string {
    return this.#link.transport;
  }

  get facts(): LegacyFacts {
    if (this.#facts === undefined) throw new ConnectionClosedError('the handshake is not done');
    return this.#facts;
  }

  get words(): Words {
    return this.#words;
  }

  /** Rejects with whatever the server, or the link, refuses it with. */
  async handshake(signal?: AbortSignal, ms = this.#options.bounds.handshakeMs): Promise<void> {
    const { version, clientCapabilities, clientInfo, incoming } = this.#options;
    const ending = new AbortController();
    const deadline = new Deadline(ms, () =>
      ending.abort(new TimeoutError(`initialize had no answer within ${ms} ms`)),
    );
    const result = await deadline.race(
      this.#link.request({
        method: 'initialize',
        params: initializeParams(version, clientCapabilities, clientInfo),
        cancellation: cancellationOf({
          signal: signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]),
        }),
        hear: incoming,
      }),
    );
    const facts = readInitializeResult(result, version);
    if (facts.version !== this.#facts?.version) this.#words = wordsOf(facts.version);
    this.#facts = facts;
    await this.#link.notify({ method: 'notifications/initialized', params: {} });
    this.#session++;
    this.#isLost = false;
  }

  /** Sends a request; where the session is lost, once more in a new one, if it may be sent twice. */
  async request(request: UpstreamRequest): Promise<JsonObject> {
    if (this.#renewing !== undefined) await this.#renewing;
    else if (this.#isLost) await this.#renew(this.#session);
    const session = this.#session;
    try {
      return await this.#send(request);
    } catch (error) {
      if (!(error instanceof SessionLostError) || this.#isClosed) throw error;
      await this.#renew(session);
      if (!request.isRepeatable()) {
        throw new SessionLostError(
          `the server lost the session; ${request.method} may have run and was not sent again`,
          { cause: error },
        );
      }
      return this.#send(request);
    }
  }

  /** A request of this side's own: it has an end, and nobody hears what comes with it. */
  own(method: string, params: JsonObject): Promise<JsonObject> {
    const { bounds, incoming } = this.#options;
    return this.request({
      method,
      params,
      signal: AbortSignal.timeout(bounds.ownRequestMs),
      hear: incoming,
      isRepeatable: () => false,
    });
  }

  /** A new session in place of the one that there is. */
  renew(): Promise<void> {
    return this.#isClosed ? Promise.resolve() : this.#renew(this.#session);
  }

  respond(text: string): Promise<void> {
    return this.#link.respond(text);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#link.close();
  }

  #send({ method, params, signal, hear }: UpstreamRequest): Promise<JsonObject> {
    signal.throwIfAborted();
    return this.#link.request({
      method,
      params: this.words.down.request(method, params),
      cancellation: cancellationOf({ signal }),
      hear,
    });
  }

  /** One handshake for all who noticed; nothing where somebody else has already made it. */
  async #renew(session: number): Promise<void> {
    if (this.#session !== session) return;
    this.#isLost = true;
    // Calls wait for it: a server that is known is not given as long as one that may still be starting.
    const ms = Math.min(this.#options.bounds.handshakeMs, RENEWAL_MS);
    this.#renewing ??= this.handshake(undefined, ms)
      .then(() => this.#options.renewed())
      .finally(() => {
        this.#renewing = undefined;
      });
    await this.#renewing;
  }
}
