import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Narrator } from './narrator.ts';

/** A transport that lets a narrator hear what passes. */
export class TappedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #inner: Transport;
  readonly #narrator: Narrator;

  constructor(inner: Transport, narrator: Narrator) {
    this.#inner = inner;
    this.#narrator = narrator;
  }

  async start(): Promise<void> {
    Object.assign(this.#inner, {
      onclose: () => this.onclose?.(),
      onerror: (error: Error) => this.onerror?.(error),
      onmessage: (message: JSONRPCMessage) => {
        this.#narrator.received(message);
        this.onmessage?.(message);
      },
    });
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#narrator.sent(message);
    await this.#inner.send(message);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
