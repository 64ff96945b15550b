import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import type { Implementation } from '../../protocol/common-types.ts';
import { assertBounds, withDefaults } from '../../protocol/bounds.ts';
import type { Handler } from '../../protocol/handler.ts';
import { LEGACY_VERSIONS } from '../../protocol/revisions/index.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { ConnectionClosedError } from '../../transport/client/errors.ts';
import type { Incoming, LinkEvents } from '../../transport/client/link.ts';
import type { Reporter } from '../../transport/report.ts';
import { reportToConsole, safeReporter } from '../../transport/report.ts';
import type { BackBounds } from './bounds.ts';
import { DEFAULT_BACK_BOUNDS } from './bounds.ts';
import type { LegacyFacts } from './handshake.ts';
import { LegacyHandler } from './legacy-handler.ts';
import type { Answerer } from './questions.ts';
import type { LinkMaker } from './upstream.ts';
import { Upstream } from './upstream.ts';

export interface ConnectLegacyOptions {
  /** What the caller can do: declared in the handshake, in the words of the era, and nothing more. */
  readonly clientCapabilities: ClientCapabilities;
  readonly clientInfo: Implementation;
  /** The version to offer. Default the newest of the legacy era; any other of it is accepted for an answer. */
  readonly version?: string;
  /** Answers what the server asks while no request is open in which the caller could be asked. */
  readonly answer?: Answerer;
  /**
   * Whether `answer` also answers what may belong to any of the open requests: nobody can say of which, and where all of
   * them have one and the same caller it means nothing. Without it such a question goes to the oldest of them.
   */
  readonly answersStrays?: boolean;
  /** Hears when the connection ends though nobody closed it. */
  readonly onClosed?: (error: Error) => void;
  readonly report?: Reporter;
  readonly bounds?: Partial<BackBounds>;
  /** Ends the handshake. */
  readonly signal?: AbortSignal;
}

/** A legacy server that can be called as a modern one. */
export interface LegacyServer {
  readonly handle: Handler;
  /** The name of the link's transport. */
  readonly transport: string;
  /** Of the newest handshake: a server that lost a session may say something else than before. */
  readonly facts: LegacyFacts;
  /** Ends it: calls that wait are rejected with a `ConnectionClosedError`, subscriptions end with their result. */
  close(): Promise<void>;
}

/**
 * Shakes hands with a legacy server and presents it as a modern handler.
 *
 * Rejects with the server's own `PeerError` or `HttpError` where it refuses `initialize`, with an `EraNegotiationError`
 * where it answers with a version that nobody knows, and with a `TimeoutError` where it does not answer. Then the link
 * is still its maker's, open as it was; once this has resolved, `close` closes it.
 */
export async function connectLegacy(open: LinkMaker, options: ConnectLegacyOptions): Promise<LegacyServer> {
  const { clientCapabilities, clientInfo, version = LEGACY_VERSIONS[0] ?? '', signal } = options;
  assertBounds(options.bounds ?? {}, 'bounds.');
  if (!LEGACY_VERSIONS.includes(version)) {
    throw new UsageError(
      `version must be one of ${LEGACY_VERSIONS.join(', ')}, got ${JSON.stringify(version)}`,
    );
  }
  const bounds: BackBounds = withDefaults(DEFAULT_BACK_BOUNDS, options.bounds ?? {});
  const report = safeReporter(options.report ?? reportToConsole);
  const router = new Router(options.onClosed);
  const link = await open(router);
  const upstream = new Upstream(link, {
    version,
    clientCapabilities,
    clientInfo,
    bounds,
    incoming: (message) => router.incoming(message),
    renewed: () => handler.renew(),
  });
  const handler = new LegacyHandler(upstream, {
    declared: clientCapabilities,
    bounds,
    report,
    answer: options.answer,
    answersStrays: options.answersStrays ?? false,
  });
  router.start(handler);
  await upstream.handshake(signal);
  return {
    handle: handler.handle,
    transport: link.transport,
    get facts() {
      return upstream.facts;
    },
    close: async () => {
      handler.close(new ConnectionClosedError('the connection was closed'));
      await upstream.close();
    },
  };
}

/** Brings what the link tells to the handler, from its first message on. */
class Router implements LinkEvents {
  readonly #onClosed: ((error: Error) => void) | undefined;
  readonly #early: Incoming[] = [];
  #handler: LegacyHandler | undefined;

  constructor(onClosed: ((error: Error) => void) | undefined) {
    this.#onClosed = onClosed;
  }

  start(handler: LegacyHandler): void {
    this.#handler = handler;
    for (const message of this.#early.splice(0)) handler.incoming(message);
  }

  incoming(message: Incoming): void {
    if (this.#handler !== undefined) this.#handler.incoming(message);
    // Only while the link is being made: what comes then is the beginning of its first stream.
    else if (this.#early.length < MAX_EARLY) this.#early.push(message);
  }

  sessionLost(): void {
    this.#handler?.sessionLost();
  }

  missed(): void {
    this.#handler?.missed();
  }

  closed(error: Error): void {
    this.#handler?.disconnected();
    this.#onClosed?.(error);
  }
}

const MAX_EARLY = 64;
