import type { LoggingLevel } from '../../protocol/common-types.ts';
import type { Params, RequestMeta } from '../../protocol/handler.ts';
import { isJsonObject, jsonType } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { MetaKey } from '../../protocol/meta-keys.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';
import { isRequestId } from '../../protocol/request-id.ts';
import { LATEST_VERSION } from '../../protocol/revisions/index.ts';
import type { SessionFacts } from './facts.ts';

const RESERVED = 'io.modelcontextprotocol/';

/**
 * What stands in the `_meta` of every modern request of a session: what the handshake and `logging/setLevel` settled.
 */
export function envelopeOf(facts: SessionFacts, level: LoggingLevel | undefined): RequestMeta {
  return {
    [MetaKey.protocolVersion]: LATEST_VERSION,
    [MetaKey.clientCapabilities]: facts.clientCapabilities,
    [MetaKey.clientInfo]: facts.clientInfo,
    ...(level === undefined ? {} : { [MetaKey.logLevel]: level }),
  };
}

/**
 * The params of a legacy request as those of a self-contained modern one. Keys that the modern era reserves are never
 * taken over from a legacy message.
 */
export function toModernParams(params: JsonObject, envelope: RequestMeta): Params {
  const { _meta } = params;
  if (_meta === undefined) return { ...params, _meta: envelope };
  if (!isJsonObject(_meta)) {
    throw invalidParams(`params._meta must be an object, got ${jsonType(_meta)}`);
  }
  const own: { [key: string]: unknown } = {};
  for (const key of Object.keys(_meta)) if (!key.startsWith(RESERVED)) own[key] = _meta[key];
  const token = own[MetaKey.progressToken];
  if (token !== undefined && !isRequestId(token)) {
    throw invalidParams(`params._meta.progressToken must be a string or an integer, got ${jsonType(token)}`);
  }
  return { ...params, _meta: { ...own, ...envelope } };
}
