import { ErrorCode, LegacyErrorCode } from '../../protocol/error-codes.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { ErrorObject } from '../../protocol/protocol-error.ts';

/** Codes that exist since 2026-07-28 alone: a legacy client could make nothing of them. */
const MODERN_ONLY: ReadonlySet<number> = new Set([
  ErrorCode.headerMismatch,
  ErrorCode.missingRequiredClientCapability,
  ErrorCode.unsupportedProtocolVersion,
]);

/** An error in the words of the legacy era: a missing resource has a code of its own there. */
export function toLegacyError(method: string, error: ErrorObject): ErrorObject {
  if (isMissingResource(method, error)) return { ...error, code: LegacyErrorCode.resourceNotFound };
  return MODERN_ONLY.has(error.code) ? { code: ErrorCode.internalError, message: error.message } : error;
}

function isMissingResource(method: string, error: ErrorObject): boolean {
  return (
    method === 'resources/read' &&
    error.code === ErrorCode.invalidParams &&
    isJsonObject(error.data) &&
    'uri' in error.data
  );
}
