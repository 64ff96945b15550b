import { LazySignal } from '../async/lazy-signal.ts';
import type { InferOutput, SchemaLike } from '../json-schema/schema.ts';
import { missingFrom } from '../protocol/capabilities.ts';
import type { CreateMessageRequestParams, CreateMessageResult, Root } from '../protocol/input.ts';
import type { Ask, Asking, Elicited, ElicitedUrl, ElicitForm, ElicitUrl } from './input/ask-types.ts';
import { CallInput, cantAskHere, handlerDone } from './input/call-input.ts';
import type { Askable, InputScope } from './input/call-input.ts';
import type { InputRun } from './input/input-run.ts';
import { NEEDS } from './input/needs.ts';
import type { Deadline } from '../async/with-timeout.ts';
import type { ClientCapabilities } from '../protocol/capabilities.ts';
import { LOGGING_LEVELS } from '../protocol/common-types.ts';
import type { Implementation, LoggingLevel } from '../protocol/common-types.ts';
import type { Auth, Caller, Exchange, Params, RequestMeta } from '../protocol/handler.ts';
import { MetaKey } from '../protocol/meta-keys.ts';
import type { Notification } from '../protocol/notifications.ts';
import { readTraceContext } from '../protocol/trace-context.ts';
import type { TraceContext } from '../protocol/trace-context.ts';
import { reportToConsole } from './settings.ts';
import { UsageError } from '../protocol/usage-error.ts';

/** Reads request headers by name, whatever their case; nothing where the transport has none. */
export interface HeaderReader {
  get(name: string): string | undefined;
}

/** What a handler of a tool, prompt, resource or custom method gets besides its arguments. */
export interface Context extends Asking {
  /** Aborted when the caller cancels or disconnects, when the time is up, or when the server closes. */
  readonly signal: AbortSignal;
  /** The request's `_meta`. */
  readonly meta: RequestMeta;
  /** Capabilities that this request's client declared. */
  readonly clientCapabilities: ClientCapabilities;
  /** Name and version of the client: self-reported, for display and logs only. */
  readonly client: Implementation | undefined;
  readonly caller: Caller;
  readonly auth: Auth | undefined;
  readonly headers: HeaderReader;
  /** W3C trace context of the request, where it carries a valid one. */
  readonly trace: TraceContext | undefined;
  /** Answers from an earlier round, for handlers that return `input_required` themselves. */
  readonly inputResponses: { readonly [key: string]: unknown } | undefined;
  readonly requestState: string | undefined;
  /**
   * Tells how far the work is, where the caller asked to hear of it. Values that do not rise are dropped (PROG-03).
   * Resolves when the peer can take more.
   */
  progress(progress: number, total?: number, message?: string): Promise<void>;
  /** Sends a log message, where the request asked for this level (server/utilities/logging). */
  log(level: LoggingLevel, data: unknown, logger?: string): Promise<void>;
}

/** Most notifications of one call that wait for the client to read. */
const MAX_UNAWAITED = 1000;

/** The context of one request. Everything in it is read when it is asked for: most handlers ask for little. */
export class CallContext implements Context {
  readonly caller: Caller;
  readonly #params: Params;
  readonly #exchange: Exchange;
  #signal: LazySignal | undefined;
  #deadline: Deadline | undefined;
  readonly #askable: Askable | undefined;
  #input: CallInput | undefined;
  #progress = -Infinity;
  #unawaited = 0;
  #hasFailed = false;
  #isOver = false;

  /** `askable`: what the request asks for, where its handler may ask for input. */
  constructor(params: Params, exchange: Exchange, askable?: Askable) {
    this.#params = params;
    this.#exchange = exchange;
    this.#askable = askable;
    this.caller = exchange.caller;
  }

  get hasAsked(): boolean {
    return this.#input !== undefined;
  }

  /** The outcome of the handler, or the question that it was suspended for. */
  outcome<T>(work: Promise<T>): Promise<T> {
    return this.#askable === undefined ? work : this.#inputOf(this.#askable).race(work);
  }

  /** The handler has ended in the turn it began in: it waits for nothing that it asked. */
  handlerDone(): void {
    this.#isOver = true;
    this.#input?.handlerDone();
  }

  async #notify(notification: Notification): Promise<void> {
    if (this.#input?.isFinished === true) return;
    if (this.#unawaited === MAX_UNAWAITED) {
      throw new UsageError(
        `${MAX_UNAWAITED} notifications wait for a slow client: await progress() and log()`,
      );
    }
    this.#unawaited++;
    try {
      await this.#exchange.notify(notification);
    } finally {
      this.#unawaited--;
    }
  }

