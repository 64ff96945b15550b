import type { Handler, Params } from '../../protocol/handler.ts';
import { ErrorCode } from '../../protocol/error-codes.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { internalError, isProtocolError } from '../../protocol/protocol-error.ts';
import { CancelledError } from '../../transport/cancelled.ts';
import { askClient, nameCapabilities, UnaskableError } from './ask-client.ts';
import type { Asking } from './ask-client.ts';
import { OpenUrls } from './open-urls.ts';
import type { SessionCall } from './session-call.ts';

/**
 * Calls the handler until it has what it needs, and gives its answer in the client's words. Between two calls the client
 * is asked what the handler wants to know; `requestState` goes back as it came.
 */
export async function callInRounds(
  handle: Handler,
  params: Params,
  call: SessionCall,
  session: Asking,
  maxRounds: number,
): Promise<JsonObject> {
  const { method } = call;
  const own = withoutAnswers(params);
  let request = own;
  const urls = new OpenUrls();
  try {
    for (let round = 0; round <= maxRounds; round++) {
      const result = await handle({ method, params: request }, call);
      if (result.resultType !== 'input_required') {
        await urls.complete({}, call);
        return session.translation.result(method, result);
      }
      if (round === maxRounds) break;
      const { inputRequests, requestState } = result;
      const asks = isJsonObject(inputRequests) && Object.keys(inputRequests).length > 0;
      await urls.complete(asks ? inputRequests : {}, call);
      const inputResponses = asks ? await askClient(inputRequests, call, session, urls) : undefined;
      if (inputResponses === undefined) await pause(round, call.signal);
      else urls.settle(inputResponses);
      if (call.isCancelled) throw new CancelledError('caller', 'cancelled while the client was asked');
      request = {
        ...own,
        ...(inputResponses === undefined ? {} : { inputResponses }),
        ...(requestState === undefined ? {} : { requestState }),
      };
    }
  } catch (error) {
    return unanswerable(method, error);
  }
  throw internalError(`asked more than ${maxRounds} rounds of questions`);
}

/** These params have no meaning in the legacy era: a client can't bring answers to what it was not asked. */
function withoutAnswers(params: Params): Params {
  if (params['inputResponses'] === undefined && params['requestState'] === undefined) return params;
  const { inputResponses: _answers, requestState: _state, ...own } = params;
  return own;
}

/** A client that can't be asked: for a tool the model may read why, for the rest it is an error. */
function unanswerable(method: string, error: unknown): JsonObject {
  const missing = isProtocolError(error) && error.code === ErrorCode.missingRequiredClientCapability;
  if (!missing && !(error instanceof UnaskableError)) throw error;
  const message = missing
    ? `the client does not support ${needed(error.data)}, which this needs`
    : error.message;
  if (method !== 'tools/call') throw internalError(message);
  return { content: [{ type: 'text', text: `This can't be done: ${message}.` }], isError: true };
}

function needed(data: unknown): string {
  const required = isJsonObject(data) ? data['requiredCapabilities'] : undefined;
  return isJsonObject(required) ? nameCapabilities(required) : 'something';
}

/** A result that asks nothing but to come again is followed after a growing while. */
function pause(round: number, signal: AbortSignal): Promise<void> {
  return new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(100 * 2 ** round, 5000));
    signal.addEventListener('abort', done);
  });
}
