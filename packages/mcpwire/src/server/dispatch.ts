import type { LazySignal } from '../async/lazy-signal.ts';
import type { ServerCapabilities } from '../protocol/capabilities.ts';
import type { Implementation, MetaObject } from '../protocol/common-types.ts';
import { compose } from '../protocol/handler.ts';
import type { Exchange, Handler, Params } from '../protocol/handler.ts';
import { isJsonObject, jsonType } from '../protocol/json.ts';
import { MetaKey } from '../protocol/meta-keys.ts';
import { invalidParams, methodNotFound } from '../protocol/protocol-error.ts';
import type { Result } from '../protocol/results.ts';
import type { ChangeBus } from '../scale/change-bus.ts';
import { CallContext } from './call-context.ts';
import { callMethod } from './custom-method.ts';
import type { Definition } from './definition.ts';
import { deriveCapabilities, discoverResult } from './discover.ts';
import { ListPages, pageOf } from './list-pages.ts';
import type { ListEntry } from './list-pages.ts';
import { RESOURCE, wrongMember } from './entry-shape.ts';
import { listen } from './listen.ts';
import type { CompiledTemplate } from './resource.ts';
import { readResource } from './resource-read.ts';
import type { MaybePromise } from './run-handler.ts';
import { runHandler } from './run-handler.ts';
import { privateHint } from './settings.ts';
import type { ServerOptions, ServerSettings } from './settings.ts';
import { callTool } from './tool-call.ts';
import { ResultError } from './tool-result.ts';
import { isUri } from './uri.ts';
import { isVisible } from './visibility.ts';

type Answer = (params: Params, exchange: Exchange) => MaybePromise<Result>;

/** What a server is besides its definition. */
export interface ServerParts {
  readonly info: Implementation;
  readonly options: ServerOptions;
  readonly settings: ServerSettings;
  readonly bus: ChangeBus;
  readonly closing: LazySignal;
}

/** A definition made ready to answer: what never changes between two requests is worked out here, once. */
export interface Compiled {
  readonly handle: Handler;
  readonly capabilities: ServerCapabilities;
}

export function compileServer(definition: Definition, parts: ServerParts): Compiled {
  const meta: MetaObject = Object.freeze(
    parts.options.serverInfo === false ? {} : { [MetaKey.serverInfo]: parts.info },
  );
  const capabilities = deriveCapabilities(definition, parts.options);
  const answers = answersOf(definition, capabilities, parts, meta);
  const core: Handler = async (request, exchange) => {
    const answer = answers.get(request.method);
    if (answer === undefined) throw methodNotFound(request.method);
    return answer(request.params, exchange);
  };
  if (definition.middleware.length === 0) return { handle: core, capabilities };
  const outer = compose(definition.middleware, core);
  return { handle: async (request, exchange) => stamp(await outer(request, exchange), meta), capabilities };
}

/** Middleware may answer by itself: its results get what every result has (BASE-08, BASE-59). */
function stamp(result: unknown, meta: MetaObject): Result {
  assertResult(result);
  const isNamed = result._meta !== undefined && MetaKey.serverInfo in result._meta;
  if (result.resultType !== undefined && (isNamed || !(MetaKey.serverInfo in meta))) return result;
  return { ...result, resultType: result.resultType ?? 'complete', _meta: { ...meta, ...result._meta } };
}

/** Middleware can be plain JavaScript: what it forgets to return is its mistake, and the report says so. */
function assertResult(result: unknown): asserts result is Result {
  if (!isJsonObject(result)) {
    throw new ResultError(
      `middleware must return a result object, such as what next(request, exchange) resolves with, got ${jsonType(result)}`,
    );
  }
  const { resultType, _meta } = result;
  if (resultType !== undefined && typeof resultType !== 'string') {
    throw new ResultError(
      `middleware returned a result whose resultType is no string: ${jsonType(resultType)}`,
    );
  }
  if (_meta !== undefined && !isJsonObject(_meta)) {
    throw new ResultError(`middleware returned a result whose _meta is no object: ${jsonType(_meta)}`);
  }
}

