import { isLoggingLevel, LOGGING_LEVELS } from '../../protocol/common-types.ts';
import type { LoggingLevel } from '../../protocol/common-types.ts';
import { encodeError, encodeNotification, encodeResult } from '../../protocol/encode-message.ts';
import { ErrorCode } from '../../protocol/error-codes.ts';
import type { Caller, Handler } from '../../protocol/handler.ts';
import { isJsonObject, jsonType } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type {
  ErrorMessage,
  NotificationMessage,
  RequestMessage,
  ResultMessage,
} from '../../protocol/message.ts';
import { isMethodOf, methodRow } from '../../protocol/methods.ts';
import {
  internalError,
  invalidParams,
  invalidRequest,
  isProtocolError,
  methodNotFound,
} from '../../protocol/protocol-error.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import { isRequestId } from '../../protocol/request-id.ts';
import { translationTo } from '../../protocol/revisions/translate.ts';
import type { Translation } from '../../protocol/revisions/translate.ts';
import type { Reporter } from '../../transport/report.ts';
import { toErrorObject } from '../../transport/report.ts';
import { askClient, UnaskableError } from './ask-client.ts';
import { ChangeFeed } from './change-feed.ts';
import { toModernParams } from './envelope.ts';
import type { SessionFacts } from './facts.ts';
import { toLegacyError } from './legacy-error.ts';
import { Questions } from './questions.ts';
import type { LegacyReply, SessionBounds } from './reply.ts';
import { SessionCall } from './session-call.ts';

export interface SessionOptions {
  readonly handle: Handler;
  readonly bounds: SessionBounds;
  readonly report: Reporter;
}

/**
 * A legacy session in front of a modern handler: one object for each handshake. It turns each request into a
 * self-contained modern one, puts the handler's questions to the client as real requests, and answers by itself what
 * only a session has (`ping`, `logging/setLevel`, resource subscriptions). It knows messages, not bytes.
 */
export class LegacySession {
  readonly facts: SessionFacts;
  readonly #options: SessionOptions;
  readonly #translation: Translation;
  readonly #questions: Questions;
  readonly #calls = new Map<RequestId, SessionCall>();
  readonly #watched = new Set<string>();
  readonly #feed: ChangeFeed;
  #level: LoggingLevel | undefined;
  #sendUnrelated: ((text: string) => Promise<void>) | undefined;

