import { saysOver } from '../../async/abandoned.ts';

/** The connection ended while it was needed, or had ended before. A local error: no peer sent it. */
export class ConnectionClosedError extends Error {
  override readonly name: string = 'ConnectionClosedError';
  /** Exit code of the server's process, where there was one and it has ended by itself. */
  readonly exitCode: number | undefined;
  /** The signal that ended the server's process. */
  readonly signal: string | undefined;
  /** The last lines that the process wrote to stderr. */
  readonly stderr: readonly string[];

  constructor(
    message: string,
    details: {
      readonly exitCode?: number | undefined;
      readonly signal?: string | undefined;
      readonly stderr?: readonly string[];
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.exitCode = details.exitCode;
    this.signal = details.signal;
    this.stderr = details.stderr ?? [];
    saysOver(this);
  }
}

/** The server's process could not be started. */
export class SpawnError extends Error {
  override readonly name: string = 'SpawnError';
  readonly command: string;
  /** The folders that were searched for the command. */
  readonly searched: readonly string[];

  constructor(message: string, command: string, searched: readonly string[], cause?: unknown) {
    super(message, { cause });
    this.command = command;
    this.searched = searched;
  }
}

/** No HTTP answer came: name not found, refused, TLS, reset. `cause` is the runtime's own error. */
export class UnreachableError extends Error {
  override readonly name: string = 'UnreachableError';
  readonly url: string;
  /** Whether the server may have read the request before the connection ended. */
  readonly mayHaveArrived: boolean;

  constructor(message: string, url: string, mayHaveArrived: boolean, cause?: unknown) {
    super(message, { cause });
    this.url = url;
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** A bound of this side was reached before anything was sent: nothing happened at the server. */
export class LimitError extends Error {
  override readonly name: string = 'LimitError';
}

/** Most characters of an offending text that an error quotes. */
export const MAX_QUOTED = 500;

/** What the server sent breaks the protocol, so that there is no answer in it. */
export class ProtocolViolationError extends Error {
  override readonly name: string = 'ProtocolViolationError';
  /** Id of the rule that is broken, as in `[HTTP-07]`; undefined where a bound of this client was passed. */
  readonly rule: string | undefined;
  /** The beginning of the offending text, at most 500 characters. */
  readonly received: string;

  constructor(message: string, rule: string | undefined, received: string) {
    const quoted = received.slice(0, MAX_QUOTED);
    super(
      `${message}${rule === undefined ? '' : ` [${rule}]`}${quoted === '' ? '' : `: ${JSON.stringify(quoted)}`}`,
    );
    this.rule = rule;
    this.received = quoted;
  }
}

/**
 * The server, or something in front of it, answered with an HTTP status and no JSON-RPC message. It came from the wire,
 * though not in the words of the protocol.
 */
export class HttpError extends Error {
  override readonly name: string = 'HttpError';
  readonly status: number;
  /** Response headers by lower-case name. */
  readonly headers: { readonly [name: string]: string };
  /** The beginning of the body, at most 500 characters. */
  readonly body: string;

  constructor(message: string, status: number, headers: { readonly [name: string]: string } = {}, body = '') {
    super(message);
    this.status = status;
    this.headers = headers;
    this.body = body.slice(0, MAX_QUOTED);
  }
}

/** A legacy server over HTTP no longer knows the session: a new handshake is due. Whether the request ran is not known. */
export class SessionLostError extends Error {
  override readonly name: string = 'SessionLostError';
}

/** The two sides have no revision in common, or the server's era could not be found out. */
export class EraNegotiationError extends Error {
  override readonly name: string = 'EraNegotiationError';
  /** Versions that this side offered. */
  readonly offered: readonly string[];
  /** Versions that the server offered, as far as it said. */
  readonly theirs: readonly string[];

  constructor(message: string, offered: readonly string[], theirs: readonly string[], cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.offered = offered;
    this.theirs = theirs;
  }
}
