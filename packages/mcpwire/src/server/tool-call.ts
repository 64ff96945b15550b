import { TimeoutError } from '../async/with-timeout.ts';
import type { MetaObject } from '../protocol/common-types.ts';
import type { Exchange, Params } from '../protocol/handler.ts';
import { isJsonObject, jsonType } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { checkParamHeaders } from '../protocol/param-headers.ts';
import { invalidParams, isProtocolError } from '../protocol/protocol-error.ts';
import type { Result } from '../protocol/results.ts';
import type { Validated } from '../json-schema/schema.ts';
import { CallContext } from './call-context.ts';
import { checkRetry, toQuestion, isInputRequired } from './input-shape.ts';
import { andThen, isPromise, runHandler } from './run-handler.ts';
import type { MaybePromise } from './run-handler.ts';
import type { ServerSettings } from './settings.ts';
import type { CompiledTool } from './tool.ts';
import { ToolError } from './tool-error.ts';
import {
  completeFull,
  errorResult,
  isFullResult,
  ResultError,
  toStructuredResult,
  toToolResult,
} from './tool-result.ts';

const NO_ARGUMENTS: JsonObject = Object.freeze({});

/**
 * Runs one `tools/call`: headers, arguments, handler, output (server/tools, "Calling Tools"). What the model can mend
 * becomes a result with `isError`; what it can't is thrown as a protocol error.
 */
export function callTool(
  tool: CompiledTool,
  params: Params,
  exchange: Exchange,
  settings: ServerSettings,
  meta: MetaObject,
): MaybePromise<Result> {
  checkRetry(params);
  const args = params['arguments'] === undefined ? NO_ARGUMENTS : params['arguments'];
  if (!isJsonObject(args)) throw invalidParams(`params.arguments must be an object, got ${jsonType(args)}`);
  const { caller } = exchange;
  if (tool.paramHeaders.length > 0 && caller.paramHeader !== undefined) {
    const mismatch = checkParamHeaders(tool.paramHeaders, args, (name) => caller.paramHeader?.(name));
    if (mismatch !== undefined) throw mismatch;
  }
  const call = new ToolCall(tool, params, exchange, settings, meta);
  const checked = tool.input.validate(args);
  return isPromise(checked) ? checked.then((validated) => call.run(validated)) : call.run(checked);
}

/** One call on its way through handler and output check; synchronous as long as everything in it is. */
class ToolCall {
  readonly #tool: CompiledTool;
  readonly #params: Params;
  readonly #exchange: Exchange;
  readonly #settings: ServerSettings;
  readonly #meta: MetaObject;

  constructor(
    tool: CompiledTool,
    params: Params,
    exchange: Exchange,
    settings: ServerSettings,
    meta: MetaObject,
  ) {
    this.#tool = tool;
    this.#params = params;
    this.#exchange = exchange;
    this.#settings = settings;
    this.#meta = meta;
  }

  run(args: Validated): MaybePromise<Result> {
    if (!args.ok) {
      return errorResult(`Invalid arguments for tool ${this.#tool.name}:\n${list(args)}`, this.#meta);
    }
    const context = new CallContext(this.#params, this.#exchange, this.#tool.askable);
    try {
      const value = runHandler(() => this.#tool.run(args.value, context), context, this.#tool.timeoutMs);
      if (isPromise(value)) {
        return value.then((settled) => this.#finish(settled)).catch((error: unknown) => this.#failed(error));
      }
      const result = this.#finish(value);
      return isPromise(result) ? result.catch((error: unknown) => this.#failed(error)) : result;
    } catch (error) {
      return this.#failed(error);
    }
  }

  #finish(value: unknown): MaybePromise<Result> {
    const { output } = this.#tool;
    const meta = this.#meta;
    if (isInputRequired(value)) {
      return toQuestion(value, this.#params._meta['io.modelcontextprotocol/clientCapabilities'], meta);
    }
    if (output === undefined) return toToolResult(value, meta);
    if (!isFullResult(value, true)) {
      return andThen(output.validate(value), (checked) => toStructuredResult(conforming(checked), meta));
    }
    const full = completeFull(value, meta);
    if (full.isError === true) return full;
    return andThen(output.validate(full.structuredContent), (checked) => ({
      ...full,
      structuredContent: conforming(checked),
    }));
  }

  #failed(error: unknown): Result {
    if (isProtocolError(error)) throw error;
    if (error instanceof ToolError) return errorResult(error.message, this.#meta);
    // A handler that stops when its caller gives up did what it should: that is no failure to report.
    if (this.#exchange.signal.aborted) return errorResult('The call was cancelled.', this.#meta);
    const reference = crypto.randomUUID();
    const what = error instanceof TimeoutError ? 'took too long' : 'failed';
    this.#settings.report({
      kind: 'tool-failed',
      message: `tool ${this.#tool.name} ${what}`,
      error,
      reference,
    });
    return errorResult(
      `The tool ${what}. The server's log has the details under reference ${reference}.`,
      this.#meta,
    );
  }
}

/** The output as its schema lets it through; anything else never leaves the server (TOOL-26). */
function conforming(checked: Validated): unknown {
  if (checked.ok) return checked.value;
  throw new ResultError(`the output does not conform to the output schema:\n${list(checked)}`);
}

function list(failed: Validated & { readonly ok: false }): string {
  return failed.issues
    .map((issue) => `- ${issue.path === '' ? '(whole value)' : issue.path}: ${issue.message}`)
    .join('\n');
}
