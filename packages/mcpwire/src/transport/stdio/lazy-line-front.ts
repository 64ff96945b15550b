import type { Slots } from '../../async/slots.ts';
import { encodeResult } from '../../protocol/encode-message.ts';
import type {
  ErrorMessage,
  NotificationMessage,
  RequestMessage,
  ResultMessage,
} from '../../protocol/message.ts';
import type { InvalidMessage } from '../../protocol/parse-message.ts';

/** What serves the legacy era on the same connection. Each method says whether the message was its own. */
export interface LegacyLineFront {
  /** A request that does not carry the modern envelope. */
  request(message: RequestMessage): boolean;
  notification(message: NotificationMessage): boolean;
  /** A response, or what stands where one was due. */
  response(message: ResultMessage | ErrorMessage | InvalidMessage): boolean;
  batch(values: readonly unknown[]): boolean;
  /** Resolves when every request has its answer. */
  drain(): Promise<void>;
  /** Cancels everything that still runs. */
  abort(): void;
}

/** Brings the legacy era in, when a handshake asks for it. Its requests run in the same slots as the modern ones. */
export type LoadLegacyLines = (slots: Slots) => Promise<LegacyLineFront>;

/**
 * The legacy era of a line connection, loaded by its first `initialize`. While it loads, messages that may be its own
 * wait in order. `otherwise` is called for a message that turns out not to be.
 */
export class LazyLineFront {
  readonly #load: () => Promise<LegacyLineFront>;
  readonly #answer: (text: string) => void;
  #loading: Promise<void> | undefined;
  #front: LegacyLineFront | undefined;

  constructor(load: () => Promise<LegacyLineFront>, answer: (text: string) => void) {
    this.#load = load;
    this.#answer = answer;
  }

  request(message: RequestMessage, otherwise: () => void): void {
    if (this.#loading === undefined && message.method === 'ping') {
      this.#answer(encodeResult(message.id, {})); // some ask whether anybody is there before they shake hands
      return;
    }
    this.#use((front) => front.request(message), otherwise, message.method === 'initialize');
  }

  notification(message: NotificationMessage, otherwise: () => void): void {
    this.#use((front) => front.notification(message), otherwise);
  }

  response(message: ResultMessage | ErrorMessage | InvalidMessage, otherwise: () => void): void {
    this.#use((front) => front.response(message), otherwise);
  }

  batch(values: readonly unknown[], otherwise: () => void): void {
    this.#use((front) => front.batch(values), otherwise);
  }

  async drain(): Promise<void> {
    await this.#loading;
    await this.#front?.drain();
  }

  abort(): void {
    this.#front?.abort();
  }

  #use(take: (front: LegacyLineFront) => boolean, otherwise: () => void, opens = false): void {
    if (this.#front !== undefined) {
      if (!take(this.#front)) otherwise();
      return;
    }
    if (this.#loading === undefined && !opens) return otherwise();
    this.#loading ??= this.#load().then((front) => {
      this.#front = front;
    });
    this.#loading = this.#loading.then(() => {
      if (this.#front === undefined || !take(this.#front)) otherwise();
    });
  }
}
