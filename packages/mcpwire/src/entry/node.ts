/** `mcpwire/node`: serve on Node, over stdio and HTTP. */
export { serveStdio } from '../node/serve-stdio.ts';
export type { StdioOptions, StdioServer } from '../node/serve-stdio.ts';
export { serveHttp } from '../node/serve-http.ts';
export type { RunningHttpServer, ServeHttpOptions } from '../node/serve-http.ts';
export { toNodeHandler } from '../node/to-node-handler.ts';
export type { NodeHandler } from '../node/to-node-handler.ts';
export type { NodeRequest } from '../node/serve-request.ts';
export type { DualHttpOptions } from '../legacy/http/dual-endpoint.ts';
export type { SseOptions } from '../legacy/sse/options.ts';
export type { LegacyHttpOptions } from '../legacy/http/options.ts';
export type { HttpOptions } from '../transport/http/options.ts';
export type { DualLineOptions } from '../legacy/lines/dual-lines.ts';
export type { LineOptions } from '../transport/stdio/line-connection.ts';
export type { Report, Reporter } from '../transport/report.ts';
