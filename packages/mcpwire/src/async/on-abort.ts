import { safely } from './safely.ts';

const LISTENERS = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal aborts; returns the way to stop that. Many may wait for the same signal: it has one
 * listener for all of them, because runtimes warn of a leak where it has more than a few.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  let listeners = LISTENERS.get(signal);
  if (listeners === undefined) {
    const all = new Set<() => void>();
    listeners = all;
    LISTENERS.set(signal, all);
    signal.addEventListener('abort', () => {
      for (const each of all) safely(each);
    });
  }
  const own = listeners;
  const entry = (): void => listener();
  own.add(entry);
  return () => {
    own.delete(entry);
  };
}
