import type { Message, NotificationMessage, RequestMessage } from '../../protocol/message.ts';

/** What serves the legacy era on the same connection. Each method says whether the message was its own. */
export interface LegacyLineFront {
  /** A request that does not carry the modern envelope. */
  request(message: RequestMessage): boolean;
  notification(message: NotificationMessage): boolean;
  response(message: Message & { readonly kind: 'result' | 'error' }): boolean;
  batch(values: readonly unknown[]): boolean;
  /** Resolves when every request has its answer. */
  drain(): Promise<void>;
  /** Cancels everything that still runs. */
  abort(): void;
}
