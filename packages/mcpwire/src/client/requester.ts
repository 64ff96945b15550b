import { LazySignal } from '../async/lazy-signal.ts';
import { withDefaults } from '../protocol/bounds.ts';
import type { RequestMeta } from '../protocol/handler.ts';
import type { JsonObject } from '../protocol/json.ts';
import { CallMeta, CallMetaSender } from '../protocol/call-meta.ts';
import { MetaKey } from '../protocol/meta-keys.ts';
import { methodRow } from '../protocol/methods.ts';
import { LATEST_VERSION } from '../protocol/revisions/index.ts';
import type { Result } from '../protocol/results.ts';
import { UsageError } from '../protocol/usage-error.ts';
import { ConnectionClosedError, ProtocolViolationError } from '../transport/client/errors.ts';
import { reportToConsole, safeReporter } from '../transport/report.ts';
import type { Reporter } from '../transport/report.ts';
import type { Connection } from './connection.ts';
import { answererOf } from './input/answer.ts';
import type { AskedCall } from './input/drive-input.ts';
import { capabilitiesOf } from './input/capabilities-of.ts';
import { Leg } from './leg.ts';
import type { LegHost, LegOptions } from './leg.ts';
import { Legs } from './legs.ts';
import type { ClientOptions, LogEntry, Progress, RequestOptions } from './options.ts';

export const DEFAULT_CLIENT_INFO = { name: 'mcpwire', version: '0.1.0' } as const;

const BOUNDS = {
  timeoutMs: 60_000,
  maxTotalMs: 600_000,
  maxRounds: 10,
  maxQuestions: 32,
  maxPages: 64,
  maxListed: 10_000,
  maxEvents: 1000,
};

/** Sends requests that carry what the protocol wants of every one, and ends every one of them in time. */
export class Requester implements LegHost {
  readonly bounds: typeof BOUNDS;
  readonly report: Reporter;
  readonly connection: Connection;
  readonly options: ClientOptions;
  readonly legs = new Legs();
  /** Made once: most requests differ in their progress token alone. */
  readonly #sender: CallMetaSender;
  /** Whether no request of this client has more in its `_meta` than all have. */
  readonly #isPlain: boolean;
  /** Results that came after questions: they belong to the answers, and are never used again (CACHE-09). */
  readonly #asked = new WeakSet<Result>();
  /** Aborted when the client is closed. */
  readonly closing = new LazySignal();
  #asking = 0;
  #nextToken = 1;

  constructor(connection: Connection, options: ClientOptions) {
    this.connection = connection;
    this.options = options;
    this.bounds = withDefaults(BOUNDS, options);
    this.report = safeReporter(options.report ?? reportToConsole);
    this.#sender = new CallMetaSender(
      LATEST_VERSION,
      options.clientInfo ?? DEFAULT_CLIENT_INFO,
      capabilitiesOf(options),
    );
    this.#isPlain = options.meta === undefined && options.logLevel === undefined;
  }

  get isClosed(): boolean {
    return this.closing.aborted;
  }

  /** Calls that have no result yet: requests on their way, and those that wait for an answer of this side. */
  get pending(): number {
    return this.legs.size + this.#asking;
  }

  /** Sends a request and gives its complete result: questions on the way are answered. */
  request(method: string, params: JsonObject, options: RequestOptions = {}): Promise<Result> {
    return this.requestAs(method, params, options, asItIs);
  }

  /** The same, made into something else. */
  requestAs<T>(
    method: string,
    params: JsonObject,
    options: RequestOptions,
    make: (result: Result) => T | Promise<T>,
  ): Promise<T> {
    const started = Date.now();
    return this.leg(method, params, options).then((result) =>
      isComplete(result)
        ? make(result)
        : this.#answered(method, params, options, result, Date.now() - started).then(make),
    );
  }

  async #answered(
    method: string,
    params: JsonObject,
    options: RequestOptions,
    asked: Result,
    spentMs: number,
  ): Promise<Result> {
    if (asked.resultType !== 'input_required' || methodRow(method)?.mayAskInput !== true) {
      throw unknownType(method, asked);
    }
    const { driveInput } = await import('./input/drive-input.ts');
    const answer = answererOf(this.options, () => this.connection.facts.serverInfo);
    const call: AskedCall = { requester: this, method, params, options, answer, spentMs };
    const complete = await driveInput(call, asked);
    this.#asked.add(complete);
    return complete;
  }

  /** Counts a call as open while this side answers its questions. */
  async whileAsking<T>(work: () => Promise<T>): Promise<T> {
    this.#asking++;
    try {
      return await work();
    } finally {
      this.#asking--;
    }
  }

  /** Whether a result came without questions, so that it may be used again. */
  mayKeep(result: Result): boolean {
    return !this.#asked.has(result);
  }

  /** One leg of it. */
  leg(method: string, params: JsonObject, options: LegOptions): Promise<Result> {
    if (this.isClosed) return Promise.reject(closed());
    if (options.timeoutMs !== undefined || options.maxTotalMs !== undefined) {
      const wrong = wrongTime(options);
      if (wrong !== undefined) return Promise.reject(wrong);
    }
    const leg = new Leg(this, method, options);
    return leg.run({ ...params, _meta: this.#metaOf(options) });
  }

  /** Ends everything that is open. */
  close(): void {
    this.closing.abort(closed());
    this.legs.cancelAll(closed());
  }

  tellProgress(tell: (progress: Progress) => void, progress: Progress): void {
    this.#safely('onProgress', () => tell(progress));
  }

  tellLog(entry: LogEntry): void {
    this.#safely('onLog', () => this.options.onLog?.(entry));
  }

  /** A progress token on every request: progress is what tells a slow server from a dead one. */
  #metaOf({ meta, logLevel }: RequestOptions): RequestMeta {
    const own: RequestMeta = new CallMeta(this.#sender, this.#nextToken++);
    if (this.#isPlain && meta === undefined && logLevel === undefined) return own;
    const level = logLevel ?? this.options.logLevel;
    return {
      ...this.options.meta,
      ...meta,
      ...own,
      ...(level === undefined ? {} : { [MetaKey.logLevel]: level }),
    };
  }

  /** A function of the application that throws must not break the reading of messages. */
  #safely(name: string, tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.report({ kind: 'callback-failed', message: `${name} threw`, error });
    }
  }
}

function asItIs(result: Result): Result {
  return result;
}

/** Results of older servers have no type: they are complete (BASE-11). */
export function isComplete({ resultType }: Result): boolean {
  return resultType === 'complete' || resultType === undefined;
}

/** The error for a result that nobody knows how to read (BASE-10). */
export function unknownType(method: string, result: Result): ProtocolViolationError {
  return new ProtocolViolationError(
    `the server answered ${method} with a result of type ${JSON.stringify(result.resultType)}`,
    'BASE-10',
    JSON.stringify(result),
  );
}

function wrongTime(options: RequestOptions): UsageError | undefined {
  for (const name of ['timeoutMs', 'maxTotalMs'] as const) {
    const ms = options[name];
    if (ms !== undefined && !(ms >= 0)) {
      return new UsageError(`${name} must be a number of milliseconds, got ${String(ms)}`);
    }
  }
  return undefined;
}

function closed(): ConnectionClosedError {
  return new ConnectionClosedError('the client was closed');
}
