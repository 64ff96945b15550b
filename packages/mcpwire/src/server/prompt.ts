import { SchemaError } from '../json-schema/schema-problem.ts';
import { toSchema } from '../json-schema/schema.ts';
import type { Schema, SchemaLike } from '../json-schema/schema.ts';
import type { Icon, MetaObject } from '../protocol/common-types.ts';
import type { ContentBlock } from '../protocol/content.ts';
import type { Prompt, PromptArgument } from '../protocol/features.ts';
import { isJsonObject } from '../protocol/json.ts';
import type { GetPromptResult, PromptMessage } from '../protocol/results.ts';
import type { Context } from './call-context.ts';
import type { Completers } from './completion.ts';
import { DefinitionError, schemaRefused } from './definition-error.ts';
import { assertOptions, listedMembers } from './definition-options.ts';
import { PROMPT } from './entry-shape.ts';
import type { Askable } from './input/call-input.ts';
import type { ListEntry } from './list-pages.ts';
import { isPlainName } from './names.ts';
import type { MaybePromise } from './run-handler.ts';
import type { ServerSettings } from './settings.ts';
import type { InputRequired } from './tool-types.ts';
import { safely } from './visibility.ts';
import type { Visible } from './visibility.ts';

/** What a prompt's handler may return: a text or a block for one user message, messages, or a full result. */
export type PromptValue = string | ContentBlock | readonly PromptMessage[] | PromptResult | InputRequired;

export type PromptResult = Pick<GetPromptResult, 'messages'> & {
  readonly description?: string;
  readonly _meta?: MetaObject;
};

/** How a prompt is described (server/prompts, "Prompt"). */
export interface PromptOptions<A extends SchemaLike | undefined, N extends string = string> {
  readonly title?: string;
  readonly description?: string;
  /** Schema of the arguments: an object of strings. Descriptions and `required` become the prompt's argument list. */
  readonly args?: A;
  /** Suggestions for the arguments' values. */
  readonly complete?: Completers<N>;
  readonly icons?: readonly Icon[];
  readonly _meta?: MetaObject;
  readonly visible?: Visible;
  readonly timeoutMs?: number;
}

export interface CompiledPrompt extends ListEntry {
  readonly name: string;
  readonly wire: Prompt;
  readonly args: Schema;
  readonly arguments: readonly PromptArgument[];
  readonly complete: Completers<string>;
  readonly timeoutMs: number;
  readonly askable: Askable;
  readonly run: (args: unknown, context: Context) => MaybePromise<PromptValue>;
}

const NO_ARGUMENTS: { readonly [key: string]: unknown } = { type: 'object', properties: {} };

export function compilePrompt(
  name: string,
  options: PromptOptions<SchemaLike | undefined>,
  run: CompiledPrompt['run'],
  defaults: ServerSettings,
): CompiledPrompt {
  const subject = `prompt ${JSON.stringify(name)}`;
  if (!isPlainName(name)) {
    throw new DefinitionError(
      subject,
      '',
      'a name is 1 to 128 characters of A–Z, a–z, 0–9, "_", "-" and "."',
    );
  }
  assertOptions(subject, options, run);
  const listed = listedMembers(subject, PROMPT, options);
  const args = compileArgs(subject, options.args ?? NO_ARGUMENTS, defaults);
  const list = argumentList(subject, args);
  for (const argument of Object.keys(options.complete ?? {})) {
    if (!list.some((known) => known.name === argument)) {
      throw new DefinitionError(subject, `/complete/${argument}`, 'no such argument');
    }
  }
  return {
    key: name,
    name,
    args,
    arguments: list,
    complete: options.complete ?? {},
    run,
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
    askable: { machinery: defaults.input, method: 'prompts/get', target: name },
    visible: safely(options.visible, subject, defaults.report),
    wire: {
      name,
      ...listed,
      ...(list.length === 0 ? {} : { arguments: list }),
    },
  };
}

function compileArgs(subject: string, source: SchemaLike, settings: ServerSettings): Schema {
  try {
    return toSchema(source, 'input', settings.schemaBounds);
  } catch (error) {
    if (error instanceof SchemaError) throw schemaRefused(subject, 'args', error);
    throw error;
  }
}

/** Arguments of a prompt are strings on the wire: anything else in the schema could never be satisfied. */
function argumentList(subject: string, schema: Schema): readonly PromptArgument[] {
  const { type, properties, required } = schema.json;
  if (type !== 'object') {
    throw new DefinitionError(subject, '/args/type', 'arguments are an object of strings');
  }
  if (!isJsonObject(properties)) return [];
  const names = Array.isArray(required) ? required : [];
  return Object.keys(properties).map((name) => {
    const property = properties[name];
    if (!isJsonObject(property) || !takesStrings(property)) {
      throw new DefinitionError(subject, `/args/properties/${name}`, 'prompt arguments are strings');
    }
    const { title, description } = property;
    return {
      name,
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      required: names.includes(name),
    };
  });
}

function takesStrings(property: { readonly [key: string]: unknown }): boolean {
  const { type } = property;
  if (type === undefined) return true;
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
}
