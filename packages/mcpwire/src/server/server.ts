import type { InferOutput, SchemaLike } from '../json-schema/schema.ts';
import type { ServerCapabilities } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/common-types.ts';
import type { Handler, Middleware } from '../protocol/handler.ts';
import type { Context } from './call-context.ts';
import type { MethodOptions } from './custom-method.ts';
import type { PromptOptions, PromptValue } from './prompt.ts';
import type { ResourceOptions, ResourceReader, ResourceTemplateOptions, TemplateReader } from './resource.ts';
import type { MaybePromise } from './run-handler.ts';
import type { TemplateVariables, VariableName } from './template-variables.ts';
import type { ToolOptions } from './tool.ts';
import type { ToolArgs, ToolHandler, ToolTypesOf } from './tool-types.ts';

/** What can be defined: each method checks its definition and throws a `DefinitionError` where it can't be served. */
export interface Definitions<Self> {
  /** Defines a resource, read by its URI. */
  resource(uri: string, options: ResourceOptions, read: ResourceReader): Self;
  /** Defines the resources whose URIs fit a template. The reader returns undefined where there is no such resource. */
  resourceTemplate<U extends string>(
    uriTemplate: U,
    options: ResourceTemplateOptions<VariableName<U>>,
    read: TemplateReader<TemplateVariables<U>>,
  ): Self;
  /** Defines a prompt. */
  prompt<A extends SchemaLike | undefined = undefined>(
    name: string,
    options: PromptOptions<A>,
    handler: (args: NoInfer<ToolArgs<A>>, context: Context) => MaybePromise<PromptValue>,
  ): Self;
  /** Defines a method of your own, with a prefixed name such as `example.com/reindex`. */
  method<P extends SchemaLike | undefined = undefined>(
    name: string,
    options: MethodOptions<P>,
    handler: (
      params: NoInfer<P extends SchemaLike ? InferOutput<P> : { [key: string]: unknown }>,
      context: Context,
    ) => MaybePromise<object>,
  ): Self;
  /** Puts middleware in front of every request; the first one used is the outermost. */
  use(...middleware: readonly Middleware[]): Self;
}

/** A definition that is being changed: see `Server.update`. */
export interface ServerDraft extends Definitions<ServerDraft> {
  tool<I extends SchemaLike | undefined = undefined, O extends SchemaLike | undefined = undefined>(
    name: string,
    options: ToolOptions<I, O>,
    handler: ToolHandler<I, O>,
  ): ServerDraft;
  /** Takes something away; false where it isn't there. */
  removeTool(name: string): boolean;
  removeResource(uri: string): boolean;
  removeResourceTemplate(uriTemplate: string): boolean;
  removePrompt(name: string): boolean;
}

/**
 * A server: one definition, served by every transport to every client at the same time. `handle` answers requests;
 * transports and tests call it.
 *
 * `T` is inferred from `this` instead of being the interface's own parameter: the signatures don't depend on `Tools`
 * then, and a step of the chain doesn't instantiate all the tools before it again.
 */
export interface Server<Tools = {}> {
  /** Never set: it carries the tools' types to a typed client. */
  readonly '~tools'?: Tools;
  readonly info: Implementation;
  readonly handle: Handler;
  /** What the definition offers at this moment. */
  readonly capabilities: ServerCapabilities;

  /** Defines a tool. The handler gets checked arguments and returns what is natural. */
  tool<
    T,
    N extends string,
    I extends SchemaLike | undefined = undefined,
    O extends SchemaLike | undefined = undefined,
  >(
    this: Server<T>,
    name: N,
    options: ToolOptions<I, O>,
    handler: ToolHandler<I, O>,
  ): Server<T & { [K in N]: ToolTypesOf<I, O> }>;
  resource<T>(this: Server<T>, uri: string, options: ResourceOptions, read: ResourceReader): Server<T>;
  resourceTemplate<T, U extends string>(
    this: Server<T>,
    uriTemplate: U,
    options: ResourceTemplateOptions<VariableName<U>>,
    read: TemplateReader<TemplateVariables<U>>,
  ): Server<T>;
  prompt<T, A extends SchemaLike | undefined = undefined>(
    this: Server<T>,
    name: string,
    options: PromptOptions<A>,
    handler: (args: NoInfer<ToolArgs<A>>, context: Context) => MaybePromise<PromptValue>,
  ): Server<T>;
  method<T, P extends SchemaLike | undefined = undefined>(
    this: Server<T>,
    name: string,
    options: MethodOptions<P>,
    handler: (
      params: NoInfer<P extends SchemaLike ? InferOutput<P> : { [key: string]: unknown }>,
      context: Context,
    ) => MaybePromise<object>,
  ): Server<T>;
  use<T>(this: Server<T>, ...middleware: readonly Middleware[]): Server<T>;

  /**
   * Changes the definition at run time: all of it or, where the function throws, none of it. Running requests end with
   * the definition they began with. Subscribers hear which lists changed.
   */
  update(change: (draft: ServerDraft) => void): void;
  /** Tells subscribers that the contents of a resource changed. */
  resourceUpdated(uri: string): void;
  /** Ends every subscription with its result. */
  close(): void;
}
