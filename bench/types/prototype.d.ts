// Types-only prototype of 'mcpwire/server', measured by generate.mjs until the real module exists.
import type { StandardSchemaV1 } from '@standard-schema/spec';

// ---- Schemas

/** A JSON Schema given as a plain object. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/**
 * What `input` and `output` accept. Naming only the property keeps the constraint check shallow: comparing a
 * schema with the whole of `StandardSchemaV1` at every tool costs half as much again as the schemas themselves.
 */
export type Schema = { readonly '~standard': unknown } | JsonSchema;

// Zod's own property is asked first: it is the type `z.infer` reads, already computed wherever the schema is used.
// The conditional must name the members (`{ output: any }`) and index `S`, not `infer`: `infer` and nested
// `StandardSchemaV1` comparisons are what made the first versions three times as expensive.
/** The type a schema accepts. */
export type InputOf<S> = S extends { _zod: { input: any } }
  ? S['_zod']['input']
  : S extends { '~standard': any }
    ? NonNullable<S['~standard']['types']>['input']
    : { [key: string]: unknown };

/** The type a schema yields. */
export type OutputOf<S> = S extends { _zod: { output: any } }
  ? S['_zod']['output']
  : S extends { '~standard': any }
    ? NonNullable<S['~standard']['types']>['output']
    : { [key: string]: unknown };

// ---- Tools

export interface TextContent {
  type: 'text';
  text: string;
}
export interface ImageContent {
  type: 'image';
  data: string;
  mimeType: string;
}
export type ContentBlock = TextContent | ImageContent;

export interface CallToolResult {
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: { [key: string]: unknown };
}

export interface ToolContext {
  readonly signal: AbortSignal;
  progress(progress: number, total?: number, message?: string): void;
  log(level: 'debug' | 'info' | 'warning' | 'error', data: unknown): void;
}

export interface ToolOptions<I, O> {
  title?: string;
  description?: string;
  input?: I;
  output?: O;
}

/** A handler's `args`: what `input` yields; an object without properties when there is no `input`. */
export type ToolArgs<I> = I extends undefined ? {} : OutputOf<I>;

/** What a handler may return: the type the output schema accepts, or a whole result. */
export type ToolReturn<O> = O extends { _zod: { input: any } }
  ? O['_zod']['input'] | CallToolResult
  : O extends { '~standard': any }
    ? NonNullable<O['~standard']['types']>['input'] | CallToolResult
    : O extends undefined
      ? string | ContentBlock | ContentBlock[] | CallToolResult | undefined | void
      : unknown;

type Literal = '' | 0 | false | LiteralObject | readonly Literal[] | [];
interface LiteralObject {
  readonly [key: string]: Literal;
}
/**
 * Always `never`. But while the checker infers, it sees the handler's return type as an unresolved conditional and
 * would widen `{ status: 'ok' }` to `{ status: string }` (and a tuple to an array); this conditional's constraint
 * has literals and a tuple in it, and that keeps them.
 */
type KeepLiterals<O> = [O] extends [never] ? LiteralObject | readonly Literal[] : never;

// NoInfer keeps the checker from inferring I back from `args`, through both branches of the conditional.
export type ToolHandler<I, O> = (
  args: NoInfer<ToolArgs<I>>,
  ctx: ToolContext,
) => ToolReturn<O> | KeepLiterals<O> | Promise<ToolReturn<O> | KeepLiterals<O>>;

/** What a server remembers of a tool: what to call it with and its structured content. */
export interface ToolTypes<Args, Result> {
  readonly args: Args;
  readonly result: Result;
}
export type ToolTypesOf<I, O> = ToolTypes<
  I extends undefined ? {} : InputOf<I>,
  O extends { '~standard': any } ? OutputOf<O> : unknown
>;

// ---- Prompts and resource templates

