import type { Link } from '../../transport/client/link.ts';
import { modernServer } from '../../transport/client/modern-handler.ts';
import type { Reporter } from '../../transport/report.ts';
import type { ServerFacts } from '../connection.ts';
import type { Established } from './established.ts';
import type { Relay } from './relay.ts';

/** A modern server needs no greeting: what it said of itself is all there is. */
export function modernConnection(
  link: Link,
  relay: Relay,
  facts: ServerFacts,
  report: Reporter,
  hint: () => string | undefined,
): Established {
  const server = modernServer(link, report);
  relay.target = { incoming: (message) => server.incoming(message), closed: () => {} };
  return {
    handle: server.handle,
    facts,
    transport: link.transport,
    verdict: { era: 'modern', version: facts.version, at: new Date().toISOString() },
    closed: relay.ended,
    hint,
    close: () => link.close(),
  };
}
