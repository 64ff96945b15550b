import type { MetaObject, Role } from './common-types.ts';
import type { AudioContent, ContentBlock, ImageContent, TextContent } from './content.ts';
import type { Tool } from './features.ts';
import type { JsonObject } from './json.ts';

/** What a server may ask of a client, carried in `inputRequests` (basic/patterns/mrtr, client/*). */

export interface ElicitRequestFormParams {
  readonly mode?: 'form';
  readonly message: string;
  /** A flat object schema of primitive properties. */
  readonly requestedSchema: JsonObject;
}

export interface ElicitRequestURLParams {
  readonly mode: 'url';
  readonly message: string;
  readonly url: string;
}

export interface ElicitRequest {
  readonly method: 'elicitation/create';
  readonly params: ElicitRequestFormParams | ElicitRequestURLParams;
}

export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: { readonly [name: string]: string | number | boolean | readonly string[] };
}

export interface ToolUseContent {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly _meta?: MetaObject;
}

export interface ToolResultContent {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: MetaObject;
}

export type SamplingMessageContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

export interface SamplingMessage {
  readonly role: Role;
  readonly content: SamplingMessageContentBlock | readonly SamplingMessageContentBlock[];
  readonly _meta?: MetaObject;
}

export interface ModelPreferences {
  readonly hints?: readonly { readonly name?: string }[];
  readonly costPriority?: number;
  readonly speedPriority?: number;
  readonly intelligencePriority?: number;
}

export interface CreateMessageRequestParams {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: ModelPreferences;
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly metadata?: JsonObject;
  readonly tools?: readonly Tool[];
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' };
}

export interface CreateMessageRequest {
  readonly method: 'sampling/createMessage';
  readonly params: CreateMessageRequestParams;
}

export interface CreateMessageResult {
  readonly role: Role;
  readonly content: SamplingMessageContentBlock | readonly SamplingMessageContentBlock[];
  readonly model: string;
  readonly stopReason?: string;
}

export interface ListRootsRequest {
  readonly method: 'roots/list';
  readonly params?: JsonObject;
}

export interface Root {
  readonly uri: string;
  readonly name?: string;
  readonly _meta?: MetaObject;
}

export interface ListRootsResult {
  readonly roots: readonly Root[];
}

export type InputRequest = ElicitRequest | CreateMessageRequest | ListRootsRequest;
export type InputRequests = { readonly [key: string]: InputRequest };
export type InputResponse = ElicitResult | CreateMessageResult | ListRootsResult;
export type InputResponses = { readonly [key: string]: InputResponse };
