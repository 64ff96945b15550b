import { LazySignal } from '../async/lazy-signal.ts';
import type { Implementation } from '../protocol/common-types.ts';
import type { Handler, Middleware } from '../protocol/handler.ts';
import type { ServerCapabilities } from '../protocol/capabilities.ts';
import { UsageError } from '../protocol/usage-error.ts';
import { MemoryChangeBus } from '../scale/change-bus.ts';
import type { SchemaLike } from '../json-schema/schema.ts';
import { compileMethod } from './custom-method.ts';
import type { CompiledMethod, MethodOptions } from './custom-method.ts';
import { Draft } from './definition.ts';
import { DefinitionError } from './definition-error.ts';
import { compileServer } from './dispatch.ts';
import type { Compiled, ServerParts } from './dispatch.ts';
import { InputMachinery } from './input/call-input.ts';
import { compilePrompt } from './prompt.ts';
import type { CompiledPrompt, PromptOptions } from './prompt.ts';
import { compileResource, compileTemplate } from './resource.ts';
import type {
  CompiledTemplate,
  ResourceOptions,
  ResourceReader,
  ResourceTemplateOptions,
} from './resource.ts';
import type { Server, ServerDraft } from './server.ts';
import { assertInfo, assertServerOptions } from './server-options.ts';
import { cacheHint, NO_CACHE, reportToConsole, safely } from './settings.ts';
import type { ServerOptions, ServerSettings } from './settings.ts';
import { compileTool } from './tool.ts';
import type { CompiledTool, ToolOptions } from './tool.ts';

/** Makes a server with nothing on it yet: chain `.tool`, `.resource`, `.resourceTemplate`, `.prompt` onto it. */
export function createServer(info: Implementation, options: ServerOptions = {}): Server {
  assertInfo(info);
  assertServerOptions(options);
  // The chain's types grow with every step; the object behind them is one and the same.
  return new McpServer(info, options) as unknown as Server;
}

/** Checks definitions and puts them into a draft. */
class DraftBuilder {
  readonly draft: Draft;
  readonly #settings: ServerSettings;
  #isOpen = true;

  constructor(draft: Draft, settings: ServerSettings) {
    this.draft = draft;
    this.#settings = settings;
  }

  tool(
    name: string,
    options: ToolOptions<SchemaLike | undefined, SchemaLike | undefined>,
    run: CompiledTool['run'],
  ): this {
    this.#add(
      this.draft.tools,
      `tool ${JSON.stringify(name)}`,
      compileTool(name, options, run, this.#settings),
    );
    this.draft.changed.add('tools');
    return this;
  }

  resource(uri: string, options: ResourceOptions, read: ResourceReader): this {
    this.#add(
      this.draft.resources,
      `resource ${JSON.stringify(uri)}`,
      compileResource(uri, options, read, this.#readDefaults()),
    );
    this.draft.changed.add('resources');
    return this;
  }

  resourceTemplate(
    uriTemplate: string,
    options: ResourceTemplateOptions,
    read: CompiledTemplate['read'],
  ): this {
    const compiled = compileTemplate(uriTemplate, options, read, this.#readDefaults());
    this.#add(this.draft.templates, `resource template ${JSON.stringify(uriTemplate)}`, compiled);
    this.draft.changed.add('resources');
    return this;
  }

  prompt(name: string, options: PromptOptions<SchemaLike | undefined>, run: CompiledPrompt['run']): this {
    const compiled = compilePrompt(name, options, run, this.#settings);
    this.#add(this.draft.prompts, `prompt ${JSON.stringify(name)}`, compiled);
    this.draft.changed.add('prompts');
    return this;
  }

  method(name: string, options: MethodOptions<SchemaLike | undefined>, run: CompiledMethod['run']): this {
    const compiled = compileMethod(name, options, run, this.#settings);
    this.#add(this.draft.methods, `method ${JSON.stringify(name)}`, compiled);
    return this;
  }

  use(...middleware: readonly Middleware[]): this {
    this.#assertOpen();
    this.draft.middleware.push(...middleware);
    return this;
  }

  removeTool(name: string): boolean {
    return this.#remove(this.draft.tools, name, 'tools');
  }

  removeResource(uri: string): boolean {
    return this.#remove(this.draft.resources, uri, 'resources');
  }

  removeResourceTemplate(uriTemplate: string): boolean {
    return this.#remove(this.draft.templates, uriTemplate, 'resources');
  }

  removePrompt(name: string): boolean {
    return this.#remove(this.draft.prompts, name, 'prompts');
  }

  /** Ends the time in which this draft may be changed. */
  close(): void {
    this.#isOpen = false;
  }

  #readDefaults(): Pick<ServerSettings, 'cache' | 'timeoutMs' | 'report'> {
    const { timeoutMs, report } = this.#settings;
    return { cache: NO_CACHE, timeoutMs, report };
  }

  #assertOpen(): void {
    if (!this.#isOpen) {
      throw new UsageError('this draft is done: change the definition inside the function given to update()');
    }
  }

  #add<E extends { readonly key: string }>(entries: Map<string, E>, subject: string, entry: E): void {
    this.#assertOpen();
    if (entries.has(entry.key)) {
      throw new DefinitionError(subject, '', 'is defined already: remove it first to replace it');
    }
    entries.set(entry.key, entry);
  }

