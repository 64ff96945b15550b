/**
 * The JSON-RPC error codes that this revision defines (basic/index, "Error Codes").
 *
 * `legacyResourceNotFound` and `legacyUrlElicitationRequired` belong to older revisions: they are
 * understood when a peer sends them and never emitted by a modern endpoint (BASE-20).
 */
export const ErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  missingRequiredClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
} as const;

/** Codes of older revisions. A receiver may meet them; a modern sender never emits them (BASE-20). */
export const LegacyErrorCode = {
  resourceNotFound: -32002,
  urlElicitationRequired: -32042,
} as const;

const DEFINED: ReadonlySet<number> = new Set(Object.values(ErrorCode));

/**
 * Whether an implementation may emit this code: the codes defined above, and any integer outside the
 * range that JSON-RPC reserves (-32768…-32000). Refused are -32000…-32019 (BASE-15), undefined codes of
 * -32020…-32099 (BASE-18) and the retired ones (BASE-20).
 */
export function mayEmit(code: number): boolean {
  if (!Number.isSafeInteger(code)) return false;
  if (DEFINED.has(code)) return true;
  if (code === LegacyErrorCode.urlElicitationRequired || code === LegacyErrorCode.resourceNotFound) {
    return false;
  }
  return code < -32768 || code > -32000;
}
