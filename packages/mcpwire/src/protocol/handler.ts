import type { ClientCapabilities } from './capabilities.ts';
import type { Implementation, LoggingLevel, ProgressToken } from './common-types.ts';
import type { Notification } from './notifications.ts';
import type { Result } from './results.ts';

/** The `_meta` of every request (basic/index, "Per-request protocol fields"). */
export interface RequestMeta {
  readonly 'io.modelcontextprotocol/protocolVersion': string;
  readonly 'io.modelcontextprotocol/clientCapabilities': ClientCapabilities;
  readonly 'io.modelcontextprotocol/clientInfo'?: Implementation;
  readonly 'io.modelcontextprotocol/logLevel'?: LoggingLevel;
  readonly progressToken?: ProgressToken;
  readonly [key: string]: unknown;
}

export interface Params {
  readonly _meta: RequestMeta;
  readonly [key: string]: unknown;
}

/** One self-contained request in the language of the newest revision. It has no id: ids belong to the wire. */
export interface McpRequest {
  readonly method: string;
  readonly params: Params;
}

/** Facts about the caller that the transport vouches for. */
export interface Caller {
  /** How the request came in: `stdio`, `http`, `in-process`, or the name of a custom transport. */
  readonly transport: string;
  /** An HTTP request header by its lower-case name; undefined where it is absent or there are no headers. */
  header?(name: string): string | undefined;
  /**
   * The `Mcp-Param-*` header that mirrors an argument, by its lower-case name. Absent where the transport and revision of
   * the request mirror none: then there is nothing to compare (basic/transports/streamable-http, HTTP-69).
   */
  paramHeader?(name: string): string | undefined;
  /** Verified authorization, where the transport checked one. */
  readonly auth?: Auth;
  /**
   * Lets the connection go while the work goes on, where the client can come back for the answer: a 2025-11-25 client
   * over HTTP, that polls. Absent where nobody would come back.
   */
  release?(): void;
}

/** What a verified credential says. */
export interface Auth {
  /** Stable name of the one who calls, unique within the issuer. */
  readonly principal: string;
  readonly scopes: readonly string[];
  /** Further claims of the credential. */
  readonly claims?: { readonly [name: string]: unknown };
}

/** Something that may be cancelled, told without an `AbortSignal` having to be made. `AbortSignal`s are wrapped as one. */
export interface Cancellation {
  readonly aborted: boolean;
  /** Why, once it is aborted. */
  readonly reason: unknown;
  /** Calls back on the abort, which must not have happened yet. */
  onAbort(listener: () => void): void;
  /** Takes a listener back: the same function. */
  ignore(listener: () => void): void;
}

/** What surrounds one request while it is being answered. */
export interface Exchange {
  /** Aborted when the caller cancels, disconnects, or the transport closes. */
  readonly signal: AbortSignal;
  /** The same, where the caller has it cheaper: for code that every request passes through. */
  readonly cancellation?: Cancellation;
  /** Sends a notification that belongs to this request; resolves when the peer can take more. */
  notify(notification: Notification): Promise<void>;
  readonly caller: Caller;
}

/**
 * Anything that answers MCP requests: a server, a connection to one, a bridge, a cache.
 * Rejects with a `ProtocolError` to answer with a JSON-RPC error.
 */
export type Handler = (request: McpRequest, exchange: Exchange) => Promise<Result>;

/** Something in front of a handler: cache, limit, trace, filter, rename. */
export type Middleware = (next: Handler) => Handler;

/** Puts middleware in front of a handler; the first of the list is the outermost. */
export function compose(middleware: readonly Middleware[], handler: Handler): Handler {
  return middleware.reduceRight((next, layer) => layer(next), handler);
}
