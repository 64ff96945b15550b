/** What somebody threw or aborted with, as an error: whoever awaits it needs a stack and a message. */
export function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason), { cause: reason });
}
