import { LATEST_VERSION, LEGACY_VERSIONS, MODERN_VERSIONS } from '../../protocol/revisions/index.ts';
import { PeerError } from '../../protocol/protocol-error.ts';
import {
  ConnectionClosedError,
  EraNegotiationError,
  HttpError,
  ProtocolViolationError,
} from '../../transport/client/errors.ts';
import type { Link, LinkEvents } from '../../transport/client/link.ts';
import { discover, readDiscoverError, readDiscoverResult } from './discover.ts';
import type { Evidence } from './discover.ts';
import { probeMeta } from './era-options.ts';
import type { EraSettings } from './era-options.ts';
import type { Established } from './established.ts';
import { modernConnection } from './modern-connection.ts';
import { Relay } from './relay.ts';
import type { EraVerdict } from './verdict.ts';

/** The three ways to talk to a URL, one for each generation of the HTTP transports. */
export interface HttpLinks {
  modern(events: LinkEvents): Link;
  /** Streamable HTTP of 2025-03-26 to 2025-11-25. */
  legacy(events: LinkEvents): Promise<Link>;
  /** HTTP+SSE of 2024-11-05; rejects where the URL offers no such stream. */
  sse(events: LinkEvents): Promise<Link>;
}

/** What an attempt told: the server is not of this kind, or nobody can say. */
type Attempt =
  | { readonly kind: 'not'; readonly why: string }
  | { readonly kind: 'unclear'; readonly error: unknown };

/**
 * Finds out the era of a server behind a URL (basic/transports/streamable-http, "Backward Compatibility"): a modern
 * request first, then `initialize`, then the transport of 2024-11-05. Refusals for want of authorization, overload and
 * time-outs say nothing of the era, and end the search.
 */
export async function establishHttp(
  url: string,
  links: HttpLinks,
  settings: EraSettings,
  known: EraVerdict | undefined,
  signal: AbortSignal,
): Promise<Established> {
  const search = new Search(url, links, settings, signal);
  if (settings.era === 'legacy') return search.legacy([]);
  const isLegacy = settings.era === 'auto' && known?.era === 'legacy';
  if (isLegacy) {
    const found = known.transport === 'sse' ? await search.trySse() : await search.tryLegacy();
    if ('handle' in found) return found;
  }
  return search.all();
}

class Search {
  readonly #url: string;
  readonly #links: HttpLinks;
  readonly #settings: EraSettings;
  readonly #signal: AbortSignal;

  constructor(url: string, links: HttpLinks, settings: EraSettings, signal: AbortSignal) {
    this.#url = url;
    this.#links = links;
    this.#settings = settings;
    this.#signal = signal;
  }

  async all(): Promise<Established> {
    const modern = await this.#tryModern();
    if ('handle' in modern) return modern;
    if (this.#settings.era === 'modern') throw this.#failed([modern]);
    return this.legacy([modern]);
  }

  async legacy(before: readonly Attempt[]): Promise<Established> {
    const isUnclear = before.some((attempt) => attempt.kind === 'unclear');
    const legacy = await this.tryLegacy();
    // What answers one request and fails another may be anything the next time.
    if ('handle' in legacy) return isUnclear ? { ...legacy, verdict: undefined } : legacy;
    const sse = await this.trySse();
    if ('handle' in sse) return isUnclear ? { ...sse, verdict: undefined } : sse;
    throw this.#failed([...before, legacy, sse]);
  }

  tryLegacy(): Promise<Established | Attempt> {
    return this.#try('initialize', async (relay) => {
      const link = await this.#links.legacy(relay);
      return this.#greet(link, relay);
    });
  }

  trySse(): Promise<Established | Attempt> {
    return this.#try('the GET of HTTP+SSE', async (relay) => {
      const link = await this.#links.sse(relay);
      return this.#greet(link, relay);
    });
  }

  async #tryModern(): Promise<Established | Attempt> {
    const relay = new Relay();
    const link = this.#links.modern(relay);
    const attempt = await this.#try('server/discover', async () => {
      let evidence = await this.#ask(link, LATEST_VERSION);
      if (evidence.kind === 'retry') evidence = await this.#ask(link, evidence.version);
      if (evidence.kind === 'modern') {
        return modernConnection(link, relay, evidence.facts, this.#settings.report, noHint);
      }
      if (evidence.kind === 'other') return { kind: 'not', why: `server/discover: ${evidence.why}` };
      throw new EraNegotiationError(
        `${this.#url} offers revision ${evidence.version} and refuses it`,
        MODERN_VERSIONS,
        [evidence.version],
      );
    });
    if (!('handle' in attempt)) await link.close();
    return attempt;
  }

  async #greet(link: Link, relay: Relay): Promise<Established> {
    const { greetLegacy } = await import('./legacy-server.ts');
    try {
      return await greetLegacy(link, relay, this.#settings, this.#signal, noHint);
    } catch (error) {
      await link.close();
      throw error;
    }
  }

  async #ask(link: Link, version: string): Promise<Evidence> {
    try {
      return readDiscoverResult(await discover(link, probeMeta(this.#settings), version, this.#signal));
    } catch (error) {
      if (error instanceof PeerError && !saysNothing(error.status)) return readDiscoverError(error);
      throw error;
    }
  }

  async #try(
    what: string,
    attempt: (relay: Relay) => Promise<Established | Attempt>,
  ): Promise<Established | Attempt> {
    try {
      return await attempt(new Relay());
    } catch (error) {
      // A server that hangs up in the middle may do so on what it doesn't know.
      if (error instanceof ConnectionClosedError && !this.#signal.aborted) return { kind: 'unclear', error };
      if (error instanceof ProtocolViolationError) return { kind: 'not', why: `${what}: ${error.message}` };
      if (!(error instanceof HttpError || error instanceof PeerError)) throw error;
      const { status } = error;
      if (status !== undefined && status >= 500) return { kind: 'unclear', error };
      if (saysNothing(status)) throw error;
      return { kind: 'not', why: `${what}: ${error.message}` };
    }
  }

  #failed(attempts: readonly Attempt[]): unknown {
    const unclear = attempts.find((attempt) => attempt.kind === 'unclear');
    if (unclear !== undefined) return unclear.error;
    const whys = attempts.flatMap((attempt) => (attempt.kind === 'not' ? [`- ${attempt.why}`] : []));
    return new EraNegotiationError(
      `${this.#url} does not answer like an MCP server of any revision:\n${whys.join('\n')}`,
      this.#settings.era === 'modern' ? MODERN_VERSIONS : [...MODERN_VERSIONS, ...LEGACY_VERSIONS],
      [],
    );
  }
}

/** Statuses that are evidence of nothing: not allowed, not now, not here. */
function saysNothing(status: number | undefined): boolean {
  if (status === undefined) return false;
  return (
    [401, 402, 403, 407, 408, 425, 429].includes(status) || (status >= 300 && status < 400) || status >= 500
  );
}

function noHint(): undefined {
  return undefined;
}
