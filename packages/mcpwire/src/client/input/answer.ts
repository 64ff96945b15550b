import { missingFrom } from '../../protocol/capabilities.ts';
import type { Implementation } from '../../protocol/common-types.ts';
import type { CreateMessageRequestParams } from '../../protocol/input.ts';
import { isJsonObject, jsonType } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { neededForQuestion } from '../../protocol/question-needs.ts';
import type { Question } from '../../protocol/revisions/step.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { ProtocolViolationError } from '../../transport/client/errors.ts';
import type { AnswerContext, ClientOptions, ElicitQuestion } from '../options.ts';
import { capabilitiesOf } from './capabilities-of.ts';
import { withDefaults } from './form-defaults.ts';

/** Answers one question of a server with the handlers of the client. */
export type Answerer = (question: Question, signal: AbortSignal) => Promise<JsonObject>;

/**
 * Makes the handlers of a client into one. Questions that the client never said it could answer are violations of the
 * server; answers that a handler got wrong are the handler's mistake, a `UsageError`, and never leave this side.
 */
export function answererOf(options: ClientOptions, serverInfo: () => Implementation | undefined): Answerer {
  const declared = capabilitiesOf(options);
  return async (question, signal) => {
    const { method, params } = question;
    const needed = neededForQuestion(method, params);
    if (needed === undefined || missingFrom(declared, needed) !== undefined) {
      throw new ProtocolViolationError(
        `the server asks for ${method}, which needs the capabilities ${JSON.stringify(needed ?? {})} that this client did not declare`,
        method === 'sampling/createMessage' ? 'SAMP-07' : 'MRTR-15',
        JSON.stringify(params),
      );
    }
    const context: AnswerContext = { signal, serverInfo: serverInfo() };
    switch (method) {
      case 'elicitation/create':
        return elicit(options, params, context);
      case 'sampling/createMessage':
        return sample(options, params, context);
      default:
        return listRoots(options);
    }
  };
}

async function elicit(
  options: ClientOptions,
  params: JsonObject,
  context: AnswerContext,
): Promise<JsonObject> {
  const answer: unknown = await options.onElicit?.(params as unknown as ElicitQuestion, context);
  if (!isJsonObject(answer)) throw wrong('onElicit', `an object with an action, got ${jsonType(answer)}`);
  const { action, content } = answer;
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept') {
    throw wrong('onElicit', `the action accept, decline or cancel, got ${String(action)}`);
  }
  // Consent to visit a page has no content (ELIC-19).
  if (params['mode'] === 'url') return { action };
  if (content !== undefined && !isJsonObject(content)) {
    throw wrong('onElicit', `content that is an object, got ${jsonType(content)}`);
  }
  const schema = params['requestedSchema'];
  return { action, content: await completed(schema, content ?? {}) };
}

/**
 * The content with the defaults of the form, checked: the server would refuse it anyway, and could not say which line of
 * the handler is wrong (ELIC-46). Defaults that don't fit their own form are the server's mistake and left out.
 */
async function completed(schema: unknown, content: JsonObject): Promise<JsonObject> {
  if (!isJsonObject(schema)) return content;
  const { formIssues } = await import('../output/compile-output.ts');
  const complete = withDefaults(schema, content);
  const issues = await formIssues(schema, complete);
  const ownIssues = issues.filter(({ path }) => Object.hasOwn(content, path.split('/')[1] ?? ''));
  if (issues.length > 0 && ownIssues.length === 0 && complete !== content) return checked(schema, content);
  return issues.length === 0 ? complete : checked(schema, complete);
}

async function checked(schema: JsonObject, content: JsonObject): Promise<JsonObject> {
  const { formIssues } = await import('../output/compile-output.ts');
  const [first] = await formIssues(schema, content);
  if (first === undefined) return content;
  throw wrong(
    'onElicit',
    `content that fits the form: ${first.path === '' ? '' : `${first.path} `}${first.message}`,
  );
}

async function sample(
  options: ClientOptions,
  params: JsonObject,
  context: AnswerContext,
): Promise<JsonObject> {
  const answer: unknown = await options.onSample?.(params as unknown as CreateMessageRequestParams, context);
  if (!isJsonObject(answer) || !('content' in answer) || typeof answer['model'] !== 'string') {
    throw wrong('onSample', 'an object with role, content and model');
  }
  return answer;
}

async function listRoots(options: ClientOptions): Promise<JsonObject> {
  const roots = typeof options.roots === 'function' ? await options.roots() : options.roots;
  if (!Array.isArray(roots)) throw wrong('roots', `a list, got ${jsonType(roots)}`);
  for (const root of roots) {
    const uri = isJsonObject(root) ? root['uri'] : undefined;
    if (typeof uri !== 'string' || !uri.startsWith('file://')) {
      throw wrong('roots', `objects with a file:// URI [ROOT-04], got ${JSON.stringify(root)}`);
    }
  }
  return { roots };
}

function wrong(who: string, expected: string): UsageError {
  return new UsageError(`${who} must give ${expected}`);
}
