import type { Annotations, Icon, MetaObject } from '../protocol/common-types.ts';
import type { ResourceContents } from '../protocol/content.ts';
import type { Resource, ResourceTemplate } from '../protocol/features.ts';
import type { Context } from './call-context.ts';
import type { Completers } from './completion.ts';
import { DefinitionError } from './definition-error.ts';
import { assertOptions, listedMembers } from './definition-options.ts';
import { RESOURCE, TEMPLATE } from './entry-shape.ts';
import type { ListEntry } from './list-pages.ts';
import type { MaybePromise } from './run-handler.ts';
import type { CacheHint, ServerSettings } from './settings.ts';
import { cacheHint, privateHint } from './settings.ts';
import { isUri } from './uri.ts';
import { compileUriTemplate } from './uri-template.ts';
import type { UriTemplate } from './uri-template.ts';
import type { InputRequired } from './tool-types.ts';
import { safely } from './visibility.ts';
import type { Visible } from './visibility.ts';

/** What a reader may return; what it leaves out (uri, mimeType) is filled in. Undefined: there is no such resource. */
export type ResourceValue =
  | string
  | Uint8Array
  | Contents
  | readonly Contents[]
  | { readonly contents: readonly ResourceContents[]; readonly _meta?: MetaObject }
  | InputRequired
  | undefined;

/** Contents of a resource without what the definition knows already. */
export interface Contents {
  readonly uri?: string;
  readonly mimeType?: string;
  readonly text?: string;
  /** Bytes, or their Base64. */
  readonly blob?: Uint8Array | string;
  readonly _meta?: MetaObject;
}

/** The context of a read: also which URI was asked for. */
export interface ResourceContext extends Context {
  readonly uri: string;
}

interface CommonOptions {
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly icons?: readonly Icon[];
  readonly annotations?: Annotations;
  readonly _meta?: MetaObject;
  /** Caching hint of reads. Default `{ ttlMs: 0, scope: 'private' }`. */
  readonly cache?: CacheHint;
  readonly visible?: Visible;
  readonly timeoutMs?: number;
}

/** How a resource is described (server/resources, "Resource"). */
export interface ResourceOptions extends CommonOptions {
  /** Bytes. */
  readonly size?: number;
}

/** How a resource template is described (server/resources, "Resource Templates"). */
export interface ResourceTemplateOptions<V extends string = string> extends CommonOptions {
  /** Suggestions for the variables' values. */
  readonly complete?: Completers<V>;
  /** Resources of this template that stand in `resources/list`. */
  readonly list?: (context: Context) => MaybePromise<readonly Resource[]>;
}

export type ResourceReader = (context: ResourceContext) => MaybePromise<ResourceValue>;
export type TemplateReader<V> = (variables: V, context: ResourceContext) => MaybePromise<ResourceValue>;

interface Readable {
  readonly mimeType: string | undefined;
  readonly cache: Required<CacheHint>;
  readonly timeoutMs: number;
}

export interface CompiledResource extends ListEntry, Readable {
  readonly wire: Resource;
  readonly read: ResourceReader;
}

export interface CompiledTemplate extends ListEntry, Readable {
  readonly wire: ResourceTemplate;
  readonly template: UriTemplate;
  readonly read: TemplateReader<{ readonly [variable: string]: string }>;
  readonly complete: Completers<string>;
  readonly list: ResourceTemplateOptions['list'];
}

interface Defaults {
  readonly report: ServerSettings['report'];
  readonly cache: Required<CacheHint>;
  readonly timeoutMs: number;
}

export function compileResource(
  uri: string,
  options: ResourceOptions,
  read: ResourceReader,
  defaults: Defaults,
): CompiledResource {
  const subject = `resource ${JSON.stringify(uri)}`;
  if (!isUri(uri)) {
    throw new DefinitionError(
      subject,
      '',
      'it must be a URI with a scheme, with other characters percent-encoded',
    );
  }
  assertOptions(subject, options, read, 'reader');
  return {
    ...readable(options, defaults),
    key: uri,
    visible: safely(options.visible, subject, defaults.report),
    read,
    wire: { uri, name: uri, ...listedMembers(subject, RESOURCE, options) },
  };
}

export function compileTemplate(
  uriTemplate: string,
  options: ResourceTemplateOptions,
  read: CompiledTemplate['read'],
  defaults: Defaults,
): CompiledTemplate {
  const subject = `resource template ${JSON.stringify(uriTemplate)}`;
  assertOptions(subject, options, read, 'reader');
  let template: UriTemplate;
  try {
    template = compileUriTemplate(uriTemplate);
  } catch (error) {
    throw new DefinitionError(subject, '', error instanceof Error ? error.message : String(error));
  }
  if (!isUri(uriTemplate.replace(/^\{/, 'x:{').replace(/\{[^{}]*\}/g, 'x'))) {
    throw new DefinitionError(subject, '', 'what stands between the variables must be parts of a URI');
  }
  for (const variable of Object.keys(options.complete ?? {})) {
    if (!template.variables.includes(variable)) {
      throw new DefinitionError(subject, `/complete/${variable}`, 'no such variable');
    }
  }
  return {
    ...readable(options, defaults),
    key: uriTemplate,
    visible: safely(options.visible, subject, defaults.report),
    read,
    template,
    complete: options.complete ?? {},
    list: options.list,
    wire: { uriTemplate, name: uriTemplate, ...listedMembers(subject, TEMPLATE, options) },
  };
}

function readable(options: CommonOptions, defaults: Defaults): Readable {
  const cache = cacheHint(options.cache, defaults.cache);
  return {
    mimeType: options.mimeType,
    cache: options.visible === undefined ? cache : privateHint(cache),
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
  };
}
