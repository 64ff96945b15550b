import type { McpRequest } from '../protocol/handler.ts';
import { isJsonObject } from '../protocol/json.ts';
import type { RequestMessage } from '../protocol/message.ts';
import { MetaKey } from '../protocol/meta-keys.ts';
import { unsupportedVersion } from '../protocol/protocol-error.ts';
import { readParams } from '../protocol/request-meta.ts';
import { MODERN_VERSIONS } from '../protocol/revisions/index.ts';

/**
 * Makes a wire request into a self-contained one: its `_meta` is complete and its version is served here.
 * Throws -32602 for missing or wrong fields (BASE-52) and -32022 for other versions (VER-02).
 */
export function admit(message: RequestMessage): McpRequest {
  if (isHandshake(message)) {
    // A legacy client can't fall forward: these versions may be all that its user gets to see.
    throw unsupportedVersion(String(message.params['protocolVersion']), MODERN_VERSIONS);
  }
  const params = readParams(message.params);
  const version = params._meta[MetaKey.protocolVersion];
  if (!MODERN_VERSIONS.includes(version)) throw unsupportedVersion(version, MODERN_VERSIONS);
  return { method: message.method, params };
}

/** Whether the request is how a client of the legacy era begins. */
export function isHandshake(message: RequestMessage): boolean {
  return message.method === 'initialize' && !hasEnvelope(message);
}

/** Whether the request carries the modern envelope, complete or not: that decides its era (VER-12). */
export function hasEnvelope(message: RequestMessage): boolean {
  const meta = message.params['_meta'];
  return isJsonObject(meta) && (MetaKey.protocolVersion in meta || MetaKey.clientCapabilities in meta);
}
