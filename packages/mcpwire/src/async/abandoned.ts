/** Errors that only say that a call is over: see `isEndOfCall`. */
const ENDS = new WeakSet<object>();

/** Marks an error that says that a call is over, not that something went wrong. */
export function saysOver<E extends Error>(error: E): E {
  ENDS.add(error);
  return error;
}

/**
 * Whether a rejection is only the end of a call: what a handler started, and comes to no `await` of any more because it
 * was suspended, cancelled or out of time. Also where an operation with the call's signal wraps the reason.
 */
export function isEndOfCall(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false;
  const parts: readonly unknown[] = reason instanceof AggregateError ? reason.errors : [reason];
  return (
    parts.length > 0 && parts.every((part) => isEnd(part) || (part instanceof Error && isEnd(part.cause)))
  );
}

function isEnd(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ENDS.has(value);
}
