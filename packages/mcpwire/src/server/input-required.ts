import { missingFrom } from '../protocol/capabilities.ts';
import type { ClientCapabilities } from '../protocol/capabilities.ts';
import type { MetaObject } from '../protocol/common-types.ts';
import { isJsonObject } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { missingCapability } from '../protocol/protocol-error.ts';
import type { InputRequiredResult } from '../protocol/results.ts';
import { ResultError } from './tool-result.ts';

/** Whether a handler returned a question instead of an answer (basic/patterns/mrtr). */
export function isInputRequired(value: unknown): value is JsonObject {
  return isJsonObject(value) && value['resultType'] === 'input_required';
}

/**
 * Checks the question before it goes out: it asks something (MRTR-14), only what exists (MRTR-06), and only what the
 * client declared to understand (MRTR-15), else -32021.
 */
export function completeInputRequired(
  value: JsonObject,
  declared: ClientCapabilities,
  meta: MetaObject,
): InputRequiredResult {
  const { inputRequests, requestState } = value;
  if (inputRequests === undefined && requestState === undefined) {
    throw new ResultError('an input_required result has inputRequests or requestState, or both');
  }
  if (requestState !== undefined && typeof requestState !== 'string') {
    throw new ResultError('requestState must be a string');
  }
  if (inputRequests !== undefined) {
    if (!isJsonObject(inputRequests)) throw new ResultError('inputRequests must be an object');
    for (const [key, request] of Object.entries(inputRequests)) checkRequest(key, request, declared);
  }
  const own = value['_meta'];
  return { ...value, resultType: 'input_required', _meta: isJsonObject(own) ? { ...own, ...meta } : meta };
}

function checkRequest(key: string, request: unknown, declared: ClientCapabilities): void {
  const method = isJsonObject(request) ? request['method'] : undefined;
  const params = isJsonObject(request) && isJsonObject(request['params']) ? request['params'] : {};
  const needed = neededFor(method, params);
  if (needed === undefined) {
    throw new ResultError(
      `inputRequests[${JSON.stringify(key)}] must ask elicitation/create, sampling/createMessage or roots/list`,
    );
  }
  const missing = missingFrom(declared, needed);
  if (missing !== undefined) throw missingCapability(missing, `the question ${JSON.stringify(key)}`);
}

function neededFor(method: unknown, params: JsonObject): ClientCapabilities | undefined {
  switch (method) {
    case 'elicitation/create':
      return { elicitation: params['mode'] === 'url' ? { url: {} } : { form: {} } };
    case 'sampling/createMessage':
      return {
        sampling: params['tools'] === undefined && params['toolChoice'] === undefined ? {} : { tools: {} },
      };
    case 'roots/list':
      return { roots: {} };
    default:
      return undefined;
  }
}
