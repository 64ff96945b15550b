import { isEndOfCall } from '../async/abandoned.ts';

let isListening = false;

/**
 * Keeps the process alive where a handler that was suspended or cancelled leaves promises behind: with immediate answers
 * none of them would ever have rejected, so nobody wrote a `catch`. Every other rejection ends the process as it would
 * without this, or goes to the listeners that the author has.
 */
export function quietEndsOfCalls(): void {
  if (isListening) return;
  isListening = true;
  process.on('unhandledRejection', (reason) => {
    if (isEndOfCall(reason)) return;
    if (process.listenerCount('unhandledRejection') > 1) return;
    // What Node does where nobody listens.
    throw reason instanceof Error ? reason : new Error(`unhandled rejection: ${String(reason)}`);
  });
}
