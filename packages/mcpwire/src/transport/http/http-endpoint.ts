import { encodeError } from '../../protocol/encode-message.ts';
import type { Handler, McpRequest } from '../../protocol/handler.ts';
import type { RequestMessage } from '../../protocol/message.ts';
import { parseMessage } from '../../protocol/parse-message.ts';
import { parseError } from '../../protocol/protocol-error.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import { admit } from '../admit.ts';
import { invoke } from '../invoke.ts';
import { toErrorObject } from '../report.ts';
import { LISTEN } from '../subscription-tag.ts';
import { admitHead, tooLarge } from './admit-head.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import type { HttpHead, Refusal } from './head.ts';
import { checkHostAndOrigin } from './host-origin.ts';
import { HttpCall, JSON_TYPE } from './http-call.ts';
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
export class HttpEndpoint {
  readonly settings: HttpSettings;
  readonly #handle: Handler;
  readonly #streams: OpenStreams;
  readonly #subscriptions = new Set<HttpCall>();
  #running = 0;
  #heldBytes = 0;
  #closing = false;
  #idle: (() => void) | undefined;

  constructor(handle: Handler, options: HttpOptions = {}) {
    this.#handle = handle;
    this.settings = httpSettings(options);
    this.#streams = new OpenStreams(this.settings.keepAliveMs);
  }

  /** Answers what can be answered without a body and returns true; returns false where the body is to be read. */
  admit(head: HttpHead, reply: HttpReply): boolean {
    if (
      head.method === 'OPTIONS' &&
      this.settings.cors &&
      head.header('access-control-request-method') !== undefined
    ) {
      const refusal = checkHostAndOrigin(head, this.settings);
      if (refusal === undefined) reply.send(204, undefined, '', preflightHeaders(head, this.settings));
      else this.refuse(refusal, reply);
      return true;
    }
    const refusal = admitHead(head, this.settings) ?? (this.#closing ? CLOSING : undefined);
    if (refusal === undefined) return false;
    this.refuse(refusal, reply);
    return true;
  }

  /** Sends a refusal as text: such a request was never a message. */
  refuse(refusal: Refusal, reply: HttpReply): void {
    reply.send(refusal.status, 'text/plain; charset=utf-8', `${refusal.message}\n`, refusal.headers);
  }

  /** Counts body bytes as they arrive; false when this body, or all bodies together, are over the bound. */
  hold(bytes: number, bodySoFar: number): Refusal | undefined {
    this.#heldBytes += bytes;
    if (bodySoFar > this.settings.maxBodyBytes) return tooLarge(this.settings);
    return this.#heldBytes > this.settings.maxHeldBytes ? BUSY : undefined;
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  /** Takes the text of a body; undefined where the bytes were no UTF-8. Returns the call, to be told of a disconnect. */
  post(head: HttpHead, text: string | undefined, reply: HttpReply): HttpCall | undefined {
    if (text === undefined) {
      this.#sendError(undefined, parseError('not UTF-8'), reply, head);
      return undefined;
    }
    const message = parseMessage(text, this.settings.bounds);
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
    if (this.#running + this.#subscriptions.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
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
    if (listens) this.#subscriptions.add(call);
    else this.#running++;
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
        call.fail(toErrorObject(error, call.request.method, this.settings.report));
      },
    );
  }

  #done(call: HttpCall, listens: boolean): void {
    if (listens) this.#subscriptions.delete(call);
    else this.#running--;
    if (this.#closing && this.#running + this.#subscriptions.size === 0) this.#idle?.();
  }

  #sendError(id: RequestId | undefined, error: unknown, reply: HttpReply, head: HttpHead, method = ''): void {
    const wire = toErrorObject(error, method, this.settings.report);
    reply.send(statusOf(wire.code), JSON_TYPE, encodeError(id, wire), corsHeaders(head, this.settings));
  }
}

const BUSY: Refusal = { status: 503, message: 'too busy: try again', headers: ['Retry-After', '1'] };
const CLOSING: Refusal = { status: 503, message: 'closing: try again', headers: ['Retry-After', '1'] };
