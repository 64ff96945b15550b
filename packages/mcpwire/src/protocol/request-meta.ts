import { isLoggingLevel, LOGGING_LEVELS } from './common-types.ts';
import type { Params } from './handler.ts';
import { isJsonObject, jsonType } from './json.ts';
import type { JsonObject } from './json.ts';
import { MetaKey } from './meta-keys.ts';
import type { ProtocolError } from './protocol-error.ts';
import { invalidParams } from './protocol-error.ts';
import { isRequestId } from './request-id.ts';

/**
 * Checks the per-request protocol fields in `params._meta` and returns the params with their type.
 * Throws -32602 that names the field (BASE-52). Requests stand alone: nothing is taken from earlier ones (BASE-25).
 */
export function readParams(params: JsonObject): Params {
  const problem = checkMeta(params['_meta']);
  if (problem !== undefined) throw problem;
  return params as Params;
}

function checkMeta(meta: unknown): ProtocolError | undefined {
  if (!isJsonObject(meta)) return wrong('_meta', 'an object', meta);
  if (typeof meta[MetaKey.protocolVersion] !== 'string') {
    return field(meta, MetaKey.protocolVersion, 'a string');
  }
  if (!isJsonObject(meta[MetaKey.clientCapabilities])) {
    return field(meta, MetaKey.clientCapabilities, 'an object');
  }
  const client = meta[MetaKey.clientInfo];
  if (client !== undefined && !isImplementation(client)) {
    return field(meta, MetaKey.clientInfo, 'an object with a name and a version');
  }
  const level = meta[MetaKey.logLevel];
  if (level !== undefined && !isLoggingLevel(level)) {
    return field(meta, MetaKey.logLevel, `one of ${LOGGING_LEVELS.join(', ')}`);
  }
  const token = meta[MetaKey.progressToken];
  if (token !== undefined && !isRequestId(token)) {
    return field(meta, MetaKey.progressToken, 'a string or an integer');
  }
  return undefined;
}

function isImplementation(value: unknown): boolean {
  return isJsonObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}

function field(meta: JsonObject, key: string, expected: string): ProtocolError {
  return wrong(`_meta["${key}"]`, expected, meta[key]);
}

function wrong(where: string, expected: string, value: unknown): ProtocolError {
  return invalidParams(`params.${where} must be ${expected}, got ${jsonType(value)}`);
}
