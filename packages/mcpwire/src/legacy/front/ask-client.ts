import { missingFrom } from '../../protocol/capabilities.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { Question } from '../../protocol/revisions/step.ts';
import { Untranslatable } from '../../protocol/revisions/step.ts';
import type { Translation } from '../../protocol/revisions/translate.ts';
import type { SessionFacts } from './facts.ts';
import type { Questions } from './questions.ts';
import type { SessionCall } from './session-call.ts';

/** The client can't be asked, or gave an error for an answer: the request can't be answered. */
export class UnaskableError extends Error {
  override readonly name: string = 'UnaskableError';
}

/**
 * Puts the questions of an `input_required` result to a legacy client, all at once, as real requests on the call's own
 * way. A question that the person declines, leaves unanswered, or whose form fails is an answer too: `cancel`.
 */
export async function askClient(
  inputRequests: JsonObject,
  call: SessionCall,
  session: { readonly facts: SessionFacts; readonly translation: Translation; readonly questions: Questions },
  openUrls: Map<string, string>,
): Promise<JsonObject> {
  const asked = Object.entries(inputRequests).map(async ([key, request]) => {
    const question = toQuestion(key, request, session, openUrls);
    const outcome = await session.questions.ask(question, (text) => call.send(text), call.signal);
    if (outcome.kind === 'answered') return [key, outcome.result] as const;
    if (question.method === 'elicitation/create') return [key, { action: 'cancel' }] as const;
    const why = outcome.kind === 'failed' ? outcome.error.message : 'no answer in time';
    throw new UnaskableError(`the client did not answer ${question.method} (${key}): ${why}`);
  });
  return Object.fromEntries(await Promise.all(asked));
}

function toQuestion(
  key: string,
  request: unknown,
  session: { readonly facts: SessionFacts; readonly translation: Translation },
  openUrls: Map<string, string>,
): Question {
  const method = isJsonObject(request) ? request['method'] : undefined;
  if (!isJsonObject(request) || typeof method !== 'string')
    throw new UnaskableError(`the question ${key} is malformed`);
  const params = isJsonObject(request['params']) ? request['params'] : {};
  const capability = CAPABILITIES[method];
  if (capability === undefined)
    throw new UnaskableError(`the question ${key} is of an unknown kind: ${method}`);
  if (missingFrom(session.facts.clientCapabilities, { [capability]: {} }) !== undefined) {
    throw new UnaskableError(`the client does not support ${capability}, which this needs`);
  }
  try {
    const question = session.translation.question({ method, params });
    if (params['mode'] !== 'url') return question;
    // The client needs a name for what ends outside of it. Asked again, it is the same one.
    const elicitationId = openUrls.get(key) ?? crypto.randomUUID();
    openUrls.set(key, elicitationId);
    return { method, params: { ...question.params, elicitationId } };
  } catch (error) {
    if (error instanceof Untranslatable)
      throw new UnaskableError(`the client can't be asked (${key}): ${error.message}`);
    throw error;
  }
}

const CAPABILITIES: { readonly [method: string]: 'elicitation' | 'sampling' | 'roots' } = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};
