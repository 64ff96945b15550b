import { inBackground } from '../../async/background.ts';
import type { LegacySession } from '../front/session.ts';
import type { KeptBounds } from './kept-streams.ts';
import type { SessionStreams } from './session-streams.ts';

/** Bounds of the sessions held in memory. */
export interface TableBounds extends KeptBounds {
  /** Sessions in all. Default 1,000; the longest unused makes room, where none is idle the new one is refused. */
  readonly maxSessions: number;
  /** Sessions of one principal. Default 10; the same rule. Callers without authorization are counted in all only. */
  readonly maxSessionsPerPrincipal: number;
  /** Milliseconds without a message after which a session's memory is freed. Default 1,800,000. */
  readonly idleMs: number;
}

export const DEFAULT_TABLE_BOUNDS: TableBounds = {
  maxSessions: 1000,
  maxSessionsPerPrincipal: 10,
  idleMs: 1_800_000,
  maxStreams: 32,
  maxKeptChars: 64 * 1024 * 1024,
};

/** Whose session it is, and how long. */
interface SessionName {
  readonly id: string;
  readonly principal: string;
  /** When its id expires, in milliseconds since 1970. */
  readonly until: number;
}

/** What one instance holds of a session: it can be made again from the session's id. */
export interface HeldSession extends SessionName {
  readonly session: LegacySession;
  /** Streams that a client may come back to. */
  readonly streams: SessionStreams;
  /** Carries what belongs to no request. */
  feed: { end(): void } | undefined;
  usedAt: number;
  /** Which use of all it was: clocks give many uses the same time. */
  use: number;
}

/** Ended sessions that are remembered, so that their ids stay dead. The oldest are forgotten first. */
const MAX_ENDED = 10_000;

/** The sessions that this instance holds. */
export class SessionTable {
  readonly #bounds: TableBounds;
  readonly #now: () => number;
  readonly #held = new Map<string, HeldSession>();
  readonly #ended = new Set<string>();
  #uses = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(bounds: TableBounds, now: () => number = Date.now) {
    this.#bounds = bounds;
    this.#now = now;
  }

  get size(): number {
    return this.#held.size;
  }

  /** The session of this id and principal, used now. */
  find(id: string, principal: string): HeldSession | undefined {
    const held = this.#held.get(id);
    if (held === undefined || held.principal !== principal) return undefined;
    const now = this.#now();
    if (held.until <= now) {
      this.#forget(held);
      return undefined;
    }
    held.usedAt = now;
    held.use = ++this.#uses;
    return held;
  }

  hasEnded(id: string): boolean {
    return this.#ended.has(id);
  }

  /** Holds a session that is made now; undefined where there is no room for it. */
  add(name: SessionName, make: () => Pick<HeldSession, 'session' | 'streams'>): HeldSession | undefined {
    if (!this.#makeRoom(name.principal)) return undefined;
    const held: HeldSession = {
      ...name,
      ...make(),
      feed: undefined,
      usedAt: this.#now(),
      use: ++this.#uses,
    };
    this.#held.set(held.id, held);
    this.#timer ??= inBackground(setInterval(() => this.#sweep(), Math.min(this.#bounds.idleMs, 60_000)));
    return held;
  }

  /** Ends a session for good: its id stays dead. */
  end(id: string): void {
    this.#ended.add(id);
    for (const oldest of this.#ended) {
      if (this.#ended.size <= MAX_ENDED) break;
      this.#ended.delete(oldest);
    }
    const held = this.#held.get(id);
    if (held !== undefined) this.#forget(held);
  }

  close(): void {
    for (const held of this.#held.values()) this.#forget(held);
  }

  #makeRoom(principal: string): boolean {
    if (this.#held.size >= this.#bounds.maxSessions && !this.#evict(() => true)) return false;
    if (principal === '') return true;
    const own = [...this.#held.values()].filter((held) => held.principal === principal);
    return (
      own.length < this.#bounds.maxSessionsPerPrincipal || this.#evict((held) => held.principal === principal)
    );
  }

  /** Frees the longest unused. Looked for only now: to keep them in order would cost every request. */
  #evict(matches: (held: HeldSession) => boolean): boolean {
    let oldest: HeldSession | undefined;
    for (const held of this.#held.values()) {
      if (oldest !== undefined && held.use > oldest.use) continue;
      if (!held.session.isBusy && matches(held)) oldest = held;
    }
    if (oldest !== undefined) this.#forget(oldest);
    return oldest !== undefined;
  }

  #sweep(): void {
    const before = this.#now() - this.#bounds.idleMs;
    for (const held of this.#held.values()) {
      if (held.usedAt <= before && !held.session.isBusy) this.#forget(held);
    }
  }

  #forget(held: HeldSession): void {
    this.#held.delete(held.id);
    held.session.close();
    held.feed?.end();
    held.streams.clear();
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
