/** `mcpwire/client`: call servers. No Node. */
export { connect } from '../client/connect.ts';
export type { WebClientOptions } from '../client/connect.ts';
export type { UrlTarget } from '../client/connect-http.ts';
export type { HeaderSource, HttpBounds } from '../transport/client/http/http-options.ts';
export { createClient } from '../client/client.ts';
export type { Client, CompletionRef } from '../client/client.ts';
export type { Connection, ServerFacts } from '../client/connection.ts';
export type { WebConnectOptions } from '../client/connect-options.ts';
export type { EraVerdict } from '../client/era/verdict.ts';
export type { InProcessTarget } from '../client/in-process.ts';
export type { LifelineOptions } from '../client/lifeline.ts';
export type { ListenFilter, Subscription } from '../client/listen.ts';
export type { ListenEvent } from '../client/listen-events.ts';
export type {
  AnswerContext,
  CacheOptions,
  ClientOptions,
  ElicitQuestion,
  LogEntry,
  OnElicit,
  OnSample,
  Progress,
  RequestOptions,
} from '../client/options.ts';
export type { Pages } from '../client/pages.ts';
export type { ToolCallResult } from '../client/tool-result.ts';
export type { AnyTools, ToolsOf } from '../client/tool-types.ts';
export { TimeoutError } from '../async/with-timeout.ts';
export { PeerError } from '../protocol/protocol-error.ts';
export { UsageError } from '../protocol/usage-error.ts';
export {
  ConnectionClosedError,
  EraNegotiationError,
  HttpError,
  LimitError,
  ProtocolViolationError,
  SessionLostError,
  SpawnError,
  UnreachableError,
} from '../transport/client/errors.ts';
