import type { Result } from '../protocol/results.ts';
import { ProtocolViolationError } from '../transport/client/errors.ts';

/** The result, if it holds the list without which it is none. */
export function holding(result: Result, member: string): Result {
  if (Array.isArray(result[member])) return result;
  throw new ProtocolViolationError(
    `the server sent a result without ${member}`,
    'BASE-02',
    JSON.stringify(result),
  );
}
