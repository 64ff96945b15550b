import { withDefaults } from '../../protocol/bounds.ts';
import type { SessionBounds } from '../front/reply.ts';
import { DEFAULT_SESSION_BOUNDS } from '../front/reply.ts';
import type { StreamBounds } from './resumable-stream.ts';
import { DEFAULT_STREAM_BOUNDS } from './resumable-stream.ts';
import type { TableBounds } from './session-table.ts';
import { DEFAULT_TABLE_BOUNDS } from './session-table.ts';

/** How the legacy era is served over HTTP. Every bound has a default and can be changed. */
export interface LegacyHttpOptions
  extends Partial<SessionBounds>, Partial<StreamBounds>, Partial<TableBounds> {
  /**
   * `sessions`: everything the era has. `stateless`: each request stands alone, nothing can be asked of the client, no
   * notification stream. Default `sessions`.
   */
  readonly mode?: 'sessions' | 'stateless';
  /**
   * Secrets that seal session ids, each at least 32 random characters: the first seals, all of them open. With the same
   * secrets a session survives a restart and is served by every instance. Default: a random one for this process.
   */
  readonly secrets?: readonly string[];
  /** Milliseconds after which a session id expires. Default 86,400,000: a day. */
  readonly maxAgeMs?: number;
  /** Milliseconds that changes are kept for a client whose notification stream broke. Default 60,000. */
  readonly resumeMs?: number;
}

export interface LegacyHttpSettings {
  readonly mode: 'sessions' | 'stateless';
  readonly maxAgeMs: number;
  readonly resumeMs: number;
  readonly session: SessionBounds;
  readonly stream: StreamBounds;
  readonly table: TableBounds;
}

export function legacyHttpSettings(options: LegacyHttpOptions): LegacyHttpSettings {
  return {
    mode: options.mode ?? 'sessions',
    maxAgeMs: options.maxAgeMs ?? 86_400_000,
    resumeMs: options.resumeMs ?? 60_000,
    session: withDefaults(DEFAULT_SESSION_BOUNDS, options),
    stream: withDefaults(DEFAULT_STREAM_BOUNDS, options),
    table: withDefaults(DEFAULT_TABLE_BOUNDS, options),
  };
}
