/** Bounds of a connection to a legacy server. Every one has a default and can be changed. */
export interface BackBounds {
  /** Requests that may ask and have no result yet, those that wait for an answer to a question included. Default 1,024. */
  readonly maxOpenCalls: number;
  /** Calls that wait for the retry that brings the answers to their questions. Default 256. */
  readonly maxParkedCalls: number;
  /** Milliseconds that a call waits for that retry. Default 600,000: people answer. */
  readonly parkedMs: number;
  /** Rounds of questions within one call. Default 50. */
  readonly maxRounds: number;
  /** Questions that one call carries at once, and URLs that the server wants opened for one. Default 64. */
  readonly maxQuestions: number;
  /** Questions of the server that wait for their answer at once. Default 1,024. */
  readonly maxOpenQuestions: number;
  /** Milliseconds for which a round is kept open for further questions. Default 5. */
  readonly collectMs: number;
  /** Times that a call is sent again because the server wants a URL opened first. Default 10. */
  readonly maxUrlRetries: number;
  /** Milliseconds to wait for the server's word that a URL is done with, when it asks for the same one again. Default 20,000. */
  readonly urlCompletionMs: number;
  /** Subscriptions that are open at once. Default 64. */
  readonly maxListens: number;
  /** Resources that one subscription watches. Default 1,024. */
  readonly maxWatchedResources: number;
  /** Milliseconds after which a resource that nobody watches is unsubscribed from. Default 1,000. */
  readonly lingerMs: number;
  /** Notifications of one request that its caller has not taken yet; further ones are dropped. Default 1,024. */
  readonly maxPendingNotifications: number;
  /** Names of tools that are remembered to be safe to repeat. Default 4,096. */
  readonly maxRepeatableTools: number;
  /** Milliseconds for the answer to `initialize`. Default 60,000. */
  readonly handshakeMs: number;
  /** Milliseconds for the answer to a request of this side's own, such as `logging/setLevel`. Default 10,000. */
  readonly ownRequestMs: number;
}

export const DEFAULT_BACK_BOUNDS: BackBounds = {
  maxOpenCalls: 1024,
  maxParkedCalls: 256,
  parkedMs: 600_000,
  maxRounds: 50,
  maxQuestions: 64,
  maxOpenQuestions: 1024,
  collectMs: 5,
  maxUrlRetries: 10,
  urlCompletionMs: 20_000,
  maxListens: 64,
  maxWatchedResources: 1024,
  lingerMs: 1000,
  maxPendingNotifications: 1024,
  maxRepeatableTools: 4096,
  handshakeMs: 60_000,
  ownRequestMs: 10_000,
};
