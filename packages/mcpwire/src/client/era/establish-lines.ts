import { TimeoutError } from '../../async/with-timeout.ts';
import { CancelledError } from '../../transport/cancelled.ts';
import { LATEST_VERSION, MODERN_VERSIONS } from '../../protocol/revisions/index.ts';
import { ConnectionClosedError, EraNegotiationError } from '../../transport/client/errors.ts';
import type { LineLink } from '../../transport/client/lines/line-link.ts';
import type { LinkEvents } from '../../transport/client/link.ts';
import type { ServerFacts } from '../connection.ts';
import { discover, isPeerError, readDiscoverError, readDiscoverResult } from './discover.ts';
import type { Evidence } from './discover.ts';
import { probeMeta } from './era-options.ts';
import type { EraSettings } from './era-options.ts';
import type { Established } from './established.ts';
import { modernConnection } from './modern-connection.ts';
import { Relay } from './relay.ts';
import type { EraVerdict } from './verdict.ts';

/** Opens a way to the server: starts its process, or connects a socket. */
export type OpenLines = (events: LinkEvents) => Promise<LineLink>;

/**
 * Finds out the era of a server on a pipe, and greets it accordingly (basic/transports/stdio, "Backward Compatibility").
 * One process is enough: only a server that exits on the probe is started again.
 */
export async function establishLines(
  open: OpenLines,
  settings: EraSettings,
  known: EraVerdict | undefined,
  signal: AbortSignal,
): Promise<Established> {
  const first = await Meeting.open(open, settings, signal);
  try {
    const isLegacy = settings.era === 'legacy' || (settings.era === 'auto' && known?.era === 'legacy');
    return await (isLegacy ? first.legacyFirst() : first.probe());
  } catch (error) {
    const hint = first.hint();
    await first.close();
    if (error instanceof TimeoutError && hint !== undefined) {
      throw new TimeoutError(`${error.message}; ${hint}`);
    }
    const died = error instanceof ConnectionClosedError && !signal.aborted;
    if (!died || settings.era !== 'auto') throw error;
  }
  // Servers of one widely used library exit on any request before `initialize`; one that has become modern may exit on that.
  const second = await Meeting.open(open, settings, signal);
  try {
    return await (first.wasProbed ? second.legacy() : second.probe());
  } catch (error) {
    await second.close();
    throw error;
  }
}

/** One process, from its start until its era is known. */
class Meeting {
  wasProbed = false;
  readonly #link: LineLink;
  readonly #relay: Relay;
  readonly #settings: EraSettings;
  readonly #signal: AbortSignal;

  static async open(open: OpenLines, settings: EraSettings, signal: AbortSignal): Promise<Meeting> {
    const relay = new Relay();
    return new Meeting(await open(relay), relay, settings, signal);
  }

  constructor(link: LineLink, relay: Relay, settings: EraSettings, signal: AbortSignal) {
    this.#link = link;
    this.#relay = relay;
    this.#settings = settings;
    this.#signal = signal;
  }

  /** Asks what the server is. Silence is no answer yet: a slow start reads `initialize` after the probe. */
  async probe(): Promise<Established> {
    this.wasProbed = true;
    const asked = new AbortController();
    const asking = this.#ask(LATEST_VERSION, AbortSignal.any([this.#signal, asked.signal]));
    if (this.#settings.era === 'modern' || (await answersWithin(asking, this.#settings.probeMs))) {
      return this.#act(await asking);
    }
    const given = new AbortController();
    const greeting = this.legacy(AbortSignal.any([this.#signal, given.signal]));
    const late = asking.then((evidence) => {
      if (evidence.kind === 'other') return greeting;
      given.abort(new CancelledError('caller', 'the server turned out to be modern'));
      return this.#act(evidence);
    });
    const greeted = greeting.catch((error: unknown) => {
      if (given.signal.aborted) return late;
      throw error;
    });
    const winner = await Promise.race([late, greeted]);
    // Only now: an answer to the probe may still be on its way.
    asked.abort(new CancelledError('caller', 'the server was greeted'));
    return winner;
  }

  /** A server that was legacy: where it no longer is, it says so or says nothing, and is asked what it is. */
  async legacyFirst(): Promise<Established> {
    if (this.#settings.era === 'legacy') return this.legacy();
    const given = new AbortController();
    const timer = setTimeout(
      () => given.abort(new TimeoutError('no answer to initialize')),
      this.#settings.connectMs / 2,
    );
    try {
      return await this.legacy(AbortSignal.any([this.#signal, given.signal]));
    } catch (error) {
      if (!isPeerError(error) && !given.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
    return this.probe();
  }

  async legacy(signal = this.#signal): Promise<Established> {
    const { greetLegacy } = await import('./legacy-server.ts');
    return greetLegacy(this.#link, this.#relay, this.#settings, signal, () => this.#link.hint());
  }

  hint(): string | undefined {
    return this.#link.hint();
  }

  async close(): Promise<void> {
    await this.#link.close();
  }

  async #act(evidence: Evidence): Promise<Established> {
    if (evidence.kind === 'modern') return this.#modern(evidence.facts);
    if (evidence.kind === 'retry') {
      const second = await this.#ask(evidence.version);
      if (second.kind === 'modern') return this.#modern(second.facts);
      throw new EraNegotiationError(
        `the server offers revision ${evidence.version} and refuses it`,
        MODERN_VERSIONS,
        [evidence.version],
      );
    }
    if (this.#settings.era === 'modern') {
      throw new EraNegotiationError(
        `the server is not modern: it answered server/discover with ${evidence.why}`,
        MODERN_VERSIONS,
        [],
      );
    }
    return this.legacy();
  }

  #modern(facts: ServerFacts): Established {
    return modernConnection(this.#link, this.#relay, facts, this.#settings.report, () => this.hint());
  }

  async #ask(version: string, signal = this.#signal): Promise<Evidence> {
    try {
      return readDiscoverResult(await discover(this.#link, probeMeta(this.#settings), version, signal));
    } catch (error) {
      if (isPeerError(error)) return readDiscoverError(error);
      throw error;
    }
  }
}

/** Whether the server says anything in time, be it that it ends. */
function answersWithin(asking: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const answered = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    asking.then(answered, answered);
  });
}
