import type { Exchange, Handler, McpRequest } from '../protocol/handler.ts';
import type { Result } from '../protocol/results.ts';

/** Calls a handler of whatever origin: one that throws instead of rejecting must not take its neighbours down. */
export function invoke(handle: Handler, request: McpRequest, exchange: Exchange): Promise<Result> {
  try {
    return Promise.resolve(handle(request, exchange));
  } catch (error) {
    return Promise.reject(error);
  }
}
