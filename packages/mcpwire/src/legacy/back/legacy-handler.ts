import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import { encodeError, encodeResult } from '../../protocol/encode-message.ts';
import type { Exchange, Handler, McpRequest } from '../../protocol/handler.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { NotificationMessage, RequestMessage } from '../../protocol/message.ts';
import { MetaKey } from '../../protocol/meta-keys.ts';
import { isMethodOf, methodRow } from '../../protocol/methods.ts';
import { methodNotFound } from '../../protocol/protocol-error.ts';
import { neededForQuestion } from '../../protocol/question-needs.ts';
import { isRequestId } from '../../protocol/request-id.ts';
import type { Result } from '../../protocol/results.ts';
import { LATEST_VERSION, MODERN_VERSIONS } from '../../protocol/revisions/index.ts';
import type { Incoming } from '../../transport/client/link.ts';
import type { Reporter } from '../../transport/report.ts';
import { LISTEN } from '../../transport/subscription-tag.ts';
import type { BackBounds } from './bounds.ts';
import { Calls } from './calls.ts';
import { Leg } from './leg.ts';
import { Listens } from './listens.ts';
import { LogLevels } from './log-levels.ts';
import { toModernError } from './modern-error.ts';
import type { OpenCall } from './open-call.ts';
import { ProgressRoute, ProgressTokens } from './progress-tokens.ts';
import type { Answerer } from './questions.ts';
import { Questions } from './questions.ts';
import { Repeatable } from './repeatable.ts';
import { Tally } from './tally.ts';
import type { Upstream } from './upstream.ts';
import { UrlCompletions } from './url-retries.ts';

export interface LegacyHandlerOptions {
  readonly declared: ClientCapabilities;
  readonly bounds: BackBounds;
  readonly report: Reporter;
  readonly answer: Answerer | undefined;
  readonly answersStrays: boolean;
}

/** A legacy server as a modern handler: what belongs to one request finds it, the rest goes to whoever listens. */
export class LegacyHandler {
  readonly #upstream: Upstream;
  readonly #bounds: BackBounds;
  readonly #report: Reporter;
  readonly #tally: Tally;
  readonly #progress = new ProgressTokens();
  readonly #completions = new UrlCompletions();
  readonly #levels: LogLevels;
  readonly #repeatable: Repeatable;
  readonly #calls: Calls;
  readonly #questions: Questions;
  readonly #listens: Listens;

