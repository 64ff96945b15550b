import { asError } from '../async/as-error.ts';
import { LazySignal } from '../async/lazy-signal.ts';
import { onAbort } from '../async/on-abort.ts';
import { TimeoutError } from '../async/with-timeout.ts';
import { isLoggingLevel } from '../protocol/common-types.ts';
import type { Caller, Exchange, Params } from '../protocol/handler.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { Notification } from '../protocol/notifications.ts';
import type { Result } from '../protocol/results.ts';
import { invoke } from '../transport/invoke.ts';
import type { Connection } from './connection.ts';
import type { Legs } from './legs.ts';
import type { LogEntry, Progress, RequestOptions } from './options.ts';

const CALLER: Caller = { transport: 'client' };

/** What one leg of a call may be told beside the options of the whole call. */
export interface LegOptions extends RequestOptions {
  /** Milliseconds that earlier legs of the same call took. */
  readonly spentMs?: number;
  /** Hears what is neither progress nor log. */
  readonly onOther?: (notification: Notification) => void;
}

/** What all legs of a client have in common. */
export interface LegHost {
  readonly connection: Connection;
  readonly legs: Legs;
  readonly bounds: { readonly timeoutMs: number; readonly maxTotalMs: number };
  /** Tells the application; what its functions throw is reported. */
  tellProgress(tell: (progress: Progress) => void, progress: Progress): void;
  tellLog(entry: LogEntry): void;
}

/**
 * One request on its way: one leg of a call, which may have several. It ends when the handler does, or before: by the
 * caller's signal, by time, by the client being closed. A handler that doesn't listen can't hold it.
 */
export class Leg extends LazySignal implements Exchange {
  readonly caller = CALLER;
  /** When it ends for want of an answer, in milliseconds since the epoch. */
  deadline: number;
  /** Its neighbours among the open ones: see `Legs`. */
  previous: Leg | undefined;
  next: Leg | undefined;
  readonly #host: LegHost;
  readonly #method: string;
  readonly #options: LegOptions;
  readonly #timeoutMs: number;
  /** When it ends whatever its progress. */
  #latest: number;
  #isOpen = false;
  #reject: ((error: unknown) => void) | undefined;
  #ignore: (() => void) | undefined;

  constructor(host: LegHost, method: string, options: LegOptions) {
    super();
    this.#host = host;
    this.#method = method;
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? host.bounds.timeoutMs;
    const now = Date.now();
    this.#latest = now + (options.maxTotalMs ?? host.bounds.maxTotalMs) - (options.spentMs ?? 0);
    this.deadline = Math.min(now + this.#timeoutMs, this.#latest);
  }

  /** Without an `AbortSignal` having to be made. */
  get cancellation(): this {
    return this;
  }

  run(params: Params): Promise<Result> {
    const { signal } = this.#options;
    if (signal?.aborted === true) return Promise.reject(asError(signal.reason));
    this.#isOpen = true;
    this.#host.legs.add(this);
    if (signal !== undefined) this.#ignore = onAbort(signal, () => this.cancel(signal.reason));
    const { connection } = this.#host;
    const ending = invoke(connection.handle, { method: this.#method, params }, this).then(
      (result) => {
        this.#end();
        return result;
      },
      (error: unknown) => {
        this.#end();
        throw asError(error);
      },
    );
    // What always ends with its signal needs nobody who ends it in its place.
    if (connection.endsWithSignal === true) return ending;
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      ending.then(resolve, reject);
    });
  }

  /** Ends it now, whatever the handler does. */
  cancel(reason: unknown): void {
    if (!this.#isOpen) return;
    this.#end();
    this.#reject?.(reason);
    this.abort(reason);
  }

  /** Time that was not the server's. */
  prolong(ms: number): void {
    this.deadline += ms;
    this.#latest += ms;
  }

  /** Ends it for want of an answer. */
  timeOut(): void {
    const why =
      this.deadline === this.#latest
        ? `no answer in ${this.#options.maxTotalMs ?? this.#host.bounds.maxTotalMs} ms, whatever progress there was`
        : `no answer and no progress within ${this.#timeoutMs} ms`;
    const odd = this.#host.connection.hint?.();
    this.cancel(new TimeoutError(`${this.#method}: ${why}${odd === undefined ? '' : `; ${odd}`}`));
  }

  notify({ method, params }: Notification): Promise<void> {
    if (!this.#isOpen) return DONE;
    if (method === 'notifications/progress') this.#progress(params);
    else if (method === 'notifications/message') this.#log(params);
    else this.#options.onOther?.({ method, params });
    return DONE;
  }

  #progress(params: JsonObject): void {
    const { progress, total, message } = params;
    if (typeof progress !== 'number') return;
    // The timer that is set finds the new deadline when it fires.
    this.deadline = Math.min(Date.now() + this.#timeoutMs, this.#latest);
    const { onProgress } = this.#options;
    if (onProgress === undefined) return;
    this.#host.tellProgress(onProgress, {
      progress,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    });
  }

  #log(params: JsonObject): void {
    const { level, logger, data } = params;
    if (!isLoggingLevel(level)) return;
    this.#host.tellLog({ level, ...(typeof logger === 'string' ? { logger } : {}), data });
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#ignore?.();
    this.#host.legs.delete(this);
  }
}

const DONE = Promise.resolve();
