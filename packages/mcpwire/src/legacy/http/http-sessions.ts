import type { Slots } from '../../async/slots.ts';
import type { Caller, Handler } from '../../protocol/handler.ts';
import { Sealer } from '../../seal/sealer.ts';
import type { HttpHead, Refusal } from '../../transport/http/head.ts';
import type { OpenStreams } from '../../transport/http/open-streams.ts';
import type { Reporter } from '../../transport/report.ts';
import type { SessionFacts } from '../front/facts.ts';
import { LegacySession } from '../front/session.ts';
import { KeptStreams } from './kept-streams.ts';
import type { LegacyHttpOptions, LegacyHttpSettings } from './options.ts';
import type { PostStreams } from './post-reply.ts';
import { SessionIds } from './session-id.ts';
import type { SessionTicket } from './session-id.ts';
import { LoneStreams, SessionStreams } from './session-streams.ts';
import type { StreamParts } from './session-streams.ts';
import { SessionTable } from './session-table.ts';
import type { HeldSession } from './session-table.ts';

/** What a legacy request belongs to: a session that this instance holds, or one that is made for it alone. */
export interface Belonging {
  readonly session: LegacySession;
  readonly streams: PostStreams;
}

/** Nobody is told apart until authorization says who calls. */
const PRINCIPAL = '';

/** The sessions of an endpoint: those held in memory, and those that only their id knows of. */
export class HttpSessions {
  readonly #handle: Handler;
  readonly #settings: LegacyHttpSettings;
  readonly #slots: Slots;
  readonly #report: Reporter;
  readonly #ids: SessionIds;
  readonly #table: SessionTable;
  readonly #parts: StreamParts;
  /** Sessions of requests that stand alone, as long as those run. */
  readonly #lone = new Set<LegacySession>();
  /** Ids that are being read: two messages that arrive together must not make two sessions. */
  readonly #reading = new Map<string, Promise<HeldSession | Refusal>>();

  constructor(
    handle: Handler,
    settings: LegacyHttpSettings,
    options: LegacyHttpOptions,
    run: { readonly slots: Slots; readonly report: Reporter; readonly open: OpenStreams },
  ) {
    this.#handle = handle;
    this.#settings = settings;
    this.#slots = run.slots;
    this.#report = run.report;
    this.#ids = new SessionIds(new Sealer(options.secrets), settings.maxAgeMs);
    this.#table = new SessionTable(settings.table);
    this.#parts = { bounds: settings.stream, open: run.open, kept: new KeptStreams(settings.table) };
  }

  /** Begins a session; undefined where there is no room for it. */
  async start(facts: SessionFacts, head: HttpHead): Promise<HeldSession | undefined> {
    return this.#hold(await this.#ids.mint(facts, PRINCIPAL), head);
  }

  /** The session that a request belongs to, or why it belongs to none. */
  belonging(head: HttpHead): Belonging | Refusal | Promise<HeldSession | Refusal> {
    return this.#settings.mode === 'stateless' ? this.#alone(head) : this.find(head);
  }

  /** The session that the request names, or why there is none. At once where this instance holds it. */
  find(head: HttpHead): HeldSession | Refusal | Promise<HeldSession | Refusal> {
    const id = head.header('mcp-session-id');
    if (id === undefined) return { status: 400, message: NEITHER };
    const held = this.#table.find(id, PRINCIPAL);
    if (held !== undefined) return held;
    let reading = this.#reading.get(id);
    if (reading === undefined) {
      reading = this.#read(id, head).finally(() => this.#reading.delete(id));
      this.#reading.set(id, reading);
    }
    return reading;
  }

  /** The session that the request names, where this instance holds it. */
  held(head: HttpHead): HeldSession | undefined {
    const id = head.header('mcp-session-id');
    return id === undefined ? undefined : this.#table.find(id, PRINCIPAL);
  }

  /** Whether the session has not ended. */
  holds(held: HeldSession): boolean {
    return this.#table.find(held.id, PRINCIPAL) === held;
  }

  end(held: HeldSession): void {
    this.#table.end(held.id);
  }

  /** Cancels what runs and forgets every session. */
  close(): void {
    for (const session of this.#lone) session.close();
    this.#table.close();
  }

  async #read(id: string, head: HttpHead): Promise<HeldSession | Refusal> {
    const ticket = this.#table.hasEnded(id) ? undefined : await this.#ids.read(id, PRINCIPAL);
    if (ticket === undefined) return UNKNOWN;
    return this.#hold(ticket, head) ?? FULL;
  }

  #hold({ id, facts, until }: SessionTicket, head: HttpHead): HeldSession | undefined {
    return this.#table.add({ id, principal: PRINCIPAL, until }, () => ({
      session: this.#session(facts, head, false),
      streams: new SessionStreams(this.#parts),
    }));
  }

  #alone(head: HttpHead): Belonging {
    const version = head.header('mcp-protocol-version')?.trim() ?? '2025-03-26';
    const facts = { version, clientCapabilities: {}, clientInfo: { name: 'unknown', version: 'unknown' } };
    const session = this.#session(facts, head, true);
    this.#lone.add(session);
    return { session, streams: new LoneStreams(this.#parts, () => this.#lone.delete(session)) };
  }

  #session(facts: SessionFacts, head: HttpHead, isLone: boolean): LegacySession {
    return new LegacySession(facts, callerOf(head), {
      handle: this.#handle,
      bounds: this.#settings.session,
      report: this.#report,
      slots: this.#slots,
      isLone,
    });
  }
}

/** What a request's head says of who calls. */
export function callerOf(head: HttpHead): Caller {
  return { transport: 'http', header: (name) => head.header(name) };
}

const NEITHER =
  'neither era: a modern request has MCP-Protocol-Version and the fields of _meta, a legacy one has Mcp-Session-Id, which initialize gives';

export const UNKNOWN: Refusal = {
  status: 404,
  message: 'the session is unknown or has ended: start with initialize',
};

export const FULL: Refusal = {
  status: 503,
  message: 'no room for another session: try again',
  headers: ['Retry-After', '10'],
};
