import type { MetaObject } from '../protocol/common-types.ts';
import type { Exchange, Params } from '../protocol/handler.ts';
import { isJsonObject, jsonType } from '../protocol/json.ts';
import { invalidParams } from '../protocol/protocol-error.ts';
import type { Result } from '../protocol/results.ts';
import { CallContext } from './call-context.ts';
import { checkContentBlock, isContentBlock } from './content-check.ts';
import { checkRetry, toQuestion, isInputRequired } from './input-shape.ts';
import type { CompiledPrompt } from './prompt.ts';
import { andThen, runHandler } from './run-handler.ts';
import type { MaybePromise } from './run-handler.ts';
import { ResultError, resultMeta } from './tool-result.ts';

/** Answers `prompts/get` (server/prompts, "Getting a Prompt"). Wrong arguments are -32602: a person can mend them. */
export function getPrompt(
  prompt: CompiledPrompt,
  params: Params,
  exchange: Exchange,
  meta: MetaObject,
): MaybePromise<Result> {
  checkRetry(params);
  const args = params['arguments'] === undefined ? {} : params['arguments'];
  if (!isJsonObject(args)) throw invalidParams(`params.arguments must be an object, got ${jsonType(args)}`);
  for (const name of Object.keys(args)) {
    if (typeof args[name] !== 'string') {
      throw invalidParams(`params.arguments.${name} must be a string, got ${jsonType(args[name])}`);
    }
  }
  return andThen(prompt.args.validate(args), (checked) => {
    if (!checked.ok) {
      const issues = checked.issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
      throw invalidParams(`Invalid arguments for prompt ${prompt.name}: ${issues}`, {
        issues: checked.issues,
      });
    }
    const context = new CallContext(params, exchange, prompt.askable);
    const value = runHandler(() => prompt.run(checked.value, context), context, prompt.timeoutMs);
    return andThen(value, (returned) => toPromptResult(returned, prompt, context, meta));
  });
}

function toPromptResult(
  value: unknown,
  prompt: CompiledPrompt,
  context: CallContext,
  meta: MetaObject,
): MaybePromise<Result> {
  if (isInputRequired(value)) return toQuestion(value, context.clientCapabilities, meta);
  const full = isJsonObject(value) && Array.isArray(value['messages']) ? value : undefined;
  const messages = full === undefined ? toMessages(value) : full['messages'];
  checkMessages(messages);
  const description = full?.['description'] === undefined ? prompt.wire.description : full['description'];
  if (description !== undefined && typeof description !== 'string') {
    throw new ResultError(`description must be a string, got ${jsonType(description)}`);
  }
  return {
    resultType: 'complete',
    ...(description === undefined ? {} : { description }),
    messages,
    _meta: resultMeta(full?.['_meta'], meta),
  };
}

function toMessages(value: unknown): unknown {
  if (typeof value === 'string') return [{ role: 'user', content: { type: 'text', text: value } }];
  return isContentBlock(value) ? [{ role: 'user', content: value }] : value;
}

function checkMessages(messages: unknown): void {
  if (!Array.isArray(messages)) {
    throw new ResultError(
      `a prompt returns a text, a content block, messages or a full result, got ${jsonType(messages)}`,
    );
  }
  for (const [index, message] of messages.entries()) {
    if (!isJsonObject(message) || (message['role'] !== 'user' && message['role'] !== 'assistant')) {
      throw new ResultError(`messages[${index}].role must be "user" or "assistant"`);
    }
    const problem = checkContentBlock(message['content']) ?? checkEmbedded(message['content']);
    if (problem !== undefined) throw new ResultError(`messages[${index}].content ${problem}`);
  }
}

/** A prompt's embedded resource says what it is (PROMPT-07); elsewhere its MIME type may be left out. */
function checkEmbedded(content: unknown): string | undefined {
  if (!isContentBlock(content) || content.type !== 'resource') return undefined;
  return content.resource.mimeType === undefined ? '.resource.mimeType must be given' : undefined;
}
