import type { Slots } from '../../async/slots.ts';
import { isLoggingLevel, LOGGING_LEVELS } from '../../protocol/common-types.ts';
import { encodeError, encodeNotification, encodeResult } from '../../protocol/encode-message.ts';
import type { Caller, Handler, Params, RequestMeta } from '../../protocol/handler.ts';
import { isJsonObject, jsonType } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type {
  ErrorMessage,
  NotificationMessage,
  RequestMessage,
  ResultMessage,
} from '../../protocol/message.ts';
import { isMethodOf, methodRow } from '../../protocol/methods.ts';
import type { InvalidMessage } from '../../protocol/parse-message.ts';
import { invalidParams, invalidRequest, methodNotFound } from '../../protocol/protocol-error.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import { isRequestId } from '../../protocol/request-id.ts';
import { translationTo } from '../../protocol/revisions/translate.ts';
import type { Translation } from '../../protocol/revisions/translate.ts';
import type { Reporter } from '../../transport/report.ts';
import { toErrorObject } from '../../transport/report.ts';
import type { Asking } from './ask-client.ts';
import { envelopeOf, toModernParams } from './envelope.ts';
import type { SessionFacts } from './facts.ts';
import { toLegacyError } from './legacy-error.ts';
import { Questions } from './questions.ts';
import type { LegacyReply, SessionBounds } from './reply.ts';
import { callInRounds } from './rounds.ts';
import { SessionCall } from './session-call.ts';
import { WatchedChanges } from './watched-changes.ts';

export interface SessionOptions {
  readonly handle: Handler;
  readonly bounds: SessionBounds;
  readonly report: Reporter;
  /** Where requests run that the handler answers. */
  readonly slots: Slots;
  /** The session lasts for one message: nothing can be kept in it. */
  readonly isLone?: boolean;
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
  readonly #asking: Asking;
  readonly #calls = new Map<RequestId, SessionCall>();
  readonly #changes: WatchedChanges;
  /** The same for every request until the level changes. */
  #envelope: RequestMeta;
  #sendUnrelated: ((text: string) => Promise<void>) | undefined;

  constructor(facts: SessionFacts, caller: Caller, options: SessionOptions) {
    this.facts = facts;
    this.#options = options;
    this.#translation = translationTo(facts.version);
    this.#questions = new Questions(options.bounds);
    this.#envelope = envelopeOf(facts, undefined);
    this.#asking = { facts, translation: this.#translation, questions: this.#questions };
    const { handle, bounds, report } = options;
    const params = (): Params => ({ _meta: envelopeOf(facts, undefined) });
    this.#changes = new WatchedChanges({
      handle,
      caller,
      params,
      maxWatchedResources: bounds.maxWatchedResources,
      checkSupport: async () => {
        // Asked for each time: a server's capabilities grow while it runs.
        const exchange = { signal: new AbortController().signal, caller, notify: async () => {} };
        const { capabilities } = await handle({ method: 'server/discover', params: params() }, exchange);
        const resources = isJsonObject(capabilities) ? capabilities['resources'] : undefined;
        if (!isJsonObject(resources)) throw methodNotFound('resources/subscribe');
      },
      onNotification: async ({ method, params: told }) => {
        await this.#sendUnrelated?.(
          encodeNotification({ method, params: this.#translation.notification(method, told) }),
        );
      },
      onFailure: (error) =>
        report({ kind: 'listen-failed', message: 'the session hears of no changes', error }),
      onRefusal: (message, error) => report({ kind: 'listen-failed', message, error }),
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
    // What the session answers by itself waits for nobody: a ping asks whether anything is alive at all.
    if (isLocal(method)) {
      void this.#run(message.params, call);
      return;
    }
    const { slots } = this.#options;
    slots.enter(() => {
      // A request that was cancelled while it waited in line is gone by now.
      if (this.#calls.get(id) === call) void this.#run(message.params, call).then(() => slots.leave());
      else slots.leave();
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

  /** The client says no more: what it is asked, now or later, stays unanswered. */
  endInput(): void {
    this.#questions.close();
  }

  /** Takes the client's answer to a question; false where no such question waits. */
  response(message: ResultMessage | ErrorMessage | InvalidMessage): boolean {
    return this.#questions.answer(message);
  }

  /**
   * Sends what belongs to no request this way from now on; resolves when it is listened for. `isBack`: the client may
   * have missed changes, so it is told that every list may have changed.
   */
  async listen(send: (text: string) => Promise<void>, isBack = false): Promise<void> {
    this.#sendUnrelated = send;
    const honoured = await this.#changes.start();
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
    this.#changes.stop();
  }

  close(): void {
    this.#sendUnrelated = undefined;
    this.#changes.stop();
    for (const call of this.#calls.values()) call.cancel('the session has ended');
    this.#calls.clear();
  }

  async #run(params: JsonObject, call: SessionCall): Promise<void> {
    const { id, method } = call;
    let answer: string;
    try {
      answer = encodeResult(id, await this.#answer(params, call));
    } catch (error) {
      answer = call.isCancelled
        ? '' // nobody hears it
        : encodeError(id, toLegacyError(method, toErrorObject(error, method, this.#options.report)));
    }
    if (this.#calls.get(id) === call) this.#calls.delete(id);
    call.finish(answer);
  }

  #answer(params: JsonObject, call: SessionCall): Promise<JsonObject> | JsonObject {
    const { method } = call;
    if (this.#options.isLone === true && method !== 'ping' && isLocal(method)) throw methodNotFound(method);
    switch (method) {
      case 'ping':
        return {};
      case 'logging/setLevel':
        return this.#setLevel(params['level']);
      case 'resources/subscribe':
        return this.#changes.subscribe(uriOf(params));
      case 'resources/unsubscribe':
        return this.#changes.unsubscribe(uriOf(params));
      default: {
        const isForeign = methodRow(method) !== undefined && !isMethodOf(this.facts.version, method);
        if (isForeign || method === 'initialize') throw methodNotFound(method);
        const { handle, bounds } = this.#options;
        const request = toModernParams(params, this.#envelope);
        return callInRounds(handle, request, call, this.#asking, bounds.maxRounds);
      }
    }
  }

  #setLevel(level: unknown): JsonObject {
    if (!isLoggingLevel(level)) {
      throw invalidParams(`params.level must be one of ${LOGGING_LEVELS.join(', ')}`);
    }
    this.#envelope = envelopeOf(this.facts, level);
    return {};
  }
}

const LISTS = [
  ['toolsListChanged', 'tools'],
  ['promptsListChanged', 'prompts'],
  ['resourcesListChanged', 'resources'],
] as const;

const LOCAL: ReadonlySet<string> = new Set([
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

/** Whether a session answers the method by itself. */
export function isLocal(method: string): boolean {
  return LOCAL.has(method);
}

function uriOf({ uri }: JsonObject): string {
  if (typeof uri !== 'string') throw invalidParams(`params.uri must be a string, got ${jsonType(uri)}`);
  return uri;
}
