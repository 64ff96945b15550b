import { assertClientOptions } from './assert-options.ts';
import type { ServerCapabilities } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/common-types.ts';
import type { Prompt, Resource, ResourceTemplate, Tool } from '../protocol/features.ts';
import { isJsonObject } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import type {
  CompleteResult,
  DiscoverResult,
  GetPromptResult,
  ReadResourceResult,
  Result,
} from '../protocol/results.ts';
import { UsageError } from '../protocol/usage-error.ts';
import { isCacheable, ResponseCache } from './cache.ts';
import type { Connection } from './connection.ts';
import { listen, toSubscriptionFilter } from './listen.ts';
import type { ListenFilter, Subscription } from './listen.ts';
import type { ListenEvent } from './listen-events.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import { CheckedResults } from './output/checked-results.ts';
import { pagesOf } from './pages.ts';
import type { Pages } from './pages.ts';
import { holding } from './holding.ts';
import { Requester } from './requester.ts';
import { ToolCallResult } from './tool-result.ts';
import type { AnyTools, ArgsOf, CallParams, StructuredOf } from './tool-types.ts';

/** What completion is asked for: an argument of a prompt, or a variable of a resource template. */
export type CompletionRef =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

/**
 * A connection to one server, whatever its era and transport. Every request ends: with its result, with the server's
 * `PeerError`, or with a local error.
 */
export interface Client<Tools = AnyTools> {
  /** The era of the server: how it is spoken to. Nothing else depends on it. */
  readonly era: 'modern' | 'legacy';
  /** The revision that is spoken on the wire. */
  readonly version: string;
  /** `stdio`, `http`, `sse`, `in-process`, or the name of a custom transport. */
  readonly transport: string;
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation | undefined;
  readonly instructions: string | undefined;
  /** Requests that have no answer yet. */
  readonly pending: number;

  tools(options?: RequestOptions): Pages<Tool>;
  resources(options?: RequestOptions): Pages<Resource>;
  templates(options?: RequestOptions): Pages<ResourceTemplate>;
  prompts(options?: RequestOptions): Pages<Prompt>;
  /** Calls a tool. A tool that fails gives a result with `isError`. */
  call<N extends keyof Tools & string>(
    name: N,
    ...rest: CallParams<ArgsOf<Tools, N>, RequestOptions>
  ): Promise<ToolCallResult<StructuredOf<Tools, N>>>;
  read(uri: string, options?: RequestOptions): Promise<ReadResourceResult>;
  prompt(
    name: string,
    args?: { readonly [name: string]: string },
    options?: RequestOptions,
  ): Promise<GetPromptResult>;
  complete(
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    context?: { readonly [name: string]: string },
    options?: RequestOptions,
  ): Promise<CompleteResult['completion']>;
  discover(options?: RequestOptions): Promise<DiscoverResult>;
  /** Hears of changes. The stream is opened again where it is lost, and says so. */
  listen(filter: ListenFilter, options?: { readonly signal?: AbortSignal }): Subscription;
  /** Any request, in the words of the newest revision; `_meta` is added. */
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<Result>;
  /** Ends it: what is open fails with a `ConnectionClosedError`, a server's process is ended. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Puts a client around a connection. `connect` does both, and is what applications call. */
export function createClient<Tools = AnyTools>(
  connection: Connection,
  options: ClientOptions = {},
): Client<Tools> {
  return pausableClient<Tools>(connection, options).client;
}

/** The same, and the way to stop the time-outs of its requests while somebody thinks outside of any of them. */
export function pausableClient<Tools>(
  connection: Connection,
  options: ClientOptions,
): { readonly client: Client<Tools>; readonly pause: () => () => void } {
  assertClientOptions(options);
  const client = new McpClient(connection, options);
  return { client: client as unknown as Client<Tools>, pause: () => client.pause() };
}

class McpClient {
  readonly #connection: Connection;
  readonly #requester: Requester;
  readonly #cache: ResponseCache | undefined;
  readonly #outputs: CheckedResults;
  #closing: Promise<void> | undefined;
  #generation: number | undefined;
  constructor(connection: Connection, options: ClientOptions) {
    this.#connection = connection;
    this.#generation = connection.generation;
    this.#requester = new Requester(connection, options);
    this.#cache = options.cache === false ? undefined : new ResponseCache(options.cache);
    this.#outputs = new CheckedResults(this.#requester, () => this.tools({ cache: false }).all());
  }

  pause(): () => void {
    return this.#requester.legs.suspend();
  }

  get era(): 'modern' | 'legacy' {
    return this.#connection.facts.era;
  }

  get version(): string {
    return this.#connection.facts.version;
  }

  get transport(): string {
    return this.#connection.transport;
  }

  get capabilities(): ServerCapabilities {
    return this.#connection.facts.capabilities;
  }

  get serverInfo(): Implementation | undefined {
    return this.#connection.facts.serverInfo;
  }

  get instructions(): string | undefined {
    return this.#connection.facts.instructions;
  }

