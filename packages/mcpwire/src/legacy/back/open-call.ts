import { onAbort } from '../../async/on-abort.ts';
import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import { missingFrom } from '../../protocol/capabilities.ts';
import type { Exchange, Params, RequestMeta } from '../../protocol/handler.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { MetaKey } from '../../protocol/meta-keys.ts';
import { internalError, missingCapability } from '../../protocol/protocol-error.ts';
import type { Result } from '../../protocol/results.ts';
import type { Incoming } from '../../transport/client/link.ts';
import type { Asked } from './asked.ts';
import type { BackBounds } from './bounds.ts';
import { CallQuestions } from './call-questions.ts';
import { Leg } from './leg.ts';
import type { LogLevels } from './log-levels.ts';
import { requiredUrls } from './modern-error.ts';
import type { ProgressTokens } from './progress-tokens.ts';
import { ProgressRoute } from './progress-tokens.ts';
import type { Tally } from './tally.ts';
import type { UpstreamRequest } from './upstream.ts';
import type { UrlCompletions } from './url-retries.ts';
import { URL_NEEDS, UrlRetries } from './url-retries.ts';

/** What stands around the calls of one server. */
export interface CallHost {
  readonly bounds: BackBounds;
  readonly tally: Tally;
  readonly levels: LogLevels;
  readonly progress: ProgressTokens;
  readonly completions: UrlCompletions;
  send(request: UpstreamRequest): Promise<JsonObject>;
  hear(message: Incoming, call: OpenCall, leg: Leg | undefined): void;
  isRepeatable(method: string, params: JsonObject): boolean;
  /** The result in the words of the newest revision. */
  toResult(method: string, result: JsonObject): Result;
  /** The `input_required` result. */
  toQuestions(inputRequests: JsonObject, requestState: string): Result;
  /** The error that the caller gets. */
  toError(error: unknown): unknown;
  /** Keeps the call for a retry: gives the `requestState` that finds it, undefined where too many are kept. */
  park(call: OpenCall): string | undefined;
  /** It has its result, or nobody wants it any more. */
  ended(call: OpenCall): void;
}

type Outcome = { readonly result: JsonObject } | { readonly error: unknown };

/** The leg that is open, and how it ends. */
interface OpenLeg {
  readonly leg: Leg;
  resolve(result: Result): void;
  reject(error: unknown): void;
  ignoreAbort(): void;
}

/**
 * One request to the server from its first leg to its result. What the server asks meanwhile ends the leg with
 * `input_required`; the request stays open, and the retry, the next leg, brings the answers and waits on.
 */
export class OpenCall {
  /** Calls are numbered as they come: a question can't belong to a later one. */
  readonly number: number;
  readonly method: string;
  readonly params: Params;
  /** Who called: nobody else may come back for it. */
  readonly principal: string | undefined;
  readonly #host: CallHost;
  readonly #wireParams: JsonObject;
  readonly #token: number | undefined;
  readonly #route: ProgressRoute | undefined;
  #capabilities: ClientCapabilities = {};
  #open: OpenLeg | undefined;
  #upstream: AbortController | undefined;
  #outcome: Outcome | undefined;
  #isOver = false;
  readonly #questions = new CallQuestions();
  #collecting: ReturnType<typeof setTimeout> | undefined;
  #urls: UrlRetries | undefined;

  constructor(number: number, method: string, params: Params, exchange: Exchange, host: CallHost) {
    this.number = number;
    this.method = method;
    this.params = params;
    this.principal = exchange.caller.auth?.principal;
    this.#host = host;
    if (params._meta[MetaKey.progressToken] === undefined) {
      this.#wireParams = params;
    } else {
      this.#route = new ProgressRoute();
      this.#token = host.progress.mint(this.#route);
      this.#wireParams = { ...params, _meta: { ...params._meta, progressToken: this.#token } };
    }
  }

  get hasLeg(): boolean {
    return this.#open !== undefined;
  }

