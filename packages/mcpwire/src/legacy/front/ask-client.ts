import { missingFrom } from '../../protocol/capabilities.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { neededForQuestion } from '../../protocol/question-needs.ts';
import type { Question } from '../../protocol/revisions/step.ts';
import { Untranslatable } from '../../protocol/revisions/step.ts';
import type { Translation } from '../../protocol/revisions/translate.ts';
import type { SessionFacts } from './facts.ts';
import type { OpenUrls } from './open-urls.ts';
import type { Questions } from './questions.ts';
import type { SessionCall } from './session-call.ts';

/** The client can't be asked, or gave an error for an answer: the request can't be answered. */
export class UnaskableError extends Error {
  override readonly name: string = 'UnaskableError';
}

/** What of a session its questions need. */
export interface Asking {
  readonly facts: SessionFacts;
  readonly translation: Translation;
  readonly questions: Questions;
}

/**
 * Puts the questions of an `input_required` result to a legacy client, all at once, as real requests on the call's own
 * way. A question that the person declines, leaves unanswered, or whose form fails is an answer too: `cancel`. When one
 * can't be asked none is; when one fails the others are withdrawn.
 */
export async function askClient(
  inputRequests: JsonObject,
  call: SessionCall,
  session: Asking,
  urls: OpenUrls,
): Promise<JsonObject> {
  const questions = Object.entries(inputRequests).map(
    ([key, request]) => [key, toQuestion(key, request, session, urls)] as const,
  );
  const round = new AbortController();
  const withdraw = (): void => round.abort();
  call.signal.addEventListener('abort', withdraw);
  if (call.signal.aborted) withdraw();
  try {
    const asked = questions.map(async ([key, question]) => {
      const outcome = await session.questions.ask(question, (text) => call.send(text), round.signal);
      if (outcome.kind === 'answered') return [key, outcome.result] as const;
      if (question.method === 'elicitation/create') return [key, { action: 'cancel' }] as const;
      const why = outcome.kind === 'failed' ? outcome.error.message : 'no answer in time';
      throw new UnaskableError(`the client did not answer ${question.method} (${key}): ${why}`);
    });
    return Object.fromEntries(await Promise.all(asked));
  } finally {
    call.signal.removeEventListener('abort', withdraw);
    withdraw();
  }
}

function toQuestion(key: string, request: unknown, session: Asking, urls: OpenUrls): Question {
  const method = isJsonObject(request) ? request['method'] : undefined;
  if (!isJsonObject(request) || typeof method !== 'string') {
    throw new UnaskableError(`the question ${key} is malformed`);
  }
  const params = isJsonObject(request['params']) ? request['params'] : {};
  const needed = neededForQuestion(method, params);
  if (needed === undefined) throw new UnaskableError(`the question ${key} is of an unknown kind: ${method}`);
  const missing = missingFrom(session.facts.clientCapabilities, needed);
  if (missing !== undefined) {
    throw new UnaskableError(`the client does not support ${nameCapabilities(missing)}, which this needs`);
  }
  try {
    const question = session.translation.question({ method, params });
    if (params['mode'] !== 'url') return question;
    return { method, params: { ...question.params, elicitationId: urls.idFor(key) } };
  } catch (error) {
    if (error instanceof Untranslatable) {
      throw new UnaskableError(`the client can't be asked (${key}): ${error.message}`);
    }
    throw error;
  }
}

/** Capabilities by their names, as a person reads them: `sampling.tools, roots`. */
export function nameCapabilities(capabilities: object): string {
  const names = Object.entries(capabilities).flatMap(([name, settings]: [string, unknown]) => {
    const inner = isJsonObject(settings) ? Object.keys(settings) : [];
    return inner.length === 0 ? [name] : inner.map((part) => `${name}.${part}`);
  });
  return names.join(', ');
}
