import type { Handler } from '../../protocol/handler.ts';
import type { LineConnection, LineOptions, LineWire } from '../../transport/stdio/line-connection.ts';
import { serveLines } from '../../transport/stdio/line-connection.ts';
import { reportToConsole } from '../../transport/report.ts';
import { DEFAULT_SESSION_BOUNDS } from '../front/reply.ts';
import type { SessionBounds } from '../front/reply.ts';
import { assertBounds, withDefaults } from '../../protocol/bounds.ts';

/** Options of a line connection that serves both eras. */
export interface DualLineOptions extends LineOptions {
  /** Bounds of the legacy era; `false` leaves it out: its clients are told the versions that are served. */
  readonly legacy?: Partial<SessionBounds> | false;
}

/** Serves both eras on one line connection: each request in the era that it belongs to. */
export function serveDualLines(handle: Handler, wire: LineWire, options: DualLineOptions): LineConnection {
  const { legacy } = options;
  if (legacy === false) return serveLines(handle, wire, options);
  assertBounds(legacy ?? {}, 'legacy.');
  return serveLines(handle, wire, options, async (slots) => {
    const { LegacyLines } = await import('./legacy-lines.ts');
    return new LegacyLines({
      handle,
      sink: wire.sink,
      caller: { transport: wire.transport },
      slots,
      report: options.report ?? reportToConsole,
      bounds: withDefaults(DEFAULT_SESSION_BOUNDS, legacy ?? {}),
    });
  });
}
