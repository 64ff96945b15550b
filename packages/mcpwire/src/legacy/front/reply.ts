/** The way of one legacy request's messages back to its client. */
export interface LegacyReply {
  /** Sends a message that belongs to the request, before its answer; resolves when the client can take more. */
  send(text: string): Promise<void>;
  /** Sends the answer and ends the way; without one where the request was cancelled. */
  finish(answer: string | undefined): void;
}

/** Bounds of a session. Every one has a default and can be changed. */
export interface SessionBounds {
  /** Rounds of questions within one request. Default 10. */
  readonly maxRounds: number;
  /** Questions of one session that wait for their answer at once. Default 64. */
  readonly maxQuestions: number;
  /** Milliseconds that a question waits for its answer. Default 600,000: people answer. */
  readonly questionTimeoutMs: number;
  /** Resources that one session watches. Default 1,024. */
  readonly maxWatchedResources: number;
}

export const DEFAULT_SESSION_BOUNDS: SessionBounds = {
  maxRounds: 10,
  maxQuestions: 64,
  questionTimeoutMs: 600_000,
  maxWatchedResources: 1024,
};
