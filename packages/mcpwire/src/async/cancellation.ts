import { onAbort } from './on-abort.ts';

interface Cancellation {
  readonly aborted: boolean;
  readonly reason: unknown;
  onAbort(listener: () => void): void;
  ignore(listener: () => void): void;
}

/** What is told of an exchange, or of a signal, in the one form that links know: see `protocol/handler.ts`. */
export function cancellationOf(exchange: {
  readonly signal: AbortSignal;
  readonly cancellation?: Cancellation;
}): Cancellation {
  return exchange.cancellation ?? new SignalCancellation(exchange.signal);
}

class SignalCancellation implements Cancellation {
  readonly #signal: AbortSignal;
  readonly #stops = new Map<() => void, () => void>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get aborted(): boolean {
    return this.#signal.aborted;
  }

  get reason(): unknown {
    return this.#signal.reason as unknown;
  }

  onAbort(listener: () => void): void {
    this.#stops.set(listener, onAbort(this.#signal, listener));
  }

  ignore(listener: () => void): void {
    this.#stops.get(listener)?.();
    this.#stops.delete(listener);
  }
}
