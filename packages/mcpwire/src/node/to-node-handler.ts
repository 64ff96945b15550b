import type { ServerResponse } from 'node:http';
import type { Handler } from '../protocol/handler.ts';
import { dualEndpoint } from '../legacy/http/dual-endpoint.ts';
import type { DualHttpOptions } from '../legacy/http/dual-endpoint.ts';
import { quietEndsOfCalls } from './quiet-ends.ts';
import { serveRequest } from './serve-request.ts';
import type { NodeRequest } from './serve-request.ts';

/** A request listener for `node:http` and everything built on it. */
export interface NodeHandler {
  (request: NodeRequest, response: ServerResponse): void;
  /** Ends subscriptions with their result, refuses new requests, resolves when running ones are answered. */
  close(): Promise<void>;
  /** Cancels what a closed connection does not: requests of the legacy era, whose clients may come back. */
  abort(): void;
}

/**
 * Makes a server into a listener for `node:http`, Express, Fastify (raw), Connect and the like.
 * Routing is theirs: mount it at the path of your MCP endpoint.
 */
export function toNodeHandler(
  server: { readonly handle: Handler },
  options: DualHttpOptions = {},
): NodeHandler {
  quietEndsOfCalls();
  const endpoint = dualEndpoint(server.handle, options);
  const listener = (request: NodeRequest, response: ServerResponse): void =>
    serveRequest(endpoint, request, response);
  return Object.assign(listener, { close: () => endpoint.close(), abort: () => endpoint.abort() });
}
