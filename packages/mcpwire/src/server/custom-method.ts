import { SchemaError } from '../json-schema/schema-problem.ts';
import { toSchema } from '../json-schema/schema.ts';
import type { Schema, SchemaLike } from '../json-schema/schema.ts';
import type { MetaObject } from '../protocol/common-types.ts';
import type { Exchange, Params } from '../protocol/handler.ts';
import { isJsonObject, jsonType } from '../protocol/json.ts';
import { invalidParams } from '../protocol/protocol-error.ts';
import type { Result } from '../protocol/results.ts';
import { CallContext } from './call-context.ts';
import type { Context } from './call-context.ts';
import { DefinitionError, schemaRefused } from './definition-error.ts';
import { assertOptions } from './definition-options.ts';
import { reservedMethod } from './method-name.ts';
import { andThen, runHandler } from './run-handler.ts';
import type { MaybePromise } from './run-handler.ts';
import type { ServerSettings } from './settings.ts';
import { ResultError, resultMeta } from './tool-result.ts';

/** How a method of your own is described. */
export interface MethodOptions<P extends SchemaLike | undefined> {
  /** Schema of the params without `_meta`. Default: anything. */
  readonly params?: P;
  readonly timeoutMs?: number;
}

export interface CompiledMethod {
  readonly key: string;
  readonly name: string;
  readonly params: Schema | undefined;
  readonly timeoutMs: number;
  readonly run: (params: unknown, context: Context) => MaybePromise<object>;
}

export function compileMethod(
  name: string,
  options: MethodOptions<SchemaLike | undefined>,
  run: CompiledMethod['run'],
  settings: ServerSettings,
): CompiledMethod {
  const subject = `method ${JSON.stringify(name)}`;
  const reserved = reservedMethod(name);
  if (reserved !== undefined) {
    throw new DefinitionError(
      subject,
      '',
      `${reserved}: use a name of your own, such as example.com/reindex`,
    );
  }
  assertOptions(subject, options, run);
  try {
    const params =
      options.params === undefined ? undefined : toSchema(options.params, 'input', settings.schemaBounds);
    return { key: name, name, params, run, timeoutMs: options.timeoutMs ?? settings.timeoutMs };
  } catch (error) {
    if (error instanceof SchemaError) throw schemaRefused(subject, 'params', error);
    throw error;
  }
}

/** Answers a request for a method of your own. */
export function callMethod(
  method: CompiledMethod,
  params: Params,
  exchange: Exchange,
  meta: MetaObject,
): MaybePromise<Result> {
  const { _meta, ...own } = params;
  const checked =
    method.params === undefined ? ({ ok: true, value: own } as const) : method.params.validate(own);
  return andThen(checked, (validated) => {
    if (!validated.ok) {
      const issues = validated.issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
      throw invalidParams(`Invalid params for ${method.name}: ${issues}`, { issues: validated.issues });
    }
    const context = new CallContext(params, exchange);
    const value = runHandler(() => method.run(validated.value, context), context, method.timeoutMs);
    return andThen(value, (result): Result => {
      if (!isJsonObject(result)) throw new ResultError(`a method returns an object, got ${jsonType(result)}`);
      if (result['resultType'] === 'input_required') {
        throw new ResultError('only tools, resources and prompts may ask');
      } // MRTR-04
      const { resultType } = result;
      if (resultType !== undefined && typeof resultType !== 'string') {
        throw new ResultError(`resultType must be a string, got ${jsonType(resultType)}`);
      }
      return {
        resultType: 'complete',
        ...result,
        _meta: resultMeta(result['_meta'], meta),
      };
    });
  });
}
