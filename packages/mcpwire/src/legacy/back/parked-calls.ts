import { inBackground } from '../../async/background.ts';
import { invalidParams } from '../../protocol/protocol-error.ts';
import { omit } from '../../protocol/revisions/omit.ts';
import type { Params } from '../../protocol/handler.ts';
import { saysOver } from '../../async/abandoned.ts';
import type { BackBounds } from './bounds.ts';
import type { OpenCall } from './open-call.ts';
import { isSameJson } from './same-json.ts';

/** The retry did not come in time: the server was told that the request is cancelled, and may have acted before. */
export class ParkExpiredError extends Error {
  override readonly name: string = 'ParkExpiredError';

  constructor(method: string) {
    super(
      `the answers to the questions of ${method} came too late: the request was cancelled, and was not sent again because the server may have acted already`,
    );
    saysOver(this);
  }
}

interface Parked {
  readonly call: OpenCall;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Calls that wait for their retry, by the `requestState` that stands for them: random, good for one retry of the same
 * request by the same caller, and for a while (MRTR-07 to MRTR-13).
 */
export class ParkedCalls {
  readonly #bounds: BackBounds;
  readonly #parked = new Map<string, Parked>();
  readonly #states = new Map<OpenCall, string>();
  /** The last of those whose retry did not come in time: who comes after all is told what happened. */
  readonly #expired = new Set<string>();

  constructor(bounds: BackBounds) {
    this.#bounds = bounds;
  }

  park(call: OpenCall): string | undefined {
    const { maxParkedCalls, parkedMs } = this.#bounds;
    if (this.#parked.size >= maxParkedCalls) return undefined;
    const state = crypto.randomUUID();
    const timer = inBackground(setTimeout(() => this.#expire(state, call), parkedMs));
    this.#parked.set(state, { call, timer });
    this.#states.set(call, state);
    return state;
  }

  /** The call that a retry is for. */
  take(state: unknown, method: string, params: Params, principal: string | undefined): OpenCall {
    const parked = typeof state === 'string' ? this.#parked.get(state) : undefined;
    if (parked === undefined) {
      if (typeof state === 'string' && this.#expired.has(state)) throw new ParkExpiredError(method);
      throw invalidParams('params.requestState stands for no open request: unknown, or used before');
    }
    const { call } = parked;
    if (call.method !== method || !isSameJson(salient(call.params), salient(params))) {
      throw invalidParams('params.requestState belongs to a request with another method or other params');
    }
    if (call.principal !== principal) {
      throw invalidParams('params.requestState belongs to another caller');
    }
    this.release(call);
    return call;
  }

  release(call: OpenCall): void {
    const state = this.#states.get(call);
    if (state === undefined) return;
    clearTimeout(this.#parked.get(state)?.timer);
    this.#parked.delete(state);
    this.#states.delete(call);
  }

  #expire(state: string, call: OpenCall): void {
    this.#expired.add(state);
    const [oldest] = this.#expired;
    if (this.#expired.size > this.#bounds.maxParkedCalls) this.#expired.delete(oldest ?? '');
    call.abandon(new ParkExpiredError(call.method));
  }
}

function salient(params: Params): object {
  return omit(params, '_meta', 'inputResponses', 'requestState');
}
