import type { HttpHead } from './head.ts';
import type { HttpSettings } from './options.ts';

const ALLOWED_HEADERS =
  'Content-Type, Accept, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID';

/**
 * CORS headers for a request that passed the origin check, as a flat list; empty where CORS is off or the request
 * has no origin. The origin is echoed one by one, never `*`, and credentials are not allowed.
 */
export function corsHeaders(head: HttpHead, settings: HttpSettings): readonly string[] {
  if (!settings.cors) return NONE;
  const origin = head.header('origin');
  if (origin === undefined) return NONE;
  return [
    'Access-Control-Allow-Origin',
    origin,
    'Vary',
    'Origin',
    'Access-Control-Expose-Headers',
    'MCP-Protocol-Version, Mcp-Session-Id, WWW-Authenticate',
  ];
}

const NONE: readonly string[] = [];

/** Answers a preflight: which method and headers a page may send. `Mcp-Param-*` headers are named by the asker. */
export function preflightHeaders(head: HttpHead, settings: HttpSettings): readonly string[] {
  const asked = head.header('access-control-request-headers') ?? '';
  const params = asked
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]+$/i.test(name));
  return [
    ...corsHeaders(head, settings),
    'Access-Control-Allow-Methods',
    'POST',
    'Access-Control-Allow-Headers',
    [ALLOWED_HEADERS, ...params].join(', '),
    'Access-Control-Max-Age',
    '600',
  ];
}
