/**
 * A timer that does not keep a process alive on its own: once everything else is over, what it waits for is too. Runtimes
 * without such a choice leave the timer as it is.
 */
export function inBackground<T>(timer: T): T {
  (timer as { readonly unref?: () => void }).unref?.();
  return timer;
}
