/** `mcpwire/server`: define a server. No Node, no transport. */
export { createServer } from '../server/create-server.ts';
export { ToolError } from '../server/tool-error.ts';
export { DefinitionError } from '../server/definition-error.ts';
export { ProtocolError } from '../protocol/protocol-error.ts';
export { MemoryChangeBus } from '../scale/change-bus.ts';
export type { ChangeBus, ChangeEvent } from '../scale/change-bus.ts';
export { inputRequired } from '../server/input/input-required-of.ts';
export { SuspendedError } from '../server/input/suspended.ts';
export { MemoryMarkStore } from '../scale/mark-store.ts';
export type { MarkStore } from '../scale/mark-store.ts';
export type { InputOptions } from '../server/input/scope.ts';
export type { Ask, Asking, Elicited, ElicitedUrl, ElicitForm, ElicitUrl } from '../server/input/ask-types.ts';
export type { Definitions, Server, ServerDraft } from '../server/server.ts';
export type { CacheHint, ServerOptions, ServerReport } from '../server/settings.ts';
export type { Context, HeaderReader } from '../server/call-context.ts';
export type { ToolOptions } from '../server/tool.ts';
export type {
  InputRequired,
  ToolArgs,
  ToolHandler,
  ToolResult,
  ToolReturn,
  ToolTypes,
} from '../server/tool-types.ts';
export type { PromptOptions, PromptResult, PromptValue } from '../server/prompt.ts';
export type {
  Contents,
  ResourceContext,
  ResourceOptions,
  ResourceReader,
  ResourceTemplateOptions,
  ResourceValue,
  TemplateReader,
} from '../server/resource.ts';
export type { Completer, Completers, CompletionContext, CompletionValues } from '../server/completion.ts';
export type { MethodOptions } from '../server/custom-method.ts';
export type { TemplateVariables } from '../server/template-variables.ts';
export type { Visible } from '../server/visibility.ts';
export type { SchemaBounds } from '../json-schema/schema-bounds.ts';
export type { InferInput, InferOutput, SchemaLike } from '../json-schema/schema.ts';
