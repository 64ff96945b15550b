import { aborted } from '../async/aborted.ts';
import type { Exchange, Handler, McpRequest } from '../protocol/handler.ts';
import type { Result } from '../protocol/results.ts';
import { safeReporter } from '../transport/report.ts';
import type { Reporter } from '../transport/report.ts';
import { ConnectionClosedError } from '../transport/client/errors.ts';
import type { Connection, ServerFacts } from './connection.ts';
import type { Established } from './era/established.ts';

export interface LifelineOptions {
  /** Most times that a server is started or connected to again within `restartWindowMs`. Default 5; then calls fail. */
  readonly maxRestarts?: number;
  /** Milliseconds that restarts are counted over. Default 60,000. */
  readonly restartWindowMs?: number;
}

/**
 * A connection that outlives its server's process: when that is gone, the next request starts another (STDIO-14).
 * Requests that were open are lost, and say so: whether they ran is not known here, so none is sent again.
 */
export class Lifeline implements Connection {
  readonly transport: string;
  readonly endsWithSignal = true;
  readonly #establish: (signal: AbortSignal) => Promise<Established>;
  /** Ends a start that is under way when this side closes. */
  readonly #closing = new AbortController();
  readonly #report: Reporter;
  readonly #maxRestarts: number;
  readonly #windowMs: number;
  #current: Established | undefined;
  #facts: ServerFacts;
  #opening: Promise<Established> | undefined;
  #restarts: number[] = [];
  #lastEnd: Error | undefined;
  #generation = 0;
  #isClosed = false;

  constructor(
    first: Established,
    establish: (signal: AbortSignal) => Promise<Established>,
    report: Reporter,
    options: LifelineOptions = {},
  ) {
    this.transport = first.transport;
    this.#facts = first.facts;
    this.#establish = establish;
    this.#report = safeReporter(report);
    this.#maxRestarts = options.maxRestarts ?? 5;
    this.#windowMs = options.restartWindowMs ?? 60_000;
    this.#use(first);
  }

  get generation(): number {
    return this.#generation;
  }

  get facts(): ServerFacts {
    return this.#facts;
  }

  readonly handle: Handler = (request, exchange) => {
    const current = this.#current;
    return current === undefined ? this.#handleAnew(request, exchange) : current.handle(request, exchange);
  };

  /** What the connection saw that may explain why an answer is missing. */
  hint(): string | undefined {
    return this.#current?.hint();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing.abort(new ConnectionClosedError('the connection was closed by this side'));
    // One that is being opened is closed as soon as it is there.
    const current = this.#current ?? (await this.#opening?.catch(() => undefined));
    this.#current = undefined;
    await current?.close();
  }

  async #handleAnew(request: McpRequest, exchange: Exchange): Promise<Result> {
    const { signal } = exchange;
    const current = await Promise.race([(this.#opening ??= this.#reopenOnce()), aborted(signal)]);
    return current.handle(request, exchange);
  }

  #reopenOnce(): Promise<Established> {
    return this.#reopen().finally(() => {
      this.#opening = undefined;
    });
  }

  async #reopen(): Promise<Established> {
    if (this.#isClosed) throw new ConnectionClosedError('the connection was closed by this side');
    this.#countRestart();
    const next = await this.#establish(this.#closing.signal);
    if (this.#isClosed) {
      await next.close();
      throw new ConnectionClosedError('the connection was closed by this side');
    }
    this.#use(next);
    return next;
  }

  #countRestart(): void {
    const now = Date.now();
    this.#restarts = this.#restarts.filter((at) => now - at < this.#windowMs);
    if (this.#restarts.length >= this.#maxRestarts) {
      throw new ConnectionClosedError(
        `the server ended ${this.#restarts.length + 1} times within ${this.#windowMs} ms and is not started again for now. ${this.#lastEnd?.message ?? ''}`,
        { cause: this.#lastEnd },
      );
    }
    this.#restarts.push(now);
  }

  #use(established: Established): void {
    this.#current = established;
    this.#facts = established.facts;
    void established.closed.then((error) => {
      if (this.#current !== established) return;
      this.#current = undefined;
      this.#generation++;
      this.#lastEnd = error;
      if (!this.#isClosed) this.#report({ kind: 'connection-lost', message: error.message });
    });
  }
}