  get pending(): number {
    return this.#requester.pending;
  }

  tools(options?: RequestOptions): Pages<Tool> {
    return this.#pages('tools/list', 'tools', options, (entry) => {
      if (typeof entry['name'] !== 'string' || !isJsonObject(entry['inputSchema'])) return undefined;
      this.#outputs.learn(entry['name'], entry['outputSchema']);
      return entry;
    });
  }

  resources(options?: RequestOptions): Pages<Resource> {
    return this.#pages('resources/list', 'resources', options, withText('uri'));
  }

  templates(options?: RequestOptions): Pages<ResourceTemplate> {
    const read = withText('uriTemplate');
    return this.#pages('resources/templates/list', 'resourceTemplates', options, read);
  }

  prompts(options?: RequestOptions): Pages<Prompt> {
    return this.#pages('prompts/list', 'prompts', options, withText('name'));
  }

  call(name: string, args: JsonObject = {}, options: RequestOptions = {}): Promise<ToolCallResult> {
    this.#noticeLoss();
    return this.#requester.requestAs('tools/call', { name, arguments: args }, options, (result) =>
      this.#outputs.checked(name, new ToolCallResult(result), options),
    );
  }

  async read(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    return holding(await this.request('resources/read', { uri }, options), 'contents') as ReadResourceResult;
  }

  async prompt(name: string, args?: JsonObject, options?: RequestOptions): Promise<GetPromptResult> {
    const params = args === undefined ? { name } : { name, arguments: args };
    return holding(await this.request('prompts/get', params, options), 'messages') as GetPromptResult;
  }

  async complete(
    ref: CompletionRef,
    argument: JsonObject,
    context?: JsonObject,
    options?: RequestOptions,
  ): Promise<CompleteResult['completion']> {
    const params = { ref, argument, ...(context === undefined ? {} : { context: { arguments: context } }) };
    const { completion } = await this.request('completion/complete', params, options);
    const values =
      isJsonObject(completion) && Array.isArray(completion['values']) ? completion['values'] : [];
    // Half an answer is one (COMP-08).
    return {
      ...(isJsonObject(completion) ? completion : {}),
      values: values.filter((value: unknown) => typeof value === 'string'),
    };
  }

  async discover(options?: RequestOptions): Promise<DiscoverResult> {
    return (await this.request('server/discover', {}, options)) as DiscoverResult;
  }

  listen(filter: ListenFilter, options: { readonly signal?: AbortSignal } = {}): Subscription {
    const wire = toSubscriptionFilter(filter);
    if (Object.keys(wire).length === 0) {
      throw new UsageError('listen needs something to hear of: tools, prompts or resources');
    }
    return listen(this.#requester, wire, options.signal, (event) => this.#forget(event));
  }

  request(method: string, params: JsonObject = {}, options: RequestOptions = {}): Promise<Result> {
    this.#noticeLoss();
    if (this.#cache === undefined || options.cache === false || !isCacheable(method)) {
      return this.#requester.request(method, params, options);
    }
    return this.#cache.through({
      method,
      params,
      signal: options.signal,
      isShared: Object.keys(options).every((name) => name === 'signal'),
      fetch: (signal) => this.#requester.request(method, params, { ...options, signal }),
      mayKeep: (result) => this.#requester.mayKeep(result),
    });
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    try {
      this.#requester.close();
    } finally {
      await this.#connection.close();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** What entries hold beyond the member that they are known by is the server's word. */
  #pages<T>(
    method: string,
    member: string,
    options: RequestOptions | undefined,
    read: (entry: JsonObject) => JsonObject | undefined,
  ): Pages<T> {
    const { report, bounds } = this.#requester;
    return pagesOf({
      method,
      member,
      maxPages: bounds.maxPages,
      maxListed: bounds.maxListed,
      fetch: (params) => this.request(method, params, options),
      read: (entry) => read(entry) as T | undefined,
      refuse: (message) => report({ kind: 'bad-entry', method, message }),
    });
  }

  /** A server that was started again may be another one. */
  #noticeLoss(): void {
    const { generation } = this.#connection;
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#forget({ type: 'gap' });
  }

  #forget(event: ListenEvent): void {
    const { type } = event;
    if (type === 'acknowledged') return;
    if (type === 'toolsListChanged' || type === 'gap') {
      this.#outputs.forget();
    }
    this.#cache?.drop((method, uri) => {
      if (type === 'gap') return true;
      if (type === 'resourceUpdated') {
        return method === 'resources/read' && (uri === undefined || uri === event.uri);
      }
      const about =
        type === 'toolsListChanged' ? 'tools/' : type === 'promptsListChanged' ? 'prompts/' : 'resources/';
      return method.startsWith(about);
    });
  }
}

/** Entries that have the one member without which they are of no use. */
function withText(member: string): (entry: JsonObject) => JsonObject | undefined {
  return (entry) => (typeof entry[member] === 'string' ? entry : undefined);
}
