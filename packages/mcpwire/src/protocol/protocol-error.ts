import type { ClientCapabilities } from './capabilities.ts';
import { ErrorCode, mayEmit } from './error-codes.ts';

/** The `error` member of an error response (basic/index, "Error Responses"). */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * An error that crosses the wire. Throw one in a handler to answer with exactly this JSON-RPC error.
 *
 * `code` must be one that may be emitted (`mayEmit`): anything else is a bug of the caller, reported at once.
 * An error received from a peer is a `PeerError` and may hold any code.
 */
export class ProtocolError extends Error {
  override readonly name: string = 'ProtocolError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    if (!mayEmit(code)) {
      throw new RangeError(
        `error code ${code} must not be emitted: use a code that the specification defines, ` +
          'or one of your own outside -32768…-32000',
      );
    }
    super(message);
    this.code = code;
    this.data = data;
  }

  /** The `error` member of the response. */
  toWire(): ErrorObject {
    return this.data === undefined
      ? { code: this.code, message: this.message }
      : { code: this.code, message: this.message, data: this.data };
  }
}

/** An error response that a peer sent. Never mistaken for an error made here. */
export class PeerError extends Error {
  override readonly name: string = 'PeerError';
  readonly code: number;
  readonly data: unknown;
  /** HTTP status that the error came with; undefined on other transports. */
  readonly status: number | undefined;

  constructor(error: ErrorObject, status?: number) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
    this.status = status;
  }
}

/** -32700: the bytes are not JSON. */
export function parseError(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.parseError, message);
}

/** -32600: JSON, but not a JSON-RPC message that this revision allows. */
export function invalidRequest(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.invalidRequest, message);
}

/** -32601: the method does not exist here. */
export function methodNotFound(method: string): ProtocolError {
  return new ProtocolError(ErrorCode.methodNotFound, `Method not found: ${method}`);
}

/** -32602: the method exists, its params are wrong. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ErrorCode.invalidParams, message, data);
}

/** -32603: something failed here that the caller can't mend. */
export function internalError(message = 'Internal error'): ProtocolError {
  return new ProtocolError(ErrorCode.internalError, message);
}

/** -32020: a mirrored HTTP header and the body disagree, or the header is missing (HTTP-75). */
export function headerMismatch(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.headerMismatch, `Header mismatch: ${message}`);
}

/** -32021: answering needs client capabilities that the request did not declare (BASE-57). */
export function missingCapability(required: ClientCapabilities, what: string): ProtocolError {
  return new ProtocolError(
    ErrorCode.missingRequiredClientCapability,
    `${what} needs client capabilities that this request does not declare`,
    { requiredCapabilities: required },
  );
}

/** -32022: the requested protocol version is not served here (VER-02, VER-03). */
export function unsupportedVersion(requested: string, supported: readonly string[]): ProtocolError {
  return new ProtocolError(ErrorCode.unsupportedProtocolVersion, 'Unsupported protocol version', {
    supported,
    requested,
  });
}

/** Whether the value is an error to be sent as it is. */
export function isProtocolError(value: unknown): value is ProtocolError {
  return value instanceof ProtocolError;
}
