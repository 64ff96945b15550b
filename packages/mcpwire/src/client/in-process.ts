import type { Handler } from '../protocol/handler.ts';
import { isProtocolError, PeerError } from '../protocol/protocol-error.ts';
import { LATEST_VERSION } from '../protocol/revisions/index.ts';
import type { ServerCapabilities } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/common-types.ts';
import type { Connection } from './connection.ts';

/** A server in this process: anything with a handler. What `createServer` makes also says what it is. */
export interface InProcessTarget {
  readonly handle: Handler;
  readonly info?: Implementation;
  readonly capabilities?: ServerCapabilities;
}

/** A connection without a wire. The server is called as it is, and not closed with the client. */
export function connectInProcess(server: InProcessTarget): Connection {
  return {
    async handle(request, exchange) {
      try {
        return await server.handle(request, exchange);
      } catch (error) {
        // What would be an error response on a wire.
        throw isProtocolError(error) ? new PeerError(error.toWire()) : error;
      }
    },
    transport: 'in-process',
    get facts() {
      return {
        era: 'modern' as const,
        version: LATEST_VERSION,
        capabilities: server.capabilities ?? {},
        ...(server.info === undefined ? {} : { serverInfo: server.info }),
      };
    },
    close: () => Promise.resolve(),
  };
}
