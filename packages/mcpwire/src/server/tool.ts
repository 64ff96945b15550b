import type { Icon, MetaObject } from '../protocol/common-types.ts';
import type { Tool, ToolAnnotations } from '../protocol/features.ts';
import type { JsonObject } from '../protocol/json.ts';
import { findParamHeaders } from '../protocol/param-headers.ts';
import type { ParamHeader } from '../protocol/param-headers.ts';
import { SchemaError } from '../json-schema/schema-problem.ts';
import { toSchema } from '../json-schema/schema.ts';
import type { Schema, SchemaLike } from '../json-schema/schema.ts';
import type { Context } from './call-context.ts';
import { DefinitionError, schemaRefused } from './definition-error.ts';
import { assertOptions, listedMembers } from './definition-options.ts';
import { TOOL } from './entry-shape.ts';
import type { Askable } from './input/call-input.ts';
import type { ListEntry } from './list-pages.ts';
import type { MaybePromise } from './run-handler.ts';
import { isPlainName } from './names.ts';
import type { ServerSettings } from './settings.ts';
import { safely } from './visibility.ts';
import type { Visible } from './visibility.ts';

/** How a tool is described (server/tools, "Tool"). */
export interface ToolOptions<I extends SchemaLike | undefined, O extends SchemaLike | undefined> {
  readonly title?: string;
  readonly description?: string;
  /** Schema of the arguments: any Standard Schema that gives JSON Schema, or a JSON Schema object. Default: none taken. */
  readonly input?: I;
  /** Schema of the structured result. With it the handler returns the plain value. */
  readonly output?: O;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: MetaObject;
  /** Who may see and call the tool. Default everyone. */
  readonly visible?: Visible;
  /** Milliseconds without an answer and without progress. Default: the server's `timeoutMs`. */
  readonly timeoutMs?: number;
}

/** A tool that is ready to be listed and called. */
export interface CompiledTool extends ListEntry {
  readonly name: string;
  readonly wire: Tool;
  readonly input: Schema;
  readonly output: Schema | undefined;
  readonly paramHeaders: readonly ParamHeader[];
  readonly timeoutMs: number;
  readonly askable: Askable;
  readonly run: (args: unknown, context: Context) => MaybePromise<unknown>;
}

/** A tool without `input` takes no arguments, and says so. */
const NO_INPUT: JsonObject = { type: 'object', additionalProperties: false };

/** Checks and compiles a definition. Throws a `DefinitionError` that names the tool and the place. */
export function compileTool(
  name: string,
  options: ToolOptions<SchemaLike | undefined, SchemaLike | undefined>,
  run: CompiledTool['run'],
  defaults: ServerSettings,
): CompiledTool {
  const subject = `tool ${JSON.stringify(name)}`;
  if (!isPlainName(name)) {
    throw new DefinitionError(
      subject,
      '',
      'a name is 1 to 128 characters of A–Z, a–z, 0–9, "_", "-" and "."',
    );
  }
  assertOptions(subject, options, run);
  const listed = listedMembers(subject, TOOL, options);
  const input = compile(subject, 'input', options.input ?? NO_INPUT, defaults);
  if (input.json['type'] !== 'object') {
    throw new DefinitionError(
      subject,
      '/input/type',
      'arguments are an object: the schema must have type "object"',
    );
  }
  const output =
    options.output === undefined ? undefined : compile(subject, 'output', options.output, defaults);
  const paramHeaders = findParamHeaders(input.json);
  if ('message' in paramHeaders) {
    throw new DefinitionError(subject, `/input${paramHeaders.path}`, paramHeaders.message);
  }
  return {
    key: name,
    name,
    input,
    output,
    paramHeaders,
    run,
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
    askable: { machinery: defaults.input, method: 'tools/call', target: name },
    visible: safely(options.visible, subject, defaults.report),
    wire: {
      name,
      ...listed,
      inputSchema: input.json,
      ...(output === undefined ? {} : { outputSchema: output.json }),
    },
  };
}

function compile(
  subject: string,
  direction: 'input' | 'output',
  source: SchemaLike,
  settings: ServerSettings,
): Schema {
  try {
    return toSchema(source, direction, settings.schemaBounds);
  } catch (error) {
    if (error instanceof SchemaError) throw schemaRefused(subject, direction, error);
    throw error;
  }
}
