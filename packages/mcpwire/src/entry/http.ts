/** `mcpwire/http`: Streamable HTTP for web-standard runtimes (Workers, Bun, Deno, Hono, Next). No Node. */
export { toFetchHandler } from '../fetch/to-fetch-handler.ts';
export type { FetchHandler } from '../fetch/to-fetch-handler.ts';
export type { DualHttpOptions } from '../legacy/http/dual-endpoint.ts';
export type { LegacyHttpOptions } from '../legacy/http/options.ts';
export type { HttpOptions } from '../transport/http/options.ts';
export type { Report, Reporter } from '../transport/report.ts';
