import type { ClientCapabilities } from '../protocol/capabilities.ts';
import type { MetaObject } from '../protocol/common-types.ts';
import { isJsonObject, jsonType } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { invalidParams } from '../protocol/protocol-error.ts';
import type { Result } from '../protocol/results.ts';

/** Whether a handler returned a question instead of an answer (basic/patterns/mrtr). */
export function isInputRequired(value: unknown): value is JsonObject {
  return isJsonObject(value) && value['resultType'] === 'input_required';
}

/** Throws -32602 where what a retry brings along is not of its type (MRTR-23). What it says is the handler's business. */
export function checkRetry(params: JsonObject): void {
  const { inputResponses, requestState } = params;
  if (inputResponses !== undefined && !isJsonObject(inputResponses)) {
    throw invalidParams(`params.inputResponses must be an object, got ${jsonType(inputResponses)}`);
  }
  if (requestState !== undefined && typeof requestState !== 'string') {
    throw invalidParams(`params.requestState must be a string, got ${jsonType(requestState)}`);
  }
}

/** The question, checked, as a result. What checks it is loaded with the first question. */
export async function toQuestion(
  value: JsonObject,
  declared: ClientCapabilities,
  meta: MetaObject,
): Promise<Result> {
  const { completeInputRequired } = await import('./input-required.ts');
  return completeInputRequired(value, declared, meta);
}
