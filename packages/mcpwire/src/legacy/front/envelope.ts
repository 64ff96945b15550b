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
 * The params of a legacy request as those of a self-contained modern one: what the handshake and `logging/setLevel`
 * settled stands in its `_meta`. Keys that the modern era reserves are never taken over from a legacy message.
 */
export function toModernParams(
  params: JsonObject,
  facts: SessionFacts,
  level: LoggingLevel | undefined,
): Params {
  const { _meta } = params;
  if (_meta !== undefined && !isJsonObject(_meta)) {
    throw invalidParams(`params._meta must be an object, got ${jsonType(_meta)}`);
  }
  return { ...params, _meta: envelope(_meta, facts, level) };
}

function envelope(
  meta: JsonObject | undefined,
  facts: SessionFacts,
  level: LoggingLevel | undefined,
): RequestMeta {
  const own: { [key: string]: unknown } = {};
  if (meta !== undefined) {
    for (const key of Object.keys(meta)) if (!key.startsWith(RESERVED)) own[key] = meta[key];
    const token = own[MetaKey.progressToken];
    if (token !== undefined && !isRequestId(token)) {
      throw invalidParams(
        `params._meta.progressToken must be a string or an integer, got ${jsonType(token)}`,
      );
    }
  }
  return {
    ...own,
    [MetaKey.protocolVersion]: LATEST_VERSION,
    [MetaKey.clientCapabilities]: facts.clientCapabilities,
    [MetaKey.clientInfo]: facts.clientInfo,
    ...(level === undefined ? {} : { [MetaKey.logLevel]: level }),
  };
}