  #remove(entries: Map<string, unknown>, key: string, list: 'tools' | 'resources' | 'prompts'): boolean {
    this.#assertOpen();
    if (!entries.delete(key)) return false;
    this.draft.changed.add(list);
    return true;
  }
}

class McpServer {
  readonly info: Implementation;
  readonly handle: Handler;
  readonly #parts: ServerParts;
  readonly #closing = new LazySignal();
  #draft = new Draft();
  /** What answers now. Made when it is first needed; a change makes a new one. */
  #compiled: Compiled | undefined;
  /** Whether anybody can have seen a definition. */
  #wasSeen = false;
  #isUpdating = false;

  constructor(info: Implementation, options: ServerOptions) {
    this.info = info;
    const report = safely(options.report ?? reportToConsole);
    const settings: ServerSettings = {
      cache: cacheHint(options.cache, NO_CACHE),
      pageSize: options.pageSize ?? 100,
      timeoutMs: options.timeoutMs ?? 120_000,
      report,
      input: new InputMachinery({ options: options.input ?? {}, report }),
      maxWatchedResources: options.maxWatchedResources ?? 1024,
      schemaBounds: options.schemaBounds ?? {},
    };
    const bus = options.bus ?? new MemoryChangeBus();
    this.#parts = { info, options, settings, bus, closing: this.#closing };
    this.handle = (request, exchange) => this.#current().handle(request, exchange);
  }

  get capabilities(): ServerCapabilities {
    return this.#current().capabilities;
  }

  tool(
    name: string,
    options: ToolOptions<SchemaLike | undefined, SchemaLike | undefined>,
    run: CompiledTool['run'],
  ): this {
    return this.#define((builder) => builder.tool(name, options, run));
  }

  resource(uri: string, options: ResourceOptions, read: ResourceReader): this {
    return this.#define((builder) => builder.resource(uri, options, read));
  }

  resourceTemplate(
    uriTemplate: string,
    options: ResourceTemplateOptions,
    read: CompiledTemplate['read'],
  ): this {
    return this.#define((builder) => builder.resourceTemplate(uriTemplate, options, read));
  }

  prompt(name: string, options: PromptOptions<SchemaLike | undefined>, run: CompiledPrompt['run']): this {
    return this.#define((builder) => builder.prompt(name, options, run));
  }

  method(name: string, options: MethodOptions<SchemaLike | undefined>, run: CompiledMethod['run']): this {
    return this.#define((builder) => builder.method(name, options, run));
  }

  use(...middleware: readonly Middleware[]): this {
    return this.#define((builder) => builder.use(...middleware));
  }

  update(change: (draft: ServerDraft) => void): void {
    this.#assertNotUpdating();
    const builder = new DraftBuilder(new Draft(this.#draft), this.#parts.settings);
    this.#isUpdating = true;
    let returned: unknown;
    try {
      returned = change(builder as unknown as ServerDraft);
    } finally {
      this.#isUpdating = false;
      builder.close();
    }
    if (returned instanceof Promise) {
      returned.catch(() => {}); // it is refused below, whatever becomes of it
      throw new UsageError(
        'update() takes a function that is done when it returns: await what you need before',
      );
    }
    this.#draft = builder.draft;
    this.#changed();
  }

  resourceUpdated(uri: string): void {
    this.#parts.bus.publish({ type: 'resource', uri });
  }

  close(): void {
    this.#closing.abort(new Error('the server is closing'));
  }

  #define(add: (builder: DraftBuilder) => void): this {
    this.#assertNotUpdating();
    add(new DraftBuilder(this.#draft, this.#parts.settings));
    this.#changed();
    return this;
  }

  /** The draft of an update began without such a change and would replace it. */
  #assertNotUpdating(): void {
    if (!this.#isUpdating) return;
    throw new UsageError(
      'the server is being updated: inside the function given to update(), change the draft that it gets, not the server',
    );
  }

  #current(): Compiled {
    if (this.#compiled === undefined) {
      this.#wasSeen = true;
      this.#compiled = compileServer(this.#draft.freeze(), this.#parts);
    }
    return this.#compiled;
  }

  /** Nobody can have seen a definition that was never compiled: only later changes are announced. */
  #changed(): void {
    const { changed } = this.#draft;
    this.#compiled = undefined;
    if (this.#wasSeen) for (const type of changed) this.#parts.bus.publish({ type });
    changed.clear();
  }
}
