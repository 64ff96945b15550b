import { assertBounds, withDefaults } from '../../protocol/bounds.ts';
import type { TextBounds } from '../../protocol/scan-text.ts';
import { DEFAULT_TEXT_BOUNDS } from '../../protocol/scan-text.ts';
import type { Reporter } from '../report.ts';
import { reportToConsole, safeReporter } from '../report.ts';

/** Options of the Streamable HTTP server. Every bound has a default and can be changed. */
export interface HttpOptions {
  /**
   * Host names (with or without port) under which this endpoint may be called. Default: `localhost`, `127.0.0.1`
   * and `[::1]`. Anything else is answered 403, so that DNS rebinding can't reach a local server.
   */
  readonly allowedHosts?: readonly string[];
  /** Origins, such as `https://app.example`, that a browser may call from. Default: a loopback endpoint's own. */
  readonly allowedOrigins?: readonly string[];
  /** Turns CORS on for `allowedOrigins`. Default off. */
  readonly cors?: boolean;
  /** Most bytes of a request body. Default 4 MiB; more is answered 413. */
  readonly maxBodyBytes?: number;
  /** Most bytes of request bodies held at once, all requests together. Default 64 MiB; more is answered 503. Not on Workers. */
  readonly maxHeldBytes?: number;
  /**
   * Most requests answered at once, without subscriptions. Default 256; more is answered 503. Not counted on Workers,
   * which bound that themselves and don't tell when a request is over.
   */
  readonly maxConcurrent?: number;
  /** Most open subscriptions. Default 1,024; more is answered 503. Not counted on Workers. */
  readonly maxSubscriptions?: number;
  /** Milliseconds of silence after which a comment keeps an event stream alive. Default 15,000. */
  readonly keepAliveMs?: number;
  /** Milliseconds a client may leave an event stream unread before it is cut. Default 10,000. */
  readonly writeTimeoutMs?: number;
  /** Most bytes that wait for a client that does not read its event stream. Default 8 MiB; then it is cut. */
  readonly maxBufferedBytes?: number;
  /** Milliseconds a request body may take to arrive. Default 30,000; then 408. */
  readonly bodyTimeoutMs?: number;
  /** Bounds of one message's text. */
  readonly bounds?: Partial<TextBounds>;
  /** Hears of what no answer can say. Default: one line on the console's error stream. */
  readonly report?: Reporter;
}

/** The options with every default filled in. */
export interface HttpSettings {
  readonly allowedHosts: ReadonlySet<string>;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly cors: boolean;
  readonly maxBodyBytes: number;
  readonly maxHeldBytes: number;
  readonly maxConcurrent: number;
  readonly maxSubscriptions: number;
  readonly keepAliveMs: number;
  readonly writeTimeoutMs: number;
  readonly maxBufferedBytes: number;
  readonly bodyTimeoutMs: number;
  readonly bounds: TextBounds;
  readonly report: Reporter;
}

export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

export function httpSettings(options: HttpOptions): HttpSettings {
  assertBounds(options);
  assertBounds(options.bounds ?? {}, 'bounds.');
  return {
    allowedHosts: new Set((options.allowedHosts ?? LOOPBACK_HOSTS).map((host) => host.toLowerCase())),
    allowedOrigins: new Set((options.allowedOrigins ?? []).map((origin) => origin.toLowerCase())),
    cors: options.cors ?? false,
    maxBodyBytes: options.maxBodyBytes ?? 4 * 1024 * 1024,
    maxHeldBytes: options.maxHeldBytes ?? 64 * 1024 * 1024,
    maxConcurrent: options.maxConcurrent ?? 256,
    maxSubscriptions: options.maxSubscriptions ?? 1024,
    keepAliveMs: options.keepAliveMs ?? 15_000,
    writeTimeoutMs: options.writeTimeoutMs ?? 10_000,
    maxBufferedBytes: options.maxBufferedBytes ?? 8 * 1024 * 1024,
    bodyTimeoutMs: options.bodyTimeoutMs ?? 30_000,
    bounds: withDefaults(DEFAULT_TEXT_BOUNDS, options.bounds ?? {}),
    report: safeReporter(options.report ?? reportToConsole),
  };
}
