/** `mcpwire`: the language. Types of messages, error codes, the handler. No I/O, no Node. */
export { ErrorCode, LegacyErrorCode } from '../protocol/error-codes.ts';
export { isProtocolError, PeerError, ProtocolError } from '../protocol/protocol-error.ts';
export type { ErrorObject } from '../protocol/protocol-error.ts';
export { UsageError } from '../protocol/usage-error.ts';
export { CancelledError } from '../transport/cancelled.ts';
export { compose } from '../protocol/handler.ts';
export type {
  Auth,
  Caller,
  Exchange,
  Handler,
  McpRequest,
  Middleware,
  Params,
  RequestMeta,
} from '../protocol/handler.ts';
export { MetaKey, isExtensionIdentifier, isMetaKey, isReservedMetaKey } from '../protocol/meta-keys.ts';
export { LATEST_VERSION, LEGACY_VERSIONS, MODERN_VERSIONS } from '../protocol/revisions/index.ts';
export { isMethodOf, METHODS } from '../protocol/methods.ts';
export type { Method, MethodName } from '../protocol/methods.ts';
export { classify, parseMessage } from '../protocol/parse-message.ts';
export type { InvalidMessage } from '../protocol/parse-message.ts';
export { encodeError, encodeNotification, encodeResult } from '../protocol/encode-message.ts';
export type {
  ErrorMessage,
  Message,
  NotificationMessage,
  RequestMessage,
  ResultMessage,
} from '../protocol/message.ts';
export type { RequestId } from '../protocol/request-id.ts';
export type { TextBounds } from '../protocol/scan-text.ts';
export type { TraceContext } from '../protocol/trace-context.ts';
export type { ClientCapabilities, ServerCapabilities } from '../protocol/capabilities.ts';
export type {
  Annotations,
  CacheScope,
  Icon,
  Implementation,
  LoggingLevel,
  MetaObject,
  ProgressToken,
  Role,
} from '../protocol/common-types.ts';
export type {
  AudioContent,
  BlobResourceContents,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceContents,
  ResourceLink,
  TextContent,
  TextResourceContents,
} from '../protocol/content.ts';
export type {
  Prompt,
  PromptArgument,
  Resource,
  ResourceTemplate,
  Tool,
  ToolAnnotations,
} from '../protocol/features.ts';
export type {
  CacheableResult,
  CallToolResult,
  CompleteResult,
  DiscoverResult,
  GetPromptResult,
  InputRequiredResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  PromptMessage,
  ReadResourceResult,
  Result,
} from '../protocol/results.ts';
export type {
  LoggingMessageNotification,
  Notification,
  ProgressNotification,
  SubscriptionFilter,
} from '../protocol/notifications.ts';
export type {
  CreateMessageRequest,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequest,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  InputRequest,
  InputRequests,
  InputResponse,
  InputResponses,
  ListRootsRequest,
  ListRootsResult,
  ModelPreferences,
  Root,
  SamplingMessage,
  SamplingMessageContentBlock,
  ToolResultContent,
  ToolUseContent,
} from '../protocol/input.ts';
