import { cancellationOf } from '../../async/cancellation.ts';
import type { Implementation } from '../../protocol/common-types.ts';
import type { RequestMeta } from '../../protocol/handler.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { ErrorCode } from '../../protocol/error-codes.ts';
import { MetaKey } from '../../protocol/meta-keys.ts';
import { PeerError } from '../../protocol/protocol-error.ts';
import { LEGACY_VERSIONS, MODERN_VERSIONS } from '../../protocol/revisions/index.ts';
import { EraNegotiationError } from '../../transport/client/errors.ts';
import type { Link } from '../../transport/client/link.ts';
import type { ServerFacts } from '../connection.ts';

/**
 * What an answer to `server/discover` says of the server's era. Only two things make it modern: a `DiscoverResult` or
 * -32022, each naming a version that both speak (STDIO-17). `other` is an answer that no modern server gives (STDIO-18).
 */
export type Evidence =
  | { readonly kind: 'modern'; readonly facts: ServerFacts }
  | { readonly kind: 'retry'; readonly version: string }
  | { readonly kind: 'other'; readonly why: string };

/** Asks a server for what it is. Rejects as the link does: whether that is evidence depends on the transport. */
export function discover(
  link: Link,
  meta: RequestMeta,
  version: string,
  signal: AbortSignal,
): Promise<JsonObject> {
  return link.request({
    method: 'server/discover',
    params: { _meta: { ...meta, [MetaKey.protocolVersion]: version } },
    cancellation: cancellationOf({ signal }),
    hear: () => {}, // nothing that comes before the answer is evidence
  });
}

/** Reads a result leniently: members that this client can do without may be missing or malformed. */
export function readDiscoverResult(result: JsonObject): Evidence {
  const { supportedVersions, capabilities, instructions, _meta } = result;
  if (!Array.isArray(supportedVersions)) return { kind: 'other', why: 'a result without supportedVersions' };
  const version = MODERN_VERSIONS.find((each) => supportedVersions.includes(each));
  if (version === undefined) {
    return { kind: 'other', why: `a result that offers ${list(supportedVersions)}` };
  }
  const serverInfo = isJsonObject(_meta) ? _meta[MetaKey.serverInfo] : undefined;
  const facts: ServerFacts = {
    era: 'modern',
    version,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    ...(isImplementation(serverInfo) ? { serverInfo } : {}),
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
  return { kind: 'modern', facts };
}

/**
 * Reads an error response. Throws an `EraNegotiationError` for -32022 with versions of which none is spoken here: such a
 * server knows this era and refuses, so that falling back would only hide why.
 */
export function readDiscoverError(error: PeerError): Evidence {
  // Codes that only a modern server gives: it is one, and falling back would hide what is wrong (HTTP-82).
  if (error.code === ErrorCode.headerMismatch || error.code === ErrorCode.missingRequiredClientCapability) {
    throw error;
  }
  const offered = error.code === ErrorCode.unsupportedProtocolVersion ? supportedOf(error.data) : undefined;
  if (offered === undefined) return { kind: 'other', why: `error ${error.code}: ${error.message}` };
  const version = MODERN_VERSIONS.find((each) => offered.includes(each));
  if (version !== undefined) return { kind: 'retry', version };
  if (LEGACY_VERSIONS.some((each) => offered.includes(each))) {
    return { kind: 'other', why: `error ${error.code}, offering ${list(offered)}` };
  }
  throw noCommonVersion(offered, error);
}

function noCommonVersion(theirs: readonly unknown[], cause: unknown): EraNegotiationError {
  const ours = [...MODERN_VERSIONS, ...LEGACY_VERSIONS];
  return new EraNegotiationError(
    `no revision in common: the server offers ${list(theirs)}, this client ${list(ours)}`,
    ours,
    theirs.map(String),
    cause,
  );
}

function supportedOf(data: unknown): readonly unknown[] | undefined {
  const supported = isJsonObject(data) ? data['supported'] : undefined;
  return Array.isArray(supported) ? supported : undefined;
}

function isImplementation(value: unknown): value is Implementation & JsonObject {
  return isJsonObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}

function list(versions: readonly unknown[]): string {
  return versions.length === 0 ? 'nothing' : versions.map(String).join(', ');
}

/** Whether the error is an answer of the server, in whatever words, and not a local one. */
export function isPeerError(error: unknown): error is PeerError {
  return error instanceof PeerError;
}
