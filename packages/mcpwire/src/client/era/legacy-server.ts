import { connectLegacy } from '../../legacy/back/connect-legacy.ts';
import type { Link } from '../../transport/client/link.ts';
import type { EraSettings } from './era-options.ts';
import type { Established } from './established.ts';
import type { Relay } from './relay.ts';

/** Greets a legacy server over a link and presents it as a modern one. */
export async function greetLegacy(
  link: Link,
  relay: Relay,
  settings: EraSettings,
  signal: AbortSignal,
  hint: () => string | undefined,
): Promise<Established> {
  const server = await connectLegacy(
    (events) => {
      relay.target = events;
      return Promise.resolve(link);
    },
    {
      clientCapabilities: settings.capabilities,
      clientInfo: settings.clientInfo,
      answer: settings.answer,
      answersStrays: true,
      report: settings.report,
      signal,
      bounds: { handshakeMs: settings.connectMs },
    },
  );
  const sse = link.transport === 'sse' ? { transport: 'sse' as const } : {};
  return {
    handle: server.handle,
    get facts() {
      return server.facts;
    },
    transport: link.transport,
    verdict: { era: 'legacy', version: server.facts.version, ...sse, at: new Date().toISOString() },
    closed: relay.ended,
    hint,
    close: () => server.close(),
  };
}