export interface PromptMessage {
  role: 'user' | 'assistant';
  content: ContentBlock;
}
export interface GetPromptResult {
  description?: string;
  messages: PromptMessage[];
}
/** A prompt's arguments arrive as strings: its schema must accept an object of strings. */
export type PromptSchema = StandardSchemaV1<{ readonly [name: string]: string | undefined }, unknown>;
export interface PromptOptions<A> {
  title?: string;
  description?: string;
  args?: A;
}
export type PromptReturn = string | PromptMessage | PromptMessage[] | GetPromptResult;

type Name<V extends string> = V extends `${infer N}*` | `${infer N}:${string}` ? N : V;
type NameList<L extends string> = L extends `${infer V},${infer Rest}` ? Name<V> | NameList<Rest> : Name<L>;
type PathNames<E extends string> = E extends `${'?' | '&'}${string}`
  ? never
  : NameList<E extends `${'+' | '#' | '.' | '/' | ';'}${infer L}` ? L : E>;
type QueryNames<E extends string> = E extends `${'?' | '&'}${infer L}` ? NameList<L> : never;
type Expressions<U extends string, Found = never> = U extends `${string}{${infer E}}${infer Rest}`
  ? Expressions<Rest, Found | E>
  : Found;
/** A URI template's variables; those of a query expression (`{?q,lang}`) may be absent. */
export type TemplateVariables<U extends string> = string extends U
  ? { [name: string]: string | undefined }
  : { [K in PathNames<Expressions<U> & string>]: string } & {
      [K in QueryNames<Expressions<U> & string>]?: string;
    };

export interface ResourceOptions {
  name?: string;
  title?: string;
  description?: string;
  mimeType?: string;
}
export type ResourceReturn =
  | string
  | Uint8Array
  | { contents: { uri: string; text?: string; blob?: string }[] };

// ---- Server

/**
 * `T` is inferred from `this` instead of being the interface's own parameter: the methods' signatures then do not
 * depend on `Tools`, and a step of the chain does not instantiate all the tools before it again.
 */
export interface Server<Tools = {}> {
  readonly '~tools'?: Tools;

  tool<
    T,
    N extends string,
    I extends Schema | undefined = undefined,
    O extends Schema | undefined = undefined,
  >(
    this: Server<T>,
    name: N,
    options: ToolOptions<I, O>,
    handler: ToolHandler<I, O>,
  ): Server<T & { [K in N]: ToolTypesOf<I, O> }>;

  prompt<T, A extends PromptSchema | undefined = undefined>(
    this: Server<T>,
    name: string,
    options: PromptOptions<A>,
    handler: (args: NoInfer<ToolArgs<A>>, ctx: ToolContext) => PromptReturn | Promise<PromptReturn>,
  ): Server<T>;

  resourceTemplate<T, U extends string>(
    this: Server<T>,
    uriTemplate: U,
    options: ResourceOptions,
    read: (variables: TemplateVariables<U>, ctx: ToolContext) => ResourceReturn | Promise<ResourceReturn>,
  ): Server<T>;
}

export interface ServerOptions {
  name: string;
  version: string;
}
export function createServer(options: ServerOptions): Server;

// ---- Client, to prove that a server's type is enough for a typed client

/** A server's tools as one object type, computed once: `keyof` of the chain's intersection at every call is not. */
export type ToolsOf<S> = S extends { readonly '~tools'?: infer T } ? { [K in keyof T]: T[K] } : never;

export interface ToolResult<R> extends CallToolResult {
  structuredContent: R;
}
/** `T` is inferred from `this` for the same reason as in `Server`: a call then costs the same however many tools there are. */
export interface Client<Tools> {
  readonly '~tools'?: Tools;

  call<T, N extends keyof T & string>(
    this: Client<T>,
    name: N,
    ...args: T[N] extends { args: infer A } ? ({} extends A ? [args?: A] : [args: A]) : never
  ): Promise<T[N] extends { result: infer R } ? ToolResult<R> : never>;
}
export function connect<S>(url: string): Promise<Client<ToolsOf<S>>>;