  constructor(upstream: Upstream, { declared, bounds, report, answer, answersStrays }: LegacyHandlerOptions) {
    this.#upstream = upstream;
    this.#bounds = bounds;
    this.#report = report;
    const tally = new Tally(report);
    this.#tally = tally;
    this.#repeatable = new Repeatable(bounds.maxRepeatableTools);
    this.#levels = new LogLevels({
      tally,
      hasLogging: () => upstream.facts.capabilities.logging !== undefined,
      setLevel: (level) => upstream.own('logging/setLevel', { level }),
    });
    this.#calls = new Calls({
      bounds,
      tally,
      levels: this.#levels,
      progress: this.#progress,
      completions: this.#completions,
      send: (request) => upstream.request(request),
      hear: (message, call, leg) => this.#hear(message, call, leg),
      isRepeatable: (method, params) => this.#repeatable.has(method, params),
      toResult: (method, result) => this.#toResult(method, result),
      toQuestions: (inputRequests, requestState) =>
        this.#named({ resultType: 'input_required', inputRequests, requestState }),
      toError: toModernError,
    });
    this.#questions = new Questions({
      bounds,
      tally,
      declared,
      answer,
      answersStrays,
      words: () => upstream.words,
      openCalls: () => this.#calls.open,
      callCount: () => this.#calls.count,
      respond: (text) => upstream.respond(text),
    });
    this.#listens = new Listens({
      bounds,
      tally,
      lingerMs: bounds.lingerMs,
      capabilities: () => upstream.facts.capabilities,
      endResult: () => this.#named({ resultType: 'complete' }),
      subscribe: (uri) => upstream.own('resources/subscribe', { uri }),
      unsubscribe: (uri) => upstream.own('resources/unsubscribe', { uri }),
    });
  }

  readonly handle: Handler = (request, exchange) => {
    const { method, params } = request;
    const row = methodRow(method);
    if (row?.mayAskInput === true) return this.#calls.handle(request, exchange);
    if (method === 'server/discover') return Promise.resolve(this.#discover());
    if (method === LISTEN) return this.#listens.listen(params, exchange);
    // What the newest revision has no longer is this side's business, and nobody else's. The rest is not held against the
    // declared capabilities: real servers answer what they don't declare.
    const isGone = row !== undefined && (row.from === 'server' || !isMethodOf(LATEST_VERSION, method));
    return isGone ? Promise.reject(methodNotFound(method)) : this.#pass(request, exchange);
  };

  incoming(message: Incoming): void {
    this.#hear(message, undefined, undefined);
  }

  /** There is a new session, which knows nothing of the one before. */
  renew(): void {
    this.#questions.forget();
    this.#levels.reset();
    this.#listens.renew();
  }

  /** The server said so outside of any request: who only listens would never notice. */
  sessionLost(): void {
    this.#upstream.renew().catch((error: unknown) => {
      this.#report({
        kind: 'session-lost',
        message: 'the server lost the session and gives no new one',
        error,
      });
      // Whoever listens comes back, and tries again.
      this.#listens.end();
    });
  }

  /** Something may have changed that nobody was told of. */
  missed(): void {
    this.#listens.missed();
  }

  /** The link is gone: it rejects what waits for it, and there is nothing more to listen for. */
  disconnected(): void {
    this.#listens.close();
  }

  close(reason: Error): void {
    this.#questions.close();
    this.#calls.close(reason);
    this.#listens.close();
    this.#tally.close();
  }

  #discover(): Result {
    const { capabilities, instructions } = this.#upstream.facts;
    return this.#named({
      resultType: 'complete',
      supportedVersions: MODERN_VERSIONS,
      capabilities,
      ...(instructions === undefined ? {} : { instructions }),
      ttlMs: 0,
      cacheScope: 'private',
    });
  }

  /** A request in which nothing is asked. */
  async #pass({ method, params }: McpRequest, exchange: Exchange): Promise<Result> {
    const meta = params._meta;
    const wantsMore = meta[MetaKey.logLevel] !== undefined || meta[MetaKey.progressToken] !== undefined;
    const leg = wantsMore ? new Leg(meta, exchange, this.#bounds, this.#tally) : undefined;
    let token: number | undefined;
    let wireParams: JsonObject = params;
    if (leg?.progressToken !== undefined) {
      const route = new ProgressRoute();
      route.leg = leg;
      token = this.#progress.mint(route);
      wireParams = { ...params, _meta: { ...meta, progressToken: token } };
    }
    try {
      if (leg !== undefined) await this.#levels.enter(leg);
      const result = await this.#upstream.request({
        method,
        params: wireParams,
        signal: exchange.signal,
        hear: (message) => this.#hear(message, undefined, leg),
        isRepeatable: () => this.#repeatable.has(method, params),
      });
      if (method === 'tools/list') this.#repeatable.learn(result);
      return this.#toResult(method, result);
    } catch (error) {
      throw toModernError(error);
    } finally {
      this.#progress.release(token);
      if (leg !== undefined) {
        this.#levels.leave(leg);
        await leg.end();
      }
    }
  }

  #toResult(method: string, result: JsonObject): Result {
    return this.#named(this.#upstream.words.up.result(method, result));
  }

  /** With the server's name, as results of the newest revision have it (DISC-05). */
  #named(result: JsonObject): Result {
    const { serverInfo } = this.#upstream.facts;
    if (serverInfo === undefined) return result;
    const meta = result['_meta'] as object | undefined;
    return { ...result, _meta: { ...meta, [MetaKey.serverInfo]: serverInfo } };
  }

  /** `call` and `leg`: of the request on whose own way the message came. */
  #hear(message: Incoming, call: OpenCall | undefined, leg: Leg | undefined): void {
    if (message.kind === 'request') this.#hearRequest(message, call);
    else this.#hearNotification(message, leg);
  }

  #hearRequest(message: RequestMessage, call: OpenCall | undefined): void {
    const { id, method } = message;
    if (neededForQuestion(method, {}) !== undefined) {
      this.#questions.receive(message, call);
      return;
    }
    const text = method === 'ping' ? encodeResult(id, {}) : encodeError(id, methodNotFound(method).toWire());
    if (method !== 'ping') {
      this.#tally.count('request-refused', `the server sent a request that no client has: ${method}`);
    }
    this.#upstream.respond(text).catch((error: unknown) => {
      this.#tally.count('answer-failed', `${method} of the server could not be answered`, error);
    });
  }

  #hearNotification({ method, params }: NotificationMessage, leg: Leg | undefined): void {
    if (this.#listens.hear(method, params)) return;
    switch (method) {
      case 'notifications/progress':
        this.#progress.hear(params);
        break;
      case 'notifications/message':
        this.#levels.hear(params, leg);
        break;
      case 'notifications/cancelled': {
        const { requestId } = params;
        if (isRequestId(requestId)) this.#questions.withdraw(requestId);
        break;
      }
      case 'notifications/elicitation/complete': {
        const { elicitationId } = params;
        if (typeof elicitationId === 'string') this.#completions.complete(elicitationId);
        break;
      }
      default:
        // What nobody specified belongs to the request on whose way it came.
        if (leg !== undefined && methodRow(method) === undefined) leg.notify({ method, params });
        else this.#tally.count('notification-ignored', `the server sent ${method}, which belongs to nothing`);
    }
  }
}
