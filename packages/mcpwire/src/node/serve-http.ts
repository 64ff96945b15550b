import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Handler } from '../protocol/handler.ts';
import { assertBounds } from '../protocol/bounds.ts';
import { UsageError } from '../protocol/usage-error.ts';
import type { DualHttpOptions } from '../legacy/http/dual-endpoint.ts';
import type { SseOptions } from '../legacy/sse/options.ts';
import type { SseEndpoint } from '../legacy/sse/sse-endpoint.ts';
import type { HttpOptions } from '../transport/http/options.ts';
import { LOOPBACK_HOSTS } from '../transport/http/options.ts';
import { serveRequest } from './serve-request.ts';
import { toNodeHandler } from './to-node-handler.ts';

export interface ServeHttpOptions extends DualHttpOptions {
  /** Port to listen on; 0 takes a free one. Default 3000. */
  readonly port?: number;
  /** Address to listen on. Default 127.0.0.1. Any other than loopback needs `allowedHosts`. */
  readonly host?: string;
  /** Path of the MCP endpoint. Default `/mcp`; everything else is answered 404. */
  readonly path?: string;
  /** Milliseconds that request headers may take to arrive. Default 10,000; then 408. */
  readonly headersTimeoutMs?: number;
  /** Milliseconds after which an idle connection is closed. Default 65,000. */
  readonly idleTimeoutMs?: number;
  /** Most request headers; Node drops further ones. Default 100. */
  readonly maxHeaders?: number;
  /**
   * Also serves the deprecated HTTP+SSE transport of 2024-11-05, for clients that know nothing newer: an event stream at
   * `/sse`, messages to `/messages`. Default off.
   */
  readonly sse?: boolean | SseOptions;
  /** Milliseconds that running requests get when the server closes. Default 10,000. */
  readonly drainMs?: number;
}

/** A listening HTTP server. */
export interface RunningHttpServer {
  /** Address of the MCP endpoint. */
  readonly url: string;
  readonly port: number;
  /** Refuses new requests, ends subscriptions, waits for running requests up to `drainMs`, then closes everything. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves on Streamable HTTP with safe defaults: loopback only, `Host` and `Origin` checked, bodies and times bounded.
 * Rejects with the system's error where the port is taken.
 */
export async function serveHttp(
  server: { readonly handle: Handler },
  options: ServeHttpOptions = {},
): Promise<RunningHttpServer> {
  const host = options.host ?? '127.0.0.1';
  const isLoopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (!isLoopback && options.allowedHosts === undefined) {
    throw new UsageError(
      `listening on ${host} makes the server reachable from other machines: name the hosts it answers to in allowedHosts`,
    );
  }
  assertOptions(options);
  const path = options.path ?? '/mcp';
  // Loaded here: a server on stdio starts without it.
  const { createServer } = await import('node:http');
  const openSse = await loadSse(server.handle, options.sse);
  // The port is part of a loopback endpoint's name, and known only once it listens.
  const open = (known: DualHttpOptions) => ({ handler: toNodeHandler(server, known), sse: openSse?.(known) });
  let endpoints = open(options);
  const bodyTimeoutMs = options.bodyTimeoutMs ?? 30_000;
  // Node looks at the times of all connections at once, now and then.
  const connectionsCheckingInterval = 1_000;
  /** Connections that have asked nothing yet: Node takes them for busy. */
  const silent = new Set<Socket>();
  const http = createServer({ connectionsCheckingInterval }, (request, response) => {
    const { handler, sse } = endpoints;
    silent.delete(request.socket);
    const url = request.url ?? '';
    if (url === path || url.split('?', 1)[0] === path || isNoPath(url)) {
      handler(request, response);
    } else if (sse?.serves(url) === true) {
      serveRequest(sse, request, response);
    } else {
      response
        .writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' })
        .end(`no MCP endpoint here: it is at ${path}\n`);
    }
  });
  http.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  http.headersTimeout = Math.min(options.headersTimeoutMs ?? 10_000, bodyTimeoutMs);
  http.requestTimeout = bodyTimeoutMs;
  http.keepAliveTimeout = options.idleTimeoutMs ?? 65_000;
  http.maxHeadersCount = options.maxHeaders ?? 100;
  const port = await listen(http, options.port ?? 3000, host);
  const known =
    isLoopback && options.allowedHosts === undefined
      ? { ...options, allowedHosts: LOOPBACK_HOSTS.map((name) => `${name}:${port}`) }
      : options;
  endpoints = open(known);
  const close = async (): Promise<void> => {
    const { handler, sse } = endpoints;
    const closed = new Promise<void>((resolve) => http.close(() => resolve()));
    http.closeIdleConnections();
    for (const socket of silent) if (socket.bytesRead === 0) socket.destroy();
    const timer = setTimeout(() => {
      http.closeAllConnections();
      handler.abort();
      sse?.abort();
    }, options.drainMs ?? 10_000);
    await Promise.all([handler.close(), sse?.close()]);
    http.closeIdleConnections();
    await closed;
    clearTimeout(timer);
  };
  const shown = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shown}:${port}${path}`, port, close, [Symbol.asyncDispose]: close };
}

/** The deprecated transport, loaded only where it is wanted. */
async function loadSse(
  handle: Handler,
  wanted: ServeHttpOptions['sse'],
): Promise<((options: HttpOptions) => SseEndpoint) | undefined> {
  if (wanted === undefined || wanted === false) return undefined;
  const { SseEndpoint } = await import('../legacy/sse/sse-endpoint.ts');
  return (options) => new SseEndpoint(handle, options, wanted === true ? {} : wanted);
}

function assertOptions({ sse, ...options }: ServeHttpOptions): void {
  if (options.legacy === false && sse !== undefined && sse !== false) {
    throw new UsageError('sse serves the legacy era, and legacy: false leaves it out: drop one of the two');
  }
  assertBounds(options);
  if (typeof sse === 'object') assertBounds(sse, 'sse.');
}

/** What is not even a path is the endpoint's to refuse. */
function isNoPath(target: string): boolean {
  return !target.startsWith('/') && target !== '*';
}

function listen(http: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.off('error', reject);
      resolve((http.address() as AddressInfo).port);
    });
  });
}
