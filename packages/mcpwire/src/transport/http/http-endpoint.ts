import { encodeError } from '../../protocol/encode-message.ts';
import type { Handler, McpRequest } from '../../protocol/handler.ts';
import type { RequestMessage } from '../../protocol/message.ts';
import { classify, parseText } from '../../protocol/parse-message.ts';
import { parseError } from '../../protocol/protocol-error.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import { admit } from '../admit.ts';
import { invoke } from '../invoke.ts';
import { toErrorObject } from '../report.ts';
import { LISTEN } from '../subscription-tag.ts';
import { admitHead } from './admit-head.ts';
import { BodyBudget, BUSY, CLOSING } from './body-budget.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import type { Endpoint } from './endpoint.ts';
import type { HttpHead, Refusal } from './head.ts';
import { checkHostAndOrigin } from './host-origin.ts';
import { HttpCall, JSON_TYPE } from './http-call.ts';
import { LazyLegacyFront } from './lazy-legacy-front.ts';
import type { Disconnectable, LegacyFront, LoadLegacyFront } from './legacy-front.ts';
import { isModern, namesModernVersion } from './legacy-front.ts';
import { checkMethodHeaders, checkMirroredHeaders } from './mirrored-headers.ts';
import type { HttpOptions, HttpSettings } from './options.ts';
import { httpSettings } from './options.ts';
import { OpenStreams } from './open-streams.ts';
import type { HttpReply } from './reply.ts';
import { statusOf } from './status.ts';

/**
 * One Streamable HTTP endpoint in front of a handler: the rules of the binding, and nothing of any runtime.
 * A runtime adapter calls `admit` with the head, reads the body within the bounds, then calls `post`.
 */
export class HttpEndpoint implements Endpoint {
  readonly settings: HttpSettings;
  readonly bodies: BodyBudget;
  readonly #handle: Handler;
  readonly #isDetached: boolean;
  readonly #streams: OpenStreams;
  readonly #legacy: LegacyFront | undefined;
  readonly #subscriptions = new Set<HttpCall>();
  #running = 0;
  #closing = false;
  #idle: (() => void) | undefined;

  /**
   * `isDetached`: the runtime ends a request's code when its client leaves, without a word to it. What a request took
   * is then never given back, so nothing is counted, and no timer serves two requests.
   */
  constructor(handle: Handler, options: HttpOptions = {}, isDetached = false, loadLegacy?: LoadLegacyFront) {
    this.#handle = handle;
    this.#isDetached = isDetached;
    this.settings = { ...httpSettings(options), ...(isDetached ? UNCOUNTED : {}) };
    this.bodies = new BodyBudget(this.settings);
    this.#streams = new OpenStreams(this.settings.keepAliveMs, isDetached);
    if (loadLegacy !== undefined) {
      this.#legacy = new LazyLegacyFront(
        () => loadLegacy(this.settings, this.#streams),
        this.settings.report,
      );
    }
  }