  constructor(facts: SessionFacts, caller: Caller, options: SessionOptions) {
    this.facts = facts;
    this.#options = options;
    this.#translation = translationTo(facts.version);
    this.#questions = new Questions(options.bounds);
    this.#feed = new ChangeFeed({
      handle: options.handle,
      caller,
      params: () => toModernParams({}, facts, undefined),
      onNotification: async ({ method, params }) => {
        await this.#sendUnrelated?.(
          encodeNotification({ method, params: this.#translation.notification(method, params) }),
        );
      },
      onFailure: (error) =>
        options.report({ kind: 'listen-failed', message: 'the session hears of no changes', error }),
    });
  }

  /** Whether something runs or somebody listens. A session that isn't busy can be made again from its facts. */
  get isBusy(): boolean {
    return this.#calls.size > 0 || this.#sendUnrelated !== undefined;
  }

  /** Answers a request through its reply, now or later. */
  request(message: RequestMessage, caller: Caller, reply: LegacyReply): void {
    const { id, method } = message;
    const call = new SessionCall(id, method, caller, reply, this.#translation);
    if (this.#calls.has(id)) {
      call.finish(
        encodeError(id, invalidRequest('the id belongs to a request that has no answer yet').toWire()),
      );
      return;
    }
    this.#calls.set(id, call);
    this.#answer(message.params, call)
      .then(
        (result) => encodeResult(id, result),
        (error: unknown) =>
          encodeError(id, toLegacyError(method, toErrorObject(error, method, this.#options.report))),
      )
      .catch((error: unknown) => encodeError(id, toErrorObject(error, method, this.#options.report)))
      .then((answer) => {
        if (this.#calls.get(id) === call) this.#calls.delete(id);
        call.finish(answer);
      });
  }

  notification(message: NotificationMessage): void {
    if (message.method !== 'notifications/cancelled') return; // initialized, roots/list_changed: nothing to do
    const { requestId, reason } = message.params;
    const call = isRequestId(requestId) ? this.#calls.get(requestId) : undefined;
    if (call === undefined) return; // unknown or already answered: the race is allowed
    this.#calls.delete(call.id);
    call.cancel(typeof reason === 'string' ? reason : 'cancelled by the client');
  }

  /** Takes the client's answer to a question; false where no such question waits. */
  response(message: ResultMessage | ErrorMessage): boolean {
    return this.#questions.answer(message);
  }

  /**
   * Sends what belongs to no request this way from now on; resolves when it is listened for. `isBack`: the client may
   * have missed changes, so it is told that every list may have changed.
   */
  async listen(send: (text: string) => Promise<void>, isBack = false): Promise<void> {
    this.#sendUnrelated = send;
    const honoured = await this.#feed.open([...this.#watched]);
    if (!isBack) return;
    for (const [flag, list] of LISTS) {
      if (honoured[flag] !== true) continue;
      await send(encodeNotification({ method: `notifications/${list}/list_changed`, params: {} }));
    }
  }

  /** Ends the way of `listen`, where it is still the same. */
  unlisten(send: (text: string) => Promise<void>): void {
    if (this.#sendUnrelated !== send) return;
    this.#sendUnrelated = undefined;
    this.#feed.close();
  }

  close(): void {
    this.#feed.close();
    for (const call of this.#calls.values()) call.cancel('the session has ended');
    this.#calls.clear();
  }

  async #answer(params: JsonObject, call: SessionCall): Promise<JsonObject> {
    const { method } = call;
    const local = this.#local(method, params);
    if (local !== undefined) return local;
    const isForeign = methodRow(method) !== undefined && !isMethodOf(this.facts.version, method);
    if (isForeign || method === 'initialize') throw methodNotFound(method);
    return this.#rounds(params, call);
  }

  /** What a session answers by itself. */
  #local(method: string, params: JsonObject): Promise<JsonObject> | undefined {
    switch (method) {
      case 'ping':
        return Promise.resolve({});
      case 'logging/setLevel':
        return this.#setLevel(params['level']);
      case 'resources/subscribe':
        return this.#subscribe(params['uri']);
      case 'resources/unsubscribe':
        return this.#unsubscribe(params['uri']);
      default:
        return undefined;
    }
  }

  /** Calls the handler until it has what it needs. */
  async #rounds(params: JsonObject, call: SessionCall): Promise<JsonObject> {
    const { method } = call;
    let request = toModernParams(params, this.facts, this.#level);
    const openUrls = new Map<string, string>();
    for (let round = 0; round <= this.#options.bounds.maxRounds; round++) {
      try {
        const result = await this.#options.handle({ method, params: request }, call);
        const asks = result.resultType === 'input_required';
        const { inputRequests, requestState } = result;
        await completeUrls(openUrls, asks && isJsonObject(inputRequests) ? inputRequests : {}, call);
        if (!asks) return this.#translation.result(method, result);
        const inputResponses = isJsonObject(inputRequests)
          ? await this.#ask(inputRequests, call, openUrls)
          : await pause(round);
        const { inputResponses: _answers, requestState: _state, ...own } = request;
        request = {
          ...own,
          ...(inputResponses === undefined ? {} : { inputResponses }),
          ...(requestState === undefined ? {} : { requestState }),
        };
      } catch (error) {
        return unanswerable(method, error);
      }
    }
    throw internalError(`asked more than ${this.#options.bounds.maxRounds} rounds of questions`);
  }

  #ask(inputRequests: JsonObject, call: SessionCall, openUrls: Map<string, string>): Promise<JsonObject> {
    const session = { facts: this.facts, translation: this.#translation, questions: this.#questions };
    return askClient(inputRequests, call, session, openUrls);
  }

  async #setLevel(level: unknown): Promise<JsonObject> {
    if (!isLoggingLevel(level))
      throw invalidParams(`params.level must be one of ${LOGGING_LEVELS.join(', ')}`);
    this.#level = level;
    return {};
  }

  async #subscribe(uri: unknown): Promise<JsonObject> {
    if (typeof uri !== 'string') throw invalidParams(`params.uri must be a string, got ${jsonType(uri)}`);
    if (this.#watched.size >= this.#options.bounds.maxWatchedResources) {
      throw invalidParams(`a session watches at most ${this.#options.bounds.maxWatchedResources} resources`);
    }
    this.#watched.add(uri);
    if (this.#sendUnrelated === undefined) return {}; // heard of once somebody listens
    const honoured = await this.#feed.open([...this.#watched]);
    if (honoured.resourceSubscriptions?.includes(uri) === true) return {};
    this.#watched.delete(uri);
    throw invalidParams(`the server tells of no changes of ${uri}`, { uri });
  }

  async #unsubscribe(uri: unknown): Promise<JsonObject> {
    if (typeof uri !== 'string') throw invalidParams(`params.uri must be a string, got ${jsonType(uri)}`);
    if (this.#watched.delete(uri) && this.#sendUnrelated !== undefined)
      await this.#feed.open([...this.#watched]);
    return {};
  }
}

const LISTS = [
  ['toolsListChanged', 'tools'],
  ['promptsListChanged', 'prompts'],
  ['resourcesListChanged', 'resources'],
] as const;

/** A client that can't be asked: for a tool the model may read why, for the rest it is an error. */
function unanswerable(method: string, error: unknown): JsonObject {
  const missing = isProtocolError(error) && error.code === ErrorCode.missingRequiredClientCapability;
  if (!missing && !(error instanceof UnaskableError)) throw error;
  const message = missing
    ? `the client does not support ${needed(error.data)}, which this needs`
    : error.message;
  if (method !== 'tools/call') throw internalError(message);
  return { content: [{ type: 'text', text: `This can't be done: ${message}.` }], isError: true };
}

function needed(data: unknown): string {
  const required = isJsonObject(data) ? data['requiredCapabilities'] : undefined;
  return isJsonObject(required) ? Object.keys(required).join(', ') : 'something';
}

/** Tells the client that what a URL was opened for is done: the handler asks for it no longer. */
async function completeUrls(
  openUrls: Map<string, string>,
  asked: JsonObject,
  call: SessionCall,
): Promise<void> {
  for (const [key, elicitationId] of openUrls) {
    if (Object.hasOwn(asked, key)) continue;
    openUrls.delete(key);
    await call.notify({ method: 'notifications/elicitation/complete', params: { elicitationId } });
  }
}

/** A result that asks nothing but to come again is followed after a growing while. */
async function pause(round: number): Promise<undefined> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, Math.min(100 * 2 ** round, 5000));
  });
  return undefined;
}
