import type { Exchange, McpRequest, Params } from '../../protocol/handler.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { internalError } from '../../protocol/protocol-error.ts';
import { omit } from '../../protocol/revisions/omit.ts';
import type { Result } from '../../protocol/results.ts';
import type { CallHost } from './open-call.ts';
import { OpenCall } from './open-call.ts';
import { ParkedCalls, ParkExpiredError } from './parked-calls.ts';

/** What of a `CallHost` the calls see to themselves. */
export type CallSurroundings = Omit<CallHost, 'park' | 'ended'>;

/** The requests in which a server may ask, from the first leg to the result. */
export class Calls {
  readonly #host: CallHost;
  readonly #parked: ParkedCalls;
  readonly #open = new Set<OpenCall>();
  #count = 0;

  constructor(surroundings: CallSurroundings) {
    this.#parked = new ParkedCalls(surroundings.bounds);
    this.#host = {
      ...surroundings,
      park: (call) => this.#parked.park(call),
      ended: (call) => {
        this.#parked.release(call);
        this.#open.delete(call);
      },
    };
  }

  /** How many there have been. */
  get count(): number {
    return this.#count;
  }

  /** Those that have no result yet, the oldest first. */
  get open(): Iterable<OpenCall> {
    return this.#open;
  }

  handle({ method, params }: McpRequest, exchange: Exchange): Promise<Result> {
    const { requestState, inputResponses } = params;
    try {
      if (requestState === undefined) return this.#start(method, withoutAnswers(params), exchange);
      const call = this.#parked.take(requestState, method, params, exchange.caller.auth?.principal);
      return call.resume(isJsonObject(inputResponses) ? inputResponses : {}, params._meta, exchange);
    } catch (error) {
      if (!(error instanceof ParkExpiredError)) return Promise.reject(error);
      if (method !== 'tools/call') return Promise.reject(internalError(error.message));
      // The model can tell the user.
      const content = [{ type: 'text', text: error.message }];
      return Promise.resolve(this.#host.toResult(method, { content, isError: true }));
    }
  }

  close(reason: unknown): void {
    for (const call of this.#open) call.abandon(reason);
  }

  #start(method: string, params: Params, exchange: Exchange): Promise<Result> {
    const { maxOpenCalls } = this.#host.bounds;
    if (this.#open.size >= maxOpenCalls) {
      throw internalError(`at most ${maxOpenCalls} requests may be open at this server`);
    }
    const call = new OpenCall(++this.#count, method, params, exchange, this.#host);
    this.#open.add(call);
    return call.start(exchange);
  }
}

/** Answers to no question of this server. */
function withoutAnswers(params: Params): Params {
  return omit(params, 'inputResponses') as Params;
}
