/** Headers of every answer with a body: browsers don't guess its type, nobody stores it. A flat list. */
export const USUAL_HEADERS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'Cache-Control',
  'no-store',
];

/** Headers of an event stream; the last keeps reverse proxies from holding events back (HTTP-20). */
export const STREAM_HEADERS: readonly string[] = [
  'Content-Type',
  'text/event-stream',
  ...USUAL_HEADERS,
  'X-Accel-Buffering',
  'no',
];

export const EMPTY_HEADERS: readonly string[] = [];
