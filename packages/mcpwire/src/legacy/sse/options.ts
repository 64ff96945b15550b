import type { SessionBounds } from '../front/reply.ts';

/** The deprecated HTTP+SSE transport of 2024-11-05. Every bound has a default and can be changed. */
export interface SseOptions extends Partial<SessionBounds> {
  /** Where clients open their event stream. Default `/sse`. */
  readonly path?: string;
  /** Where clients post their messages. Default `/messages`. */
  readonly messagesPath?: string;
  /** Event streams at once, each of them a session. Default 1,000; more is answered 503. */
  readonly maxStreams?: number;
}

export const DEFAULT_SSE_PATHS = { path: '/sse', messagesPath: '/messages' };
export const DEFAULT_SSE_STREAMS = 1000;
