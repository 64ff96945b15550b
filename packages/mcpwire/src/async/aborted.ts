import { asError } from './as-error.ts';
import { onAbort } from './on-abort.ts';

/** Rejects with the reason once the signal aborts, at once where it has: the other side of a race. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const leave = (): void => reject(asError(signal.reason));
    if (signal.aborted) leave();
    else onAbort(signal, leave);
  });
}
