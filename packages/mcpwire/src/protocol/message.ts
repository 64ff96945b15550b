import type { ErrorObject } from './protocol-error.ts';
import type { JsonObject } from './json.ts';
import type { RequestId } from './request-id.ts';

/** A request as it stands on the wire. */
export interface RequestMessage {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  /** `{}` when the message has none. */
  readonly params: JsonObject;
}

/** A notification as it stands on the wire. */
export interface NotificationMessage {
  readonly kind: 'notification';
  readonly method: string;
  /** `{}` when the message has none. */
  readonly params: JsonObject;
}

/** A success response as it stands on the wire. */
export interface ResultMessage {
  readonly kind: 'result';
  readonly id: RequestId;
  readonly result: JsonObject;
}

/** An error response; without an id where the sender could not read one (BASE-12). */
export interface ErrorMessage {
  readonly kind: 'error';
  readonly id: RequestId | undefined;
  readonly error: ErrorObject;
}

/** One classified JSON-RPC message. */
export type Message = RequestMessage | NotificationMessage | ResultMessage | ErrorMessage;
