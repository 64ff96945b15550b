import { ErrorCode, LegacyErrorCode } from '../../protocol/error-codes.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { PeerError } from '../../protocol/protocol-error.ts';
import { MODERN_VERSIONS } from '../../protocol/revisions/index.ts';

/**
 * An error of a legacy server in the words of the newest revision; whatever else rejected the request stays as it is. A
 * missing resource is -32602 now, and the codes that this era gave a meaning had none when the server was written:
 * read as what they mean today they would mislead, so they become -32603 with the server's own code in `data`.
 */
export function toModernError(error: unknown): unknown {
  if (!(error instanceof PeerError)) return error;
  const { code, message, data, status } = error;
  if (code === LegacyErrorCode.resourceNotFound) {
    return new PeerError({ code: ErrorCode.invalidParams, message, data }, status);
  }
  const isForeign = (code <= -32020 && code >= -32099) || code === LegacyErrorCode.urlElicitationRequired;
  if (!isForeign || saysModern(error)) return error;
  return new PeerError(
    { code: ErrorCode.internalError, message, data: { code, ...(data === undefined ? {} : { data }) } },
    status,
  );
}

/** The server has become a modern one meanwhile: whoever decided on its era has to hear exactly that. */
function saysModern({ code, data }: PeerError): boolean {
  if (code !== ErrorCode.unsupportedProtocolVersion || !isJsonObject(data)) return false;
  const { supported } = data;
  return Array.isArray(supported) && supported.some((version) => MODERN_VERSIONS.includes(String(version)));
}

/** The elicitations of a -32042 (2025-11-25 client/elicitation, "URL Elicitation Required Error"). */
export function requiredUrls(error: unknown): readonly JsonObject[] {
  if (!(error instanceof PeerError) || error.code !== LegacyErrorCode.urlElicitationRequired) return [];
  const elicitations = isJsonObject(error.data) ? error.data['elicitations'] : undefined;
  return Array.isArray(elicitations)
    ? elicitations.filter(isJsonObject).filter(({ url }) => typeof url === 'string')
    : [];
}
