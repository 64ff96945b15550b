import { ErrorCode } from '../../protocol/error-codes.ts';

/** HTTP statuses of JSON-RPC errors; every other code is 400 (basic/transports/streamable-http). */
const STATUSES: { readonly [code: number]: number } = {
  [ErrorCode.methodNotFound]: 404,
  [ErrorCode.internalError]: 500,
};

export function statusOf(code: number): number {
  return STATUSES[code] ?? 400;
}