  /** What went wrong is told here, whether the handler awaits it or not: who doesn't must not end the process. */
  #noted(what: string, sent: Promise<void>): Promise<void> {
    sent.catch((error: unknown) => {
      if (this.#hasFailed) return;
      this.#hasFailed = true; // one line for each call: a loop may fail any number of times
      const report = this.#askable?.machinery.host.report ?? reportToConsole;
      report({ kind: 'notification-failed', message: `${what}() failed`, error });
    });
    return sent;
  }

  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const own = (this.#signal = new LazySignal());
      const outer = this.#exchange.signal;
      if (outer.aborted) own.abort(outer.reason);
      else outer.addEventListener('abort', () => own.abort(outer.reason), { once: true });
    }
    return this.#signal.signal;
  }

  /** Progress moves the deadline; when it passes, the signal is aborted. */
  watch(deadline: Deadline): void {
    this.#deadline = deadline;
  }

  abort(reason: unknown): void {
    (this.#signal ??= new LazySignal()).abort(reason);
  }

  get meta(): RequestMeta {
    return this.#params._meta;
  }

  get clientCapabilities(): ClientCapabilities {
    return this.#params._meta[MetaKey.clientCapabilities];
  }

  get client(): Implementation | undefined {
    return this.#params._meta[MetaKey.clientInfo];
  }

  get auth(): Auth | undefined {
    return this.caller.auth;
  }

  get headers(): HeaderReader {
    const { caller } = this;
    return { get: (name) => caller.header?.(name.toLowerCase()) };
  }

  get trace(): TraceContext | undefined {
    return readTraceContext(this.#params._meta);
  }

  get inputResponses(): { readonly [key: string]: unknown } | undefined {
    return this.#params['inputResponses'] as { readonly [key: string]: unknown } | undefined;
  }

  get requestState(): string | undefined {
    return this.#params['requestState'] as string | undefined;
  }

  progress(progress: number, total?: number, message?: string): Promise<void> {
    return this.#noted('progress', this.#progressed(progress, total, message));
  }

  log(level: LoggingLevel, data: unknown, logger?: string): Promise<void> {
    return this.#noted('log', this.#logged(level, data, logger));
  }

  async #progressed(progress: number, total?: number, message?: string): Promise<void> {
    if (!Number.isFinite(progress) || (total !== undefined && !Number.isFinite(total))) {
      throw new UsageError('progress and total must be finite numbers');
    }
    this.#deadline?.touch();
    const { progressToken } = this.#params._meta;
    if (progressToken === undefined || progress <= this.#progress) return;
    this.#progress = progress;
    await this.#notify({
      method: 'notifications/progress',
      params: {
        progressToken,
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      },
    });
  }

  async #logged(level: LoggingLevel, data: unknown, logger?: string): Promise<void> {
    const wanted = this.#params._meta[MetaKey.logLevel];
    if (wanted === undefined || LOGGING_LEVELS.indexOf(level) < LOGGING_LEVELS.indexOf(wanted)) return;
    await this.#notify({
      method: 'notifications/message',
      params: { level, ...(logger === undefined ? {} : { logger }), data },
    });
  }

  elicit<S extends SchemaLike>(key: string, form: ElicitForm<S>): Promise<Elicited<InferOutput<S>>> {
    return this.#ask((run) => run.elicit(key, form)) as Promise<Elicited<InferOutput<S>>>;
  }

  elicitUrl(key: string, page: ElicitUrl): Promise<ElicitedUrl> {
    return this.#ask((run) => run.elicitUrl(key, page)) as Promise<ElicitedUrl>;
  }

  sample(key: string, params: CreateMessageRequestParams): Promise<CreateMessageResult> {
    return this.#ask((run) => run.sample(key, params)) as Promise<CreateMessageResult>;
  }

  roots(key = 'roots'): Promise<readonly Root[]> {
    return this.#ask((run) => run.roots(key)) as Promise<readonly Root[]>;
  }

  step<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    return this.#ask((asking) => asking.step(name, run)) as Promise<T>;
  }

  can(ask: Ask): boolean {
    return this.#askable !== undefined && missingFrom(this.clientCapabilities, NEEDS[ask]) === undefined;
  }

  #ask(ask: (run: InputRun) => Promise<unknown>): Promise<unknown> {
    const asked = this.#asked(ask);
    // A suspended handler comes to no `await` any more: nobody has to hear of what it started.
    asked.catch(() => {});
    return asked;
  }

  #asked(ask: (run: InputRun) => Promise<unknown>): Promise<unknown> {
    if (this.#askable === undefined) return Promise.reject(cantAskHere());
    if (this.#isOver && this.#input === undefined) return Promise.reject(handlerDone());
    return this.#inputOf(this.#askable).ask(() => this.#scope(), ask);
  }

  #scope(): InputScope {
    const { signal, caller } = this;
    return { params: this.#params, caller, signal, abort: (reason) => this.abort(reason) };
  }

  #inputOf(askable: Askable): CallInput {
    return (this.#input ??= new CallInput(askable));
  }
}
