import { aborted } from '../../async/aborted.ts';
import { onAbort } from '../../async/on-abort.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Result } from '../../protocol/results.ts';
import { ConnectionClosedError, LimitError, ProtocolViolationError } from '../../transport/client/errors.ts';
import type { RequestOptions } from '../options.ts';
import { isComplete, unknownType } from '../requester.ts';
import type { Requester } from '../requester.ts';
import type { Answerer } from './answer.ts';

/** A call whose server asks. */
export interface AskedCall {
  readonly requester: Requester;
  readonly method: string;
  /** The original params: a retry repeats them (MRTR-22). */
  readonly params: JsonObject;
  readonly options: RequestOptions;
  readonly answer: Answerer;
  /** Milliseconds that the first leg took. */
  readonly spentMs: number;
}

/** Answers a server's questions and repeats the call, until it is complete (basic/patterns/mrtr). */
export async function driveInput(call: AskedCall, first: Result): Promise<Result> {
  const { requester, method, options } = call;
  let { spentMs } = call;
  let asked = first;
  for (let round = 1; round <= requester.bounds.maxRounds; round++) {
    const { requestState } = asked;
    if (requestState !== undefined && typeof requestState !== 'string') {
      throw malformed(asked, 'requestState must be a string');
    }
    const answered = asked;
    const { connection } = requester;
    const { generation } = connection;
    const inputResponses = await requester.whileAsking(() => answerAll(call, answered));
    if (inputResponses === undefined && requestState === undefined) {
      throw malformed(asked, 'it has neither inputRequests nor requestState');
    }
    // A modern server knows what it needs from requestState; one of an older era held the call open.
    if (connection.generation !== generation && connection.facts.era === 'legacy') {
      throw new ConnectionClosedError(
        `${method}: the server ended while it waited for an answer; the call may have run in part`,
      );
    }
    // Time in which the user thinks isn't the server's.
    const started = Date.now();
    const result = await requester.leg(
      method,
      {
        ...call.params,
        ...(inputResponses === undefined ? {} : { inputResponses }),
        ...(requestState === undefined ? {} : { requestState }),
      },
      { ...options, spentMs },
    );
    spentMs += Date.now() - started;
    if (isComplete(result)) return result;
    if (result.resultType !== 'input_required') throw unknownType(method, result);
    asked = result;
  }
  throw new LimitError(
    `${method}: the server still asks after ${requester.bounds.maxRounds} rounds (maxRounds); it may have acted already`,
  );
}

/** All questions of a round at once; undefined where there are none. The first that fails takes the others back. */
async function answerAll(call: AskedCall, asked: Result): Promise<JsonObject | undefined> {
  const { inputRequests } = asked;
  if (inputRequests === undefined) return undefined;
  if (!isJsonObject(inputRequests)) throw malformed(asked, 'inputRequests must be an object');
  const questions = Object.entries(inputRequests);
  const { maxQuestions } = call.requester.bounds;
  if (questions.length > maxQuestions) {
    throw new LimitError(
      `${call.method}: the server asks ${questions.length} questions at once (maxQuestions: ${maxQuestions})`,
    );
  }
  const round = new AbortController();
  const { signal } = call.options;
  signal?.throwIfAborted();
  const { closing } = call.requester;
  const closed = (): void => round.abort(closing.reason);
  closing.onAbort(closed);
  const ignore = signal === undefined ? undefined : onAbort(signal, () => round.abort(signal.reason));
  try {
    const answering = Promise.all(
      questions.map(async ([key, question]) => {
        const { method, params = {} } = isJsonObject(question) ? question : { method: undefined };
        if (typeof method !== 'string' || !isJsonObject(params)) {
          throw malformed(asked, `the input request ${JSON.stringify(key)} is no request`);
        }
        return [key, await call.answer({ method, params }, round.signal)] as const;
      }),
    );
    return Object.fromEntries(await Promise.race([answering, aborted(round.signal)]));
  } catch (error) {
    round.abort(error);
    throw error;
  } finally {
    ignore?.();
    closing.ignore(closed);
  }
}

function malformed(result: Result, why: string): ProtocolViolationError {
  return new ProtocolViolationError(
    `a result that asks for input: ${why}`,
    'MRTR-14',
    JSON.stringify(result),
  );
}
