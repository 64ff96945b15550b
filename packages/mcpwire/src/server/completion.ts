import type { MetaObject } from '../protocol/common-types.ts';
import type { Exchange, Params } from '../protocol/handler.ts';
import { isJsonObject, jsonType } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { invalidParams } from '../protocol/protocol-error.ts';
import type { Result } from '../protocol/results.ts';
import { CallContext } from './call-context.ts';
import type { Context } from './call-context.ts';
import type { Definition } from './definition.ts';
import { outOfRange } from './integer-range.ts';
import { andThen, runHandler } from './run-handler.ts';
import type { MaybePromise } from './run-handler.ts';
import type { ServerSettings } from './settings.ts';
import { ResultError } from './tool-result.ts';
import { isVisible } from './visibility.ts';

/** Suggestions for a value: the best first. More than 100 are cut, and the answer says so. */
export type CompletionValues =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean };

/** The context of a completion: also the values that are already chosen for the other arguments. */
export interface CompletionContext extends Context {
  readonly arguments: { readonly [name: string]: string };
}

/** Suggests values for what was typed so far. */
export type Completer = (value: string, context: CompletionContext) => MaybePromise<CompletionValues>;

export type Completers<N extends string> = { readonly [name in N]?: Completer };

/** Most values of one answer (COMP-02). */
const MAX_VALUES = 100;

/** Answers `completion/complete` (server/utilities/completion). */
export function complete(
  definition: Definition,
  params: Params,
  exchange: Exchange,
  settings: ServerSettings,
  meta: MetaObject,
): MaybePromise<Result> {
  const { argument } = params;
  if (
    !isJsonObject(argument) ||
    typeof argument['name'] !== 'string' ||
    typeof argument['value'] !== 'string'
  ) {
    throw invalidParams('params.argument must have a name and a value, both strings');
  }
  const name = argument['name'];
  const value = argument['value'];
  const context = new CompleteContext(readArguments(params['context']), params, exchange);
  const completer = findCompleter(definition, params['ref'], name, exchange);
  if (completer === undefined) return toResult([], meta);
  return andThen(
    runHandler(() => completer(value, context), context, settings.timeoutMs),
    (values) => toResult(values, meta),
  );
}

class CompleteContext extends CallContext implements CompletionContext {
  readonly arguments: { readonly [name: string]: string };

  constructor(args: { readonly [name: string]: string }, params: Params, exchange: Exchange) {
    super(params, exchange);
    this.arguments = args;
  }
}

function readArguments(context: unknown): { readonly [name: string]: string } {
  if (context === undefined) return {};
  const args = argumentsOf(context);
  if (!isJsonObject(args) || Object.values(args).some((value) => typeof value !== 'string')) {
    throw invalidParams('params.context.arguments must be an object of strings');
  }
  return args as { readonly [name: string]: string };
}

function argumentsOf(context: unknown): unknown {
  if (!isJsonObject(context)) return undefined;
  return context['arguments'] === undefined ? {} : context['arguments'];
}

function findCompleter(
  definition: Definition,
  ref: unknown,
  name: string,
  exchange: Exchange,
): Completer | undefined {
  if (!isJsonObject(ref)) throw invalidParams(`params.ref must be an object, got ${jsonType(ref)}`);
  if (ref['type'] === 'ref/prompt') {
    const wanted = textOf(ref, 'name');
    const prompt = definition.prompts.get(wanted);
    if (prompt === undefined || !isVisible(prompt, exchange.caller)) {
      throw invalidParams(`Unknown prompt: ${wanted}`);
    }
    const known = prompt.arguments.map((argument) => argument.name);
    return pick(prompt.complete, name, known, `prompt ${prompt.name} has no argument`);
  }
  if (ref['type'] !== 'ref/resource') {
    throw invalidParams('params.ref.type must be "ref/prompt" or "ref/resource"');
  }
  const uri = textOf(ref, 'uri');
  const template = definition.templates.get(uri);
  if (template !== undefined && isVisible(template, exchange.caller)) {
    return pick(template.complete, name, template.template.variables, `template ${uri} has no variable`);
  }
  const resource = definition.resources.get(uri);
  if (resource === undefined || !isVisible(resource, exchange.caller)) {
    throw invalidParams(`Unknown resource template: ${uri}`);
  }
  return undefined;
}

function textOf(ref: JsonObject, member: 'name' | 'uri'): string {
  const value = ref[member];
  if (typeof value === 'string') return value;
  throw invalidParams(`params.ref.${member} must be a string, got ${jsonType(value)}`);
}

function pick(
  completers: Completers<string>,
  name: string,
  known: readonly string[],
  complaint: string,
): Completer | undefined {
  if (!known.includes(name)) throw invalidParams(`${complaint} ${name}`);
  return Object.hasOwn(completers, name) ? completers[name] : undefined;
}

function toResult(returned: CompletionValues, meta: MetaObject): Result {
  const given: JsonObject = isJsonObject(returned) ? returned : { values: returned };
  const { values } = given;
  if (!Array.isArray(values) || values.some((value) => typeof value !== 'string')) {
    throw new ResultError('a completer returns an array of strings, or an object with one as values');
  }
  const { total = values.length > MAX_VALUES ? values.length : undefined } = given;
  const { hasMore = values.length > MAX_VALUES ? true : undefined } = given;
  const problem = total === undefined ? undefined : outOfRange(total, { least: 0 });
  if (problem !== undefined) throw new ResultError(`the total of a completion ${problem}`);
  if (hasMore !== undefined && typeof hasMore !== 'boolean') {
    throw new ResultError(`hasMore of a completion must be true or false, got ${jsonType(hasMore)}`);
  }
  return {
    resultType: 'complete',
    completion: {
      values: values.slice(0, MAX_VALUES),
      ...(total === undefined ? {} : { total }),
      ...(hasMore === undefined ? {} : { hasMore }),
    },
    _meta: meta,
  };
}
