import type { ServerCapabilities } from './capabilities.ts';
import type { CacheScope, Cursor, MetaObject, Role } from './common-types.ts';
import type { ContentBlock, ResourceContents } from './content.ts';
import type { Prompt, Resource, ResourceTemplate, Tool } from './features.ts';
import type { InputRequests } from './input.ts';

/** Any result: an object whose `resultType` says how to read it (basic/index, "ResultType"). */
export interface Result {
  readonly resultType?: string;
  readonly _meta?: MetaObject;
  readonly [key: string]: unknown;
}

/** A result with caching hints (server/utilities/caching). */
export interface CacheableResult extends Result {
  /** Milliseconds the result may be considered fresh, an integer ≥ 0. */
  readonly ttlMs: number;
  readonly cacheScope: CacheScope;
}

export interface DiscoverResult extends CacheableResult {
  readonly supportedVersions: readonly string[];
  readonly capabilities: ServerCapabilities;
  readonly instructions?: string;
}

interface Page extends CacheableResult {
  readonly nextCursor?: Cursor;
}

export interface ListToolsResult extends Page {
  readonly tools: readonly Tool[];
}

export interface ListResourcesResult extends Page {
  readonly resources: readonly Resource[];
}

export interface ListResourceTemplatesResult extends Page {
  readonly resourceTemplates: readonly ResourceTemplate[];
}

export interface ListPromptsResult extends Page {
  readonly prompts: readonly Prompt[];
}

export interface CallToolResult extends Result {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface ReadResourceResult extends CacheableResult {
  readonly contents: readonly ResourceContents[];
}

export interface PromptMessage {
  readonly role: Role;
  readonly content: ContentBlock;
}

export interface GetPromptResult extends Result {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

export interface CompleteResult extends Result {
  readonly completion: {
    /** At most 100 (COMP-02). */
    readonly values: readonly string[];
    readonly total?: number;
    readonly hasMore?: boolean;
  };
}

/** The server asks before it can go on (basic/patterns/mrtr). Has `inputRequests` or `requestState`, or both. */
export interface InputRequiredResult extends Result {
  readonly resultType: 'input_required';
  readonly inputRequests?: InputRequests;
  readonly requestState?: string;
}
