import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';
import { LEGACY_VERSIONS } from '../../protocol/revisions/index.ts';
import type { Sealer } from '../../seal/sealer.ts';
import type { SessionFacts } from '../front/facts.ts';

/** Longest session id: it travels in a header with every request. */
const MAX_SESSION_ID = 8192;

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

  async mint(facts: SessionFacts, principal: string): Promise<string> {
    const { version, clientCapabilities, clientInfo } = facts;
    const value = { version, clientCapabilities, clientInfo };
    const id = await this.#sealer.seal(value, { purpose: 'session', bound: [principal] }, this.#maxAgeMs);
    if (id.length <= MAX_SESSION_ID) return id;
    // A client with enormous experimental capabilities keeps those that this protocol knows.
    const { experimental: _dropped, ...known } = clientCapabilities;
    const small = {
      ...value,
      clientCapabilities: known,
      clientInfo: { name: clientInfo.name.slice(0, 64), version: '' },
    };
    const short = await this.#sealer.seal(small, { purpose: 'session', bound: [principal] }, this.#maxAgeMs);
    if (short.length <= MAX_SESSION_ID) return short;
    throw invalidParams('params.capabilities are too large to be kept in a session id');
  }

  /** What the id contains; undefined where it is unknown, expired, or somebody else's. */
  async read(id: string, principal: string): Promise<SessionFacts | undefined> {
    if (id.length > MAX_SESSION_ID) return undefined;
    const value = await this.#sealer.open(id, { purpose: 'session', bound: [principal] });
    if (value === undefined) return undefined;
    const { version, clientCapabilities, clientInfo } = value;
    if (typeof version !== 'string' || !LEGACY_VERSIONS.includes(version)) return undefined;
    if (!isJsonObject(clientCapabilities) || !isJsonObject(clientInfo)) return undefined;
    return {
      version,
      clientCapabilities: clientCapabilities as ClientCapabilities,
      clientInfo: { name: String(clientInfo['name']), version: String(clientInfo['version']) },
    };
  }
}
