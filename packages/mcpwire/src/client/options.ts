import type { Implementation, LoggingLevel, MetaObject } from '../protocol/common-types.ts';
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  Root,
} from '../protocol/input.ts';
import type { SchemaBounds } from '../json-schema/schema-bounds.ts';
import type { Reporter } from '../transport/report.ts';

type MaybePromise<T> = T | Promise<T>;

/** What surrounds a question of the server while it is being answered. */
export interface AnswerContext {
  /** Aborted when the call that asks is. */
  readonly signal: AbortSignal;
  /** Who asks, as far as it says (ELIC-03). Never to be trusted. */
  readonly serverInfo: Implementation | undefined;
}

/** A question to the user: a form (`mode` absent or `form`) or a page to visit (`mode: 'url'`). */
export type ElicitQuestion = ElicitRequestFormParams | ElicitRequestURLParams;

export type OnElicit = (question: ElicitQuestion, context: AnswerContext) => MaybePromise<ElicitResult>;
export type OnSample = (
  question: CreateMessageRequestParams,
  context: AnswerContext,
) => MaybePromise<CreateMessageResult>;

/** A log message of the server, for requests that ask for them by `logLevel`. */
export interface LogEntry {
  readonly level: LoggingLevel;
  readonly logger?: string;
  readonly data: unknown;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** How results that may be kept are kept (server/utilities/caching). */
export interface CacheOptions {
  /** Most results. Default 500. */
  readonly maxEntries?: number;
  /** Longest that a result is kept, in milliseconds, whatever the server says. Default one hour. */
  readonly maxAgeMs?: number;
}

/** How a client behaves towards its server. Every bound has a default and can be changed. */
export interface ClientOptions {
  /** Who this client says it is. */
  readonly clientInfo?: Implementation;
  /** Answers questions to the user. Without it the client doesn't declare that it can be asked. */
  readonly onElicit?: OnElicit;
  /** Which kinds of questions `onElicit` takes. Default both. */
  readonly elicitModes?: readonly ('form' | 'url')[];
  /** Lets the server use a model of this side. Deprecated in the protocol. */
  readonly onSample?: OnSample;
  /** What of sampling `onSample` knows beside plain messages. Default neither. */
  readonly sampling?: { readonly tools?: boolean; readonly context?: boolean };
  /** Folders that the server may work in: `file://` URIs. Deprecated in the protocol. */
  readonly roots?: readonly Root[] | (() => MaybePromise<readonly Root[]>);
  /** Least severe log messages that the server is asked for; none without it. */
  readonly logLevel?: LoggingLevel;
  readonly onLog?: (entry: LogEntry) => void;
  /** Milliseconds that a request may go without an answer and without progress. Default 60,000. */
  readonly timeoutMs?: number;
  /** Milliseconds that a request may take in all, whatever its progress; users' answers don't count. Default 600,000. */
  readonly maxTotalMs?: number;
  /** Most rounds of questions within one call. Default 10. */
  readonly maxRounds?: number;
  /** Most questions within one round. Default 32. */
  readonly maxQuestions?: number;
  /** Most pages of one list. Default 64. */
  readonly maxPages?: number;
  /** Most entries of one list. Default 10,000. */
  readonly maxListed?: number;
  /** Most events of a subscription that wait to be read; equal ones count once. Default 1,000. */
  readonly maxEvents?: number;
  /**
   * What becomes of structured content that does not fit its tool's output schema: `throw` (the default) ends the call
   * with a `ProtocolViolationError`, `report` gives the result all the same and tells `report`.
   */
  readonly invalidOutput?: 'throw' | 'report';
  /** Bounds of the output schemas that results are checked against. */
  readonly schemaBounds?: SchemaBounds;
  /** `false` keeps no results. */
  readonly cache?: false | CacheOptions;
  /** Further `_meta` of every request, such as trace context. */
  readonly meta?: MetaObject;
  /** Hears of what was tolerated. Default: one line on the console's error stream. */
  readonly report?: Reporter;
}

/** What may be said of one request. */
export interface RequestOptions {
  /** Cancels it. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxTotalMs?: number;
  readonly onProgress?: (progress: Progress) => void;
  readonly logLevel?: LoggingLevel;
  readonly meta?: MetaObject;
  /** `false` asks the server, whatever is kept. */
  readonly cache?: false;
}
