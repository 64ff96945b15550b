import type { JsonObject } from '../../../protocol/json.ts';
import type { ErrorMessage, ResultMessage } from '../../../protocol/message.ts';
import { IdTable } from '../../../async/id-table.ts';
import { PeerError } from '../../../protocol/protocol-error.ts';
import type { RequestId } from '../../../protocol/request-id.ts';
import { LimitError } from '../errors.ts';
import type { LinkRequest } from '../link.ts';

/** A request that waits for its answer, wherever that comes from. */
export interface Waiting {
  readonly id: number;
  readonly request: LinkRequest;
  readonly result: Promise<JsonObject>;
  readonly isSettled: boolean;
  succeed(result: JsonObject): void;
  fail(error: unknown): void;
}

/** Requests that wait, by id: one of one type never meets another's. A cancelled one is no longer waited for. */
export class PendingRequests {
  readonly #open = new IdTable<Waiter>();
  readonly #max: number;
  #nextId = 1;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Opens one. `onCancel` hears when its caller doesn't wait any longer. */
  open(request: LinkRequest, onCancel: (waiting: Waiting) => void): Waiting {
    if (this.#open.size >= this.#max) {
      throw new LimitError(`${this.#max} requests wait for their answer already`);
    }
    const id = this.#nextId++;
    const waiter = new Waiter(id, request, () => this.#open.delete(id), onCancel);
    this.#open.set(id, waiter);
    return waiter;
  }

  /** Gives a response to whom it is for; false where nobody waits for it. */
  settle(message: ResultMessage | ErrorMessage, status?: number): boolean {
    const waiter = message.id === undefined ? undefined : this.#open.get(message.id);
    if (waiter === undefined) return false;
    if (message.kind === 'result') waiter.succeed(message.result);
    else waiter.fail(new PeerError(message.error, status));
    return true;
  }

  /** Fails the one request that an id belongs to; false where nobody waits for it. */
  fail(id: RequestId | undefined, error: unknown): boolean {
    const waiter = id === undefined ? undefined : this.#open.get(id);
    waiter?.fail(error);
    return waiter !== undefined;
  }

  /** Whether such an id was ever given out: its answer may come late. */
  wasUsed(id: RequestId | undefined): boolean {
    return typeof id === 'number' && id >= 1 && id < this.#nextId;
  }

  failAll(error: unknown): void {
    for (const waiter of this.#open.values()) waiter.fail(error);
  }
}

class Waiter implements Waiting {
  readonly id: number;
  readonly request: LinkRequest;
  readonly result: Promise<JsonObject>;
  isSettled = false;
  readonly #leave: () => void;
  readonly #cancel: () => void;
  #resolve!: (result: JsonObject) => void;
  #reject!: (error: unknown) => void;

  constructor(id: number, request: LinkRequest, leave: () => void, onCancel: (waiting: Waiting) => void) {
    this.id = id;
    this.request = request;
    this.#leave = leave;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever opened it may look at it late.
    this.result.catch(() => {});
    const { cancellation } = request;
    this.#cancel = () => {
      if (this.isSettled) return;
      this.fail(cancellation.reason);
      onCancel(this);
    };
    cancellation.onAbort(this.#cancel);
  }

  succeed(result: JsonObject): void {
    if (this.#settle()) this.#resolve(result);
  }

  fail(error: unknown): void {
    if (this.#settle()) this.#reject(error);
  }

  #settle(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    this.request.cancellation.ignore(this.#cancel);
    this.#leave();
    return true;
  }
}
