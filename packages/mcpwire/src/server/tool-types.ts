import type { MetaObject } from '../protocol/common-types.ts';
import type { ContentBlock } from '../protocol/content.ts';
import type { InputRequests } from '../protocol/input.ts';
import type { InferInput, InferOutput, SchemaLike } from '../json-schema/schema.ts';
import type { Context } from './call-context.ts';
import type { MaybePromise } from './run-handler.ts';

/** A full tool result, for when the plain value is not enough. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: MetaObject;
}

/** A question to the client instead of an answer (basic/patterns/mrtr). */
export interface InputRequired {
  readonly resultType: 'input_required';
  readonly inputRequests?: InputRequests;
  readonly requestState?: string;
  readonly _meta?: MetaObject;
}

/** A handler's arguments: what `input` yields; an object without properties where there is no `input`. */
export type ToolArgs<I> = I extends undefined ? {} : InferOutput<I>;

/** What a handler may return where its tool has no output schema. */
type PlainReturn = string | ContentBlock | readonly ContentBlock[] | undefined | void;

/** What a handler may return. With `output`: the plain value that the output schema takes. */
export type ToolReturn<O> =
  | ToolResult
  | InputRequired
  | (O extends undefined
      ? PlainReturn
      : O extends { readonly '~standard': unknown }
        ? InferInput<O>
        : unknown);

/**
 * Always `never`, yet the compiler learns that only once `O` is known. Until then it is a type full of literals, and
 * the literals of a returned value (`{ status: 'ok' }`, `{ type: 'image' }`) don't widen.
 */
type KeepLiterals<O> = [O] extends [never] ? LiteralObject | readonly Literal[] : never;
type Literal = '' | 0 | false | LiteralObject | readonly Literal[] | [];
interface LiteralObject {
  readonly [key: string]: Literal;
}

/** A tool's handler. `NoInfer` keeps the checker from inferring the input schema back from it. */
export type ToolHandler<I, O> = (
  args: NoInfer<ToolArgs<I>>,
  context: Context,
) => MaybePromise<ToolReturn<O> | KeepLiterals<O>>;

/** What a server's type remembers of a tool: what to call it with and its structured content. */
export interface ToolTypes<Args, Structured> {
  readonly args: Args;
  readonly structured: Structured;
}

export type ToolTypesOf<I, O> = ToolTypes<
  I extends undefined ? {} : InferInput<I>,
  O extends SchemaLike ? InferOutput<O> : unknown
>;