  /** Whether its caller can be asked one thing more, which needs this. */
  canAsk(needs: ClientCapabilities): boolean {
    const isWaiting = !this.#isOver && this.#outcome === undefined;
    const hasRoom = this.#questions.size < this.#host.bounds.maxQuestions;
    return isWaiting && hasRoom && missingFrom(this.#capabilities, needs) === undefined;
  }

  /** The first leg. */
  start(exchange: Exchange): Promise<Result> {
    return this.#enter(this.params._meta, exchange, (told) => this.#run(told));
  }

  /** A further leg, with the answers to the questions that the one before ended with. Others are put again. */
  resume(responses: JsonObject, meta: RequestMeta, exchange: Exchange): Promise<Result> {
    return this.#enter(meta, exchange, (told) => {
      this.#questions.settle(responses);
      if (this.#outcome !== undefined) this.#finish(this.#outcome);
      else if (this.#questions.areWaiting) this.#collect();
      else if (this.#upstream === undefined) this.#runAgain(told);
    });
  }

  /** Puts a question to the caller: with this leg, or with the next one. */
  ask(asked: Asked): void {
    this.#questions.add(asked);
    if (this.#open !== undefined) this.#collect();
  }

  /** The server wants no answer any more. */
  withdraw(asked: Asked): void {
    this.#questions.remove(asked);
  }

  /** The caller left, did not come back, or the connection ends: nothing more is done for it. */
  abandon(reason: unknown): void {
    if (this.#isOver) return;
    const open = this.#close();
    const upstream = this.#upstream;
    this.#end('whoever was asked is gone');
    upstream?.abort(reason);
    open?.reject(reason);
  }

  #enter(
    meta: RequestMeta,
    exchange: Exchange,
    go: (told: Promise<void> | undefined) => void,
  ): Promise<Result> {
    const { signal } = exchange;
    if (signal.aborted) {
      this.abandon(signal.reason);
      const reason: unknown = signal.reason;
      return Promise.reject(reason);
    }
    const { bounds, tally, levels } = this.#host;
    this.#capabilities = meta[MetaKey.clientCapabilities];
    const leg = new Leg(meta, exchange, bounds, tally);
    if (this.#route !== undefined) this.#route.leg = leg;
    return new Promise<Result>((resolve, reject) => {
      const ignoreAbort = onAbort(signal, () => this.abandon(signal.reason));
      this.#open = { leg, resolve, reject, ignoreAbort };
      go(levels.enter(leg));
    });
  }

  #run(told: Promise<unknown> | undefined): void {
    const upstream = new AbortController();
    this.#upstream = upstream;
    this.#send(upstream.signal, told).then(
      (result) => this.#settle({ result }),
      (error: unknown) => this.#settle({ error }),
    );
  }

  async #send(signal: AbortSignal, told: Promise<unknown> | undefined): Promise<JsonObject> {
    if (told !== undefined) await told;
    signal.throwIfAborted();
    return this.#host.send({
      method: this.method,
      params: this.#wireParams,
      signal,
      hear: (message) => this.#host.hear(message, this, this.#open?.leg),
      isRepeatable: () => this.#host.isRepeatable(this.method, this.params),
    });
  }

  #settle(outcome: Outcome): void {
    this.#upstream = undefined;
    if (this.#isOver) return;
    const urls = 'error' in outcome ? requiredUrls(outcome.error) : [];
    const end = urls.length === 0 ? outcome : this.#askForUrls(urls);
    if (end === undefined) return;
    this.#outcome = end;
    // While nobody waits for it, it is kept for the retry.
    if (this.#open !== undefined) this.#finish(end);
  }

  /** Undefined where the caller is asked; else how the call ends. */
  #askForUrls(urls: readonly JsonObject[]): Outcome | undefined {
    const { maxUrlRetries, maxQuestions } = this.#host.bounds;
    if (!this.canAsk(URL_NEEDS)) return { error: missingCapability(URL_NEEDS, this.method) };
    this.#urls ??= new UrlRetries();
    if (this.#urls.count >= maxUrlRetries) {
      return { error: internalError(`the server wanted URLs opened more than ${maxUrlRetries} times`) };
    }
    for (const asked of this.#urls.questions(urls.slice(0, maxQuestions))) this.ask(asked);
    return undefined;
  }

  /** The URLs are dealt with: the same request goes out again. */
  #runAgain(told: Promise<void> | undefined): void {
    const { completions, bounds } = this.#host;
    const urls = this.#urls;
    if (urls === undefined) return;
    if (urls.isDeclined) {
      this.#settle(declined(this.method));
      return;
    }
    const signal = this.#open?.leg.exchange.signal;
    if (signal === undefined) return;
    this.#run(Promise.all([told, urls.ready(completions, bounds.urlCompletionMs, signal)]));
  }

  /** Waits a moment for further questions: those of one round come one after the other. */
  #collect(): void {
    this.#collecting ??= setTimeout(() => {
      this.#collecting = undefined;
      this.#putRound();
    }, this.#host.bounds.collectMs);
  }

  #putRound(): void {
    if (this.#open === undefined || !this.#questions.areWaiting) return;
    const { bounds, tally } = this.#host;
    const state = this.#questions.rounds < bounds.maxRounds ? this.#host.park(this) : undefined;
    if (state === undefined) {
      tally.count('question-dropped', 'a question was not put: too many rounds, or too many calls wait');
      this.#questions.drop('the client is asked too much');
      if (this.#upstream === undefined) this.#settle(declined(this.method));
      return;
    }
    const result = this.#host.toQuestions(this.#questions.nextRound(), state);
    const open = this.#close();
    if (open !== undefined) after(open.leg.end(), () => open.resolve(result));
  }

  #finish(outcome: Outcome): void {
    const open = this.#close();
    this.#end('the request it belongs to has its result');
    if (open === undefined) return;
    const give = (): void => {
      if ('error' in outcome) open.reject(this.#host.toError(outcome.error));
      else open.resolve(this.#host.toResult(this.method, outcome.result));
    };
    after(open.leg.end(), give);
  }

  /** Nobody waits for the result any more, or for the moment. */
  #close(): OpenLeg | undefined {
    const open = this.#open;
    this.#open = undefined;
    if (this.#route !== undefined) this.#route.leg = undefined;
    if (open === undefined) return undefined;
    open.ignoreAbort();
    this.#host.levels.leave(open.leg);
    return open;
  }

  #end(why: string): void {
    this.#isOver = true;
    clearTimeout(this.#collecting);
    this.#host.progress.release(this.#token);
    this.#host.ended(this);
    this.#questions.leave(why);
  }
}

/** The user did not agree to open what the server wants opened first. */
function declined(method: string): Outcome {
  const text = 'The server wants a URL opened before it does this, and that was not agreed to.';
  if (method !== 'tools/call') return { error: internalError(text) };
  return { result: { content: [{ type: 'text', text }], isError: true } };
}

function after(before: Promise<void> | undefined, go: () => void): void {
  if (before === undefined) go();
  else void before.then(go);
}