  /**
   * Answers what can be answered without a body. `body`: the body is to be read and given to `post`. Otherwise what
   * comes back, if anything, wants to know when the client is gone.
   */
  admit(head: HttpHead, reply: HttpReply): 'body' | Disconnectable | undefined {
    if (
      head.method === 'OPTIONS' &&
      this.settings.cors &&
      head.header('access-control-request-method') !== undefined
    ) {
      const refusal = checkHostAndOrigin(head, this.settings);
      if (refusal === undefined) reply.send(204, undefined, '', preflightHeaders(head, this.settings));
      else this.refuse(refusal, reply);
      return undefined;
    }
    const hasNoBody = head.method === 'GET' || head.method === 'DELETE';
    if (this.#legacy !== undefined && hasNoBody && !namesModernVersion(head)) {
      return this.#withoutBody(this.#legacy, head, reply);
    }
    const refusal = admitHead(head, this.settings) ?? (this.#closing ? CLOSING : undefined);
    if (refusal === undefined) return 'body';
    this.refuse(refusal, reply);
    return undefined;
  }

  /** Sends a refusal as text: such a request was never a message. */
  refuse(refusal: Refusal, reply: HttpReply): void {
    reply.send(refusal.status, 'text/plain; charset=utf-8', `${refusal.message}\n`, refusal.headers);
  }

  /** Takes the text of a body; undefined where the bytes were no UTF-8. Returns the call, to be told of a disconnect. */
  post(head: HttpHead, text: string | undefined, reply: HttpReply): Disconnectable | undefined {
    if (text === undefined) {
      this.#sendError(undefined, parseError('not UTF-8'), reply, head);
      return undefined;
    }
    const parsed = parseText(text, this.settings.bounds);
    if (parsed.kind === 'value' && this.#legacy !== undefined && !isModern(parsed.value, head)) {
      return this.#legacy.post(parsed.value, head, reply);
    }
    const message = parsed.kind === 'value' ? classify(parsed.value) : parsed;
    switch (message.kind) {
      case 'request':
        return this.#request(message, head, reply);
      case 'notification':
        // None is defined for this binding; accepting asks nothing of its headers (HTTP-13).
        reply.send(202, undefined, '', corsHeaders(head, this.settings));
        return undefined;
      case 'invalid':
        this.#sendError(message.silent ? undefined : message.id, message.error, reply, head);
        return undefined;
      default:
        this.refuse({ status: 400, message: 'clients send no responses in this revision' }, reply);
        return undefined;
    }
  }

  /** Refuses new requests, ends subscriptions with their result, and resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const call of this.#subscriptions) call.close();
    const legacy = this.#legacy?.close();
    if (this.#running + this.#subscriptions.size > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    await legacy;
  }

  /** Cancels what still runs and does not end with its connection: requests of the legacy era. */
  abort(): void {
    this.#legacy?.abort();
  }

  #withoutBody(legacy: LegacyFront, head: HttpHead, reply: HttpReply): Disconnectable | undefined {
    const refusal = checkHostAndOrigin(head, this.settings) ?? (this.#closing ? CLOSING : undefined);
    if (refusal !== undefined) {
      this.refuse(refusal, reply);
      return undefined;
    }
    if (head.method === 'GET') return legacy.get(head, reply);
    legacy.delete(head, reply);
    return undefined;
  }

  #request(message: RequestMessage, head: HttpHead, reply: HttpReply): HttpCall | undefined {
    let request: McpRequest;
    try {
      checkMirroredHeaders(message, head);
      request = admit(message);
      checkMethodHeaders(message, head);
    } catch (error) {
      this.#sendError(message.id, error, reply, head, message.method);
      return undefined;
    }
    const listens = request.method === LISTEN;
    const full = listens
      ? this.#subscriptions.size >= this.settings.maxSubscriptions
      : this.#running >= this.settings.maxConcurrent;
    if (full) {
      this.refuse(BUSY, reply);
      return undefined;
    }
    const wire = { head, reply, headers: corsHeaders(head, this.settings) };
    const call = new HttpCall(message.id, request, wire, this.#streams);
    this.#run(call, listens);
    return call;
  }

  #run(call: HttpCall, listens: boolean): void {
    if (!this.#isDetached) this.#count(call, listens);
    invoke(this.#handle, call.request, call).then(
      (result) => {
        this.#done(call, listens);
        try {
          call.succeed(result);
        } catch (error) {
          call.fail(toErrorObject(error, call.request.method, this.settings.report));
        }
      },
      (error: unknown) => {
        this.#done(call, listens);
        // After a disconnect nobody hears the answer, and that the handler stopped is no failure.
        if (call.isAnswerable()) {
          call.fail(toErrorObject(error, call.request.method, this.settings.report));
        }
      },
    );
  }

  #count(call: HttpCall, listens: boolean): void {
    if (listens) this.#subscriptions.add(call);
    else this.#running++;
  }

  #done(call: HttpCall, listens: boolean): void {
    if (this.#isDetached) return;
    if (listens) this.#subscriptions.delete(call);
    else this.#running--;
    if (this.#closing && this.#running + this.#subscriptions.size === 0) this.#idle?.();
  }

  #sendError(id: RequestId | undefined, error: unknown, reply: HttpReply, head: HttpHead, method = ''): void {
    const wire = toErrorObject(error, method, this.settings.report);
    reply.send(statusOf(wire.code), JSON_TYPE, encodeError(id, wire), corsHeaders(head, this.settings));
  }
}

/** The bounds on what all requests take together. */
const UNCOUNTED = { maxHeldBytes: Infinity, maxConcurrent: Infinity, maxSubscriptions: Infinity };
