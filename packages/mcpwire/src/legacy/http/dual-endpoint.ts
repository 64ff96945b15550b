import type { Handler } from '../../protocol/handler.ts';
import { assertBounds } from '../../protocol/bounds.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { assertSecrets } from '../../seal/secrets.ts';
import { HttpEndpoint } from '../../transport/http/http-endpoint.ts';
import type { HttpOptions } from '../../transport/http/options.ts';
import type { LegacyHttpOptions } from './options.ts';

/** Options of an endpoint that serves both eras. */
export interface DualHttpOptions extends HttpOptions {
  /** How the legacy era is served; `false` leaves it out: its clients are told the versions that are served. */
  readonly legacy?: LegacyHttpOptions | false;
}

/** One endpoint for both eras: each request is served in the era that it belongs to. */
export function dualEndpoint(handle: Handler, options: DualHttpOptions, isDetached = false): HttpEndpoint {
  const { legacy } = options;
  if (legacy === false) return new HttpEndpoint(handle, options, isDetached);
  if (legacy !== undefined) assertLegacyOptions(legacy);
  return new HttpEndpoint(handle, options, isDetached, async (settings, streams) => {
    const { LegacyHttp } = await import('./legacy-http.ts');
    return new LegacyHttp(handle, settings, streams, legacy ?? {});
  });
}

/** At once, although the era is loaded later: what it can't run with must not wait for its first client. */
function assertLegacyOptions(options: LegacyHttpOptions): void {
  const { mode, secrets } = options;
  if (mode !== undefined && mode !== 'sessions' && mode !== 'stateless') {
    throw new UsageError(`legacy.mode must be "sessions" or "stateless", got ${String(mode)}`);
  }
  if (secrets !== undefined) assertSecrets(secrets);
  assertBounds(options, 'legacy.');
}