function answersOf(
  definition: Definition,
  capabilities: ServerCapabilities,
  parts: ServerParts,
  meta: MetaObject,
): ReadonlyMap<string, Answer> {
  const { options, settings } = parts;
  let discovered: Result | undefined;
  const support = {
    tools: capabilities.tools !== undefined,
    prompts: capabilities.prompts !== undefined,
    resources: capabilities.resources !== undefined,
    maxWatchedResources: settings.maxWatchedResources,
  };
  const pages = (member: string, entries: Iterable<ListEntry>): Answer => {
    const list = new ListPages([...entries], {
      member,
      pageSize: settings.pageSize,
      cache: settings.cache,
      meta,
    });
    return (params, exchange) => list.page(params['cursor'], exchange.caller);
  };
  const answers = new Map<string, Answer>([
    ['server/discover', () => (discovered ??= discoverResult(capabilities, options, settings, meta))],
    [
      'subscriptions/listen',
      // At once: what changes after the request must be heard of.
      (params, exchange) =>
        listen(params, exchange, support, { bus: parts.bus, closing: parts.closing.signal }, meta),
    ],
  ]);
  if (support.tools) {
    answers.set('tools/list', pages('tools', definition.tools.values()));
    answers.set('tools/call', (params, exchange) => {
      const tool = named(definition.tools, params, exchange, 'tool');
      return callTool(tool, params, exchange, settings, meta);
    });
  }
  if (support.resources) {
    answers.set('resources/list', resourceList(definition, settings, meta, pages));
    answers.set('resources/templates/list', pages('resourceTemplates', definition.templates.values()));
    answers.set('resources/read', (params, exchange) =>
      readResource(definition, params, exchange, settings, meta),
    );
  }
  if (support.prompts) {
    answers.set('prompts/list', pages('prompts', definition.prompts.values()));
    // Loaded when the first comes, as completion is: many servers never see one.
    answers.set('prompts/get', async (params, exchange) => {
      const prompt = named(definition.prompts, params, exchange, 'prompt');
      const { getPrompt } = await import('./prompt-get.ts');
      return getPrompt(prompt, params, exchange, meta);
    });
  }
  if (capabilities.completions !== undefined) {
    answers.set('completion/complete', async (params, exchange) => {
      const { complete } = await import('./completion.ts');
      return complete(definition, params, exchange, settings, meta);
    });
  }
  for (const method of definition.methods.values()) {
    answers.set(method.name, (params, exchange) => callMethod(method, params, exchange, meta));
  }
  return answers;
}

/** The entry that `params.name` asks for. One that the caller can't see is as unknown as one that isn't there. */
function named<E extends ListEntry>(
  entries: ReadonlyMap<string, E>,
  params: Params,
  exchange: Exchange,
  kind: string,
): E {
  const { name } = params;
  if (typeof name !== 'string') throw invalidParams(`params.name must be a string, got ${jsonType(name)}`);
  const entry = entries.get(name);
  if (entry === undefined || !isVisible(entry, exchange.caller)) {
    throw invalidParams(`Unknown ${kind}: ${name}`);
  }
  return entry;
}

/** `resources/list`: the defined ones, then those that templates list when asked. */
function resourceList(
  definition: Definition,
  settings: ServerSettings,
  meta: MetaObject,
  pages: (member: string, entries: Iterable<ListEntry>) => Answer,
): Answer {
  const listing = [...definition.templates.values()].filter((template) => template.list !== undefined);
  if (listing.length === 0) return pages('resources', definition.resources.values());
  const sameForAll = [...definition.resources.values(), ...listing].every(
    (entry) => entry.visible === undefined,
  );
  const cache = sameForAll ? settings.cache : privateHint(settings.cache);
  const options = { member: 'resources', pageSize: settings.pageSize, cache, meta };
  return async (params, exchange) => {
    const entries: ListEntry[] = [...definition.resources.values()].filter((entry) =>
      isVisible(entry, exchange.caller),
    );
    const known = new Set(entries.map((entry) => entry.key));
    for (const template of listing) {
      if (!isVisible(template, exchange.caller)) continue;
      for (const entry of await listed(template, params, exchange)) {
        if (known.has(entry.key)) continue; // two templates may list the same resource: the first one wins
        known.add(entry.key);
        entries.push(entry);
      }
    }
    return pageOf(entries, params['cursor'], options);
  };
}

async function listed(
  template: CompiledTemplate,
  params: Params,
  exchange: Exchange,
): Promise<readonly ListEntry[]> {
  const context = new CallContext(params, exchange);
  const resources =
    (await runHandler(() => template.list?.(context) ?? [], context, template.timeoutMs)) ?? [];
  if (!Array.isArray(resources)) {
    throw new ResultError(`${template.key} must list an array of resources, got ${jsonType(resources)}`);
  }
  return resources.map((resource: unknown) => {
    const { uri, name } = isJsonObject(resource) ? resource : {};
    if (!isJsonObject(resource) || typeof uri !== 'string' || !isUri(uri) || typeof name !== 'string') {
      throw new ResultError(`${template.key} listed a resource without a URI (RFC 3986) and a name`);
    }
    const wrong = wrongMember(RESOURCE, resource);
    if (wrong !== undefined) {
      throw new ResultError(`${template.key} listed ${uri}, where ${wrong.path} ${wrong.message}`);
    }
    return { key: uri, wire: resource };
  });
}
