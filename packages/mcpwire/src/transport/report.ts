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

/** A reporter that can't break anything: where the author's throws, the console hears of both. */
export function safeReporter(report: Reporter): Reporter {
  if (report === reportToConsole) return report;
  return (about) => {
    try {
      report(about);
    } catch (error) {
      reportToConsole(about);
      reportToConsole({ kind: 'report-failed', message: 'the report function threw', error });
    }
  };
}

/**
 * What goes to the peer for a rejected handler: protocol errors as they are, anything else without its details. Can
 * always be written: data that is no JSON is a failure of the handler.
 */
export function toErrorObject(error: unknown, method: string, report: Reporter): ErrorObject {
  if (isProtocolError(error)) {
    const wire = error.toWire();
    if (isWritable(wire.data)) return wire;
  }
  report({ kind: 'handler-failed', message: 'answered -32603', method, error });
  return internalError().toWire();
}

function isWritable(data: unknown): boolean {
  try {
    JSON.stringify(data);
    return true;
  } catch {
    return false;
  }
}
