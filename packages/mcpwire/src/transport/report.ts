import type { ErrorObject } from '../protocol/protocol-error.ts';
import { internalError, isProtocolError } from '../protocol/protocol-error.ts';

/** Something that an operator should know and that no answer on the wire can say. */
export interface Report {
  /** Stable name of what happened, such as `handler-failed` or `line-too-long`. */
  readonly kind: string;
  readonly message: string;
  readonly method?: string;
  readonly error?: unknown;
}

export type Reporter = (report: Report) => void;

/** Writes one line to the console's error stream. The default everywhere. */
export const reportToConsole: Reporter = (report) => {
  const method = report.method === undefined ? '' : ` ${report.method}:`;
  const detail = report.error instanceof Error ? `\n${report.error.stack ?? report.error.message}` : '';
  console.error(`mcpwire ${report.kind}:${method} ${report.message}${detail}`);
};

/**
 * What goes to the peer for a rejected handler: protocol errors as they are, anything else without its details. It can
 * always be written: data that no JSON text can hold is the handler's fault, and the harm of its own call only.
 */
export function toErrorObject(error: unknown, method: string, report: Reporter): ErrorObject {
  if (isProtocolError(error) && isWritable(error.data)) return error.toWire();
  report({ kind: 'handler-failed', message: 'answered -32603', method, error });
  return internalError().toWire();
}

function isWritable(data: unknown): boolean {
  if (data === undefined) return true;
  try {
    JSON.stringify(data);
    return true;
  } catch {
    return false;
  }
}
