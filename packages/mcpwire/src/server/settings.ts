import type { Settings as CapabilitySettings } from '../protocol/capabilities.ts';
import type { CacheScope } from '../protocol/common-types.ts';
import type { SchemaBounds } from '../json-schema/schema-bounds.ts';
import type { ChangeBus } from '../scale/change-bus.ts';
import type { InputMachinery } from './input/call-input.ts';
import type { InputOptions } from './input/scope.ts';

/** How long, and by whom, a result may be kept (server/utilities/caching). */
export interface CacheHint {
  /** Milliseconds, an integer ≥ 0. */
  readonly ttlMs: number;
  /** `public` only where the result is the same for everyone. */
  readonly scope?: CacheScope;
}

/** Something that an operator should know: see `ServerOptions.report`. */
export interface ServerReport {
  readonly kind: string;
  readonly message: string;
  readonly error?: unknown;
  /** Stands in the answer as well, so that the two can be brought together. */
  readonly reference?: string;
}

export interface ServerOptions {
  /** Guidance for the model on how to use this server; part of `server/discover`. */
  readonly instructions?: string;
  /** Extensions served here, by identifier, with their settings (basic/versioning, "Extension Negotiation"). */
  readonly extensions?: { readonly [identifier: string]: CapabilitySettings };
  readonly experimental?: { readonly [name: string]: CapabilitySettings };
  /** Caching hint of the lists and of `server/discover`. Default `{ ttlMs: 0, scope: 'private' }`. */
  readonly cache?: CacheHint;
  /** Entries of one page of a list, an integer ≥ 1. Default 100. */
  readonly pageSize?: number;
  /** Milliseconds a handler may run without an answer and without progress. Default 120,000; 0 turns it off; at most 2,147,483,647. */
  readonly timeoutMs?: number;
  /** Most resources that one subscription watches. Default 1,024; more is -32602. */
  readonly maxWatchedResources?: number;
  /** How large the schemas of a definition may be; larger ones are refused where they are defined. */
  readonly schemaBounds?: SchemaBounds;
  /** Whether results carry this server's name and version. Default true. */
  readonly serverInfo?: boolean;
  /** Carries change events to open subscriptions. Default: within this process. */
  readonly bus?: ChangeBus;
  /** How handlers ask the client for input: secrets and bounds of `requestState`. */
  readonly input?: InputOptions;
  /** Hears of failures whose details stay here. Default: one line on the console's error stream. */
  readonly report?: (report: ServerReport) => void;
}

export interface ServerSettings {
  readonly cache: Required<CacheHint>;
  readonly pageSize: number;
  readonly timeoutMs: number;
  readonly report: (report: ServerReport) => void;
  readonly input: InputMachinery;
  readonly maxWatchedResources: number;
  readonly schemaBounds: SchemaBounds;
}

/** Completes a hint; a time that is no integer ≥ 0, or an unknown scope, is a bug of the caller. */
export function cacheHint(hint: CacheHint | undefined, fallback: Required<CacheHint>): Required<CacheHint> {
  if (hint === undefined) return fallback;
  if (!Number.isSafeInteger(hint.ttlMs) || hint.ttlMs < 0) {
    throw new RangeError(`ttlMs must be an integer of milliseconds ≥ 0, got ${String(hint.ttlMs)}`);
  }
  const scope = hint.scope ?? 'private';
  if (scope !== 'public' && scope !== 'private') {
    throw new RangeError(`scope must be "public" or "private", got ${JSON.stringify(scope)}`);
  }
  return { ttlMs: hint.ttlMs, scope };
}

/** The hint for something that not everyone may see: never public, a shared cache would show it to all (CACHE-27). */
export function privateHint(hint: Required<CacheHint>): Required<CacheHint> {
  return { ttlMs: hint.ttlMs, scope: 'private' };
}

/** Milliseconds and scope when nobody said anything: stale at once, for this caller only. */
export const NO_CACHE: Required<CacheHint> = { ttlMs: 0, scope: 'private' };

export function reportToConsole(report: ServerReport): void {
  const detail = report.error instanceof Error ? `\n${report.error.stack ?? report.error.message}` : '';
  const reference = report.reference === undefined ? '' : ` (reference ${report.reference})`;
  console.error(`mcpwire ${report.kind}: ${report.message}${reference}${detail}`);
}

/** A report function that can't break anything: where the author's throws, the console hears of both. */
export function safely(report: (report: ServerReport) => void): (report: ServerReport) => void {
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
