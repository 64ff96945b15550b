import { missingFrom } from '../protocol/capabilities.ts';
import type { ClientCapabilities } from '../protocol/capabilities.ts';
import type { MetaObject } from '../protocol/common-types.ts';
import { isJsonObject } from '../protocol/json.ts';
import type { InputRequests } from '../protocol/input.ts';
import type { JsonObject } from '../protocol/json.ts';
import { missingCapability } from '../protocol/protocol-error.ts';
import { neededForQuestion } from '../protocol/question-needs.ts';
import type { InputRequiredResult } from '../protocol/results.ts';
import { checkOf } from './input-question.ts';
import { ResultError, resultMeta } from './tool-result.ts';

/**
 * Checks the question before it goes out: it asks something (MRTR-14), only what exists (MRTR-06) and as it must be
 * asked, and only what the client declared to understand (MRTR-15), else -32021 with all that is lacking.
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
    if (requestState === undefined && Object.keys(inputRequests).length === 0) {
      throw new ResultError(
        'an input_required result asks something: inputRequests is empty and there is no requestState',
      );
    }
    checkRequests(inputRequests, declared);
  }
  // Nothing else goes out: a question has no caching hints (CACHE-07).
  return {
    resultType: 'input_required',
    ...(inputRequests === undefined ? {} : { inputRequests: inputRequests as InputRequests }),
    ...(requestState === undefined ? {} : { requestState }),
    _meta: resultMeta(value['_meta'], meta),
  };
}

function checkRequests(requests: JsonObject, declared: ClientCapabilities): void {
  let lacking: JsonObject = {};
  const refused: string[] = [];
  for (const [key, request] of Object.entries(requests)) {
    const missing = missingFrom(declared, neededFor(key, request));
    if (missing === undefined) continue;
    refused.push(JSON.stringify(key));
    lacking = merge(lacking, missing as JsonObject);
  }
  if (refused.length > 0) {
    throw missingCapability(lacking, `the question ${refused.join(', ')}`);
  }
}

function neededFor(key: string, request: unknown): ClientCapabilities {
  const where = `inputRequests[${JSON.stringify(key)}]`;
  const method = isJsonObject(request) ? request['method'] : undefined;
  const check = typeof method === 'string' ? checkOf(method) : undefined;
  if (!isJsonObject(request) || typeof method !== 'string' || check === undefined) {
    throw new ResultError(`${where} must ask elicitation/create, sampling/createMessage or roots/list`);
  }
  const params = request['params'] ?? {};
  if (!isJsonObject(params)) throw new ResultError(`${where}.params must be an object`);
  const problem = check(params);
  if (problem !== undefined) throw new ResultError(`${where}.params${problem}`);
  return neededForQuestion(method, params) ?? {};
}

/** Capabilities are objects of objects: what both lack stands in one tree. */
function merge(one: JsonObject, other: JsonObject): JsonObject {
  const merged: { [key: string]: unknown } = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const present = merged[key];
    merged[key] = isJsonObject(present) && isJsonObject(value) ? merge(present, value) : value;
  }
  return merged;
}
