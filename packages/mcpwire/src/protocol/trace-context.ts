import { MetaKey } from './meta-keys.ts';
import type { JsonObject } from './json.ts';

/** W3C trace context carried in `_meta` (basic/index, "OpenTelemetry trace context"). */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/;
const MEMBER = String.raw`[a-z0-9][a-z0-9_\-*/]{0,240}(?:@[a-z0-9_\-*/]{1,14})?=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,256}`;
const TRACESTATE = new RegExp(`^[ \\t]*(?:${MEMBER})?(?:[ \\t]*,[ \\t]*(?:${MEMBER})?)*[ \\t]*$`);
const PAIR = String.raw`[!#$%&'*+\-.^_\x60|~0-9A-Za-z]+[ \t]*=[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e ]*(?:;[^,]*)?`;
const BAGGAGE = new RegExp(`^[ \\t]*${PAIR}(?:[ \\t]*,[ \\t]*${PAIR})*[ \\t]*$`);
const MAX_TRACESTATE = 512 * 4;
const MAX_BAGGAGE = 8192;

/**
 * Reads the trace context of a request. Values that don't follow the W3C formats are ignored, as those
 * recommendations demand of a receiver (BASE-63): a bad header must not break the call it decorates.
 */
export function readTraceContext(meta: JsonObject): TraceContext | undefined {
  const traceparent = meta[MetaKey.traceparent];
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return undefined;
  // Version 00 is exactly 55 characters; later versions may append fields after a dash.
  if (traceparent.length > 55 && (traceparent.startsWith('00') || traceparent[55] !== '-')) return undefined;
  const tracestate = meta[MetaKey.tracestate];
  const baggage = meta[MetaKey.baggage];
  return {
    traceparent,
    ...(isWithin(tracestate, MAX_TRACESTATE) && TRACESTATE.test(tracestate) ? { tracestate } : {}),
    ...(isWithin(baggage, MAX_BAGGAGE) && BAGGAGE.test(baggage) ? { baggage } : {}),
  };
}

function isWithin(value: unknown, limit: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= limit;
}
