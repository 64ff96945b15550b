import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';
import { LEGACY_VERSIONS } from '../../protocol/revisions/index.ts';
import type { Sealer } from '../../seal/sealer.ts';
import type { SessionFacts } from '../front/facts.ts';

/** Longest session id: it travels in a header with every request. */
const MAX_SESSION_ID = 8192;

/** A session id and what is in it. */
export interface SessionTicket {
  readonly id: string;
  readonly facts: SessionFacts;
  /** When it expires, in milliseconds since 1970. */
  readonly until: number;
}

/**
 * `Mcp-Session-Id` values that contain what the handshake settled, sealed and bound to the principal: a session needs no
 * store, survives a restart with the same secret, and can be served by any instance.
 */
export class SessionIds {
  readonly #sealer: Sealer;
  readonly #maxAgeMs: number;

  constructor(sealer: Sealer, maxAgeMs: number) {
    this.#sealer = sealer;
    this.#maxAgeMs = maxAgeMs;
  }

  async mint(facts: SessionFacts, principal: string): Promise<SessionTicket> {
    const until = Date.now() + this.#maxAgeMs;
    const { version, clientCapabilities, clientInfo } = facts;
    const value = { version, clientCapabilities, clientInfo, until };
    const id = await this.#seal(value, principal);
    if (id.length <= MAX_SESSION_ID) return { id, facts, until };
    // A client with enormous experimental capabilities keeps those that this protocol knows.
    const { experimental: _dropped, ...known } = clientCapabilities;
    const name = clientInfo.name.slice(0, 64);
    const small = { ...value, clientCapabilities: known, clientInfo: { name, version: '' } };
    const short = await this.#seal(small, principal);
    if (short.length <= MAX_SESSION_ID) return { id: short, facts, until };
    throw invalidParams('params.capabilities are too large to be kept in a session id');
  }

  /** What the id contains; undefined where it is unknown, expired, or somebody else's. */
  async read(id: string, principal: string): Promise<SessionTicket | undefined> {
    if (id.length > MAX_SESSION_ID) return undefined;
    const value = await this.#sealer.open(id, { purpose: 'session', bound: [principal] });
    if (value === undefined) return undefined;
    const { version, clientCapabilities, clientInfo, until } = value;
    if (typeof version !== 'string' || !LEGACY_VERSIONS.includes(version)) return undefined;
    if (!isJsonObject(clientCapabilities) || !isJsonObject(clientInfo)) return undefined;
    const facts = {
      version,
      clientCapabilities: clientCapabilities as ClientCapabilities,
      clientInfo: { name: String(clientInfo['name']), version: String(clientInfo['version']) },
    };
    return { id, facts, until: Number(until) };
  }

  #seal(value: JsonObject, principal: string): Promise<string> {
    return this.#sealer.seal(value, { purpose: 'session', bound: [principal] }, this.#maxAgeMs);
  }
}
