/** `mcpwire/http`: Streamable HTTP for web-standard runtimes (Workers, Bun, Deno, Hono, Next). No Node. */
export { toFetchHandler } from '../transport/http/to-fetch-handler.ts';
export type { FetchHandler } from '../transport/http/to-fetch-handler.ts';
export type { HttpOptions } from '../transport/http/options.ts';
export type { Report, Reporter } from '../transport/report.ts';
