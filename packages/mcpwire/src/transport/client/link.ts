import type { Cancellation } from '../../protocol/handler.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { NotificationMessage, RequestMessage } from '../../protocol/message.ts';
import type { Notification } from '../../protocol/notifications.ts';

/** What a server may send besides responses. */
export type Incoming = NotificationMessage | RequestMessage;

/** One request on its way out. Its id belongs to the link, which makes it: an integer, because some servers read no other. */
export interface LinkRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** When it aborts, the link cancels the request in the way of its transport and rejects with the reason. */
  readonly cancellation: Cancellation;
  /**
   * Hears what surely belongs to this request: over HTTP everything on its own response stream, on a pipe what carries
   * its progress token or its subscription id.
   */
  hear(message: Incoming): void;
}

/** What a link tells whoever made it. */
export interface LinkEvents {
  /** A message of the server that belongs to no request in particular. */
  incoming(message: Incoming): void;
  /** The server let a session go (legacy alone): a new handshake is due, though no request has noticed. */
  sessionLost?(): void;
  /** Messages that belong to no request may have been lost: whatever they tell of may have changed. */
  missed?(): void;
  /** The link is gone for good, though nobody closed it: the error says why. */
  closed(error: Error): void;
}

/**
 * One way to a server, below the eras: requests out, responses back, and whatever else the server says. A wire that
 * knows nothing of handshakes, questions and revisions.
 */
export interface Link {
  /** `stdio`, `http`, `sse`, `in-process`, or the name of a custom transport. */
  readonly transport: string;
  /**
   * Resolves with the `result` member. Rejects with a `PeerError` for an error response, a `HttpError` for an answer of
   * HTTP that holds none, otherwise with a local error: nothing else ends it, and something always does.
   */
  request(request: LinkRequest): Promise<JsonObject>;
  notify(notification: Notification): Promise<void>;
  /** Answers a request of the server: legacy alone. The text is a whole response message. */
  respond(text: string): Promise<void>;
  /** Ends it; requests that wait are rejected with a `ConnectionClosedError`. */
  close(): Promise<void>;
}
