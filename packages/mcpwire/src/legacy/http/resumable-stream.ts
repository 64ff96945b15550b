import type { Disconnectable } from '../../transport/http/legacy-front.ts';
import { EMPTY_HEADERS } from '../../transport/http/response-headers.ts';
import type { HttpReply } from '../../transport/http/reply.ts';
import type { OpenStreams } from '../../transport/http/open-streams.ts';

/** Bounds of what is kept for a client that comes back. */
export interface StreamBounds {
  /** Events kept for each stream. Default 256; the oldest go first. */
  readonly maxEvents: number;
  /** Characters kept for each stream. Default 1 Mi. */
  readonly maxChars: number;
  /** Milliseconds that a client is asked to wait before it reconnects. Default 1,000. */
  readonly retryMs: number;
}

export const DEFAULT_STREAM_BOUNDS: StreamBounds = { maxEvents: 256, maxChars: 1024 * 1024, retryMs: 1000 };

interface StoredEvent {
  readonly seq: number;
  readonly text: string;
}

/**
 * An event stream that outlives its connection (2025-11-25 transports, "Resumability and Redelivery"): events have ids
 * that name the stream and the place in it, the last of them are kept, and a client that lost its connection gets what
 * it missed. One connection carries it at a time.
 */
export class ResumableStream {
  readonly id: string;
  /** Hears that the client is gone while the stream goes on. */
  onLost: () => void = () => {};
  /** Hears that the stream is complete, and whether it ended with a last word. */
  onComplete: (answered: boolean) => void = () => {};
  readonly #bounds: StreamBounds;
  readonly #streams: OpenStreams;
  readonly #headers: readonly string[];
  readonly #events: StoredEvent[] = [];
  #chars = 0;
  #seq = 0;
  #connection: HttpReply | undefined;
  #isComplete = false;

  constructor(
    id: string,
    bounds: StreamBounds,
    streams: OpenStreams,
    headers: readonly string[] = EMPTY_HEADERS,
  ) {
    this.id = id;
    this.#bounds = bounds;
    this.#streams = streams;
    this.#headers = headers;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  /** Characters that are kept. */
  get chars(): number {
    return this.#chars;
  }

  /**
   * Carries the stream on a connection from the event after `seq` on; what comes back is to be told when that connection
   * is gone. `primed`: tells at once where to resume.
   */
  connect(connection: HttpReply, seq: number, primed: boolean): Disconnectable {
    this.disconnect();
    connection.openStream(this.#headers);
    if (primed) void connection.write(`id: ${this.id}-${seq}\nretry: ${this.#bounds.retryMs}\ndata: \n\n`);
    const missed = this.#events.filter((event) => event.seq > seq).map((event) => this.#format(event));
    if (this.#isComplete) {
      connection.endStream(missed.join(''));
      return NOTHING;
    }
    if (missed.length > 0) void connection.write(missed.join(''));
    this.#connection = connection;
    this.#streams.add(this);
    return {
      disconnected: () => {
        // The end of an old connection may be noticed when a new one carries the stream already.
        if (this.#connection !== connection) return;
        this.#release();
        this.onLost();
      },
    };
  }

  /** Lets the connection go: the stream goes on without one. */
  disconnect(): void {
    const connection = this.#connection;
    this.#release();
    connection?.endStream('');
  }

  async push(text: string): Promise<void> {
    const event = this.#store(text);
    await this.#connection?.write(this.#format(event));
  }

  /** Ends the stream, after `text` where there is a last word. */
  complete(text: string | undefined): void {
    if (this.#isComplete) return;
    const last = text === undefined ? '' : this.#format(this.#store(text));
    this.#isComplete = true;
    const connection = this.#connection;
    this.#release();
    connection?.endStream(last);
    this.onComplete(text !== undefined);
  }

  keepAlive(): void {
    void this.#connection?.write(':\n\n');
  }

  #release(): void {
    this.#connection = undefined;
    this.#streams.delete(this);
  }

  #store(text: string): StoredEvent {
    const event = { seq: ++this.#seq, text };
    this.#events.push(event);
    this.#chars += text.length;
    while (
      this.#events.length > 1 &&
      (this.#events.length > this.#bounds.maxEvents || this.#chars > this.#bounds.maxChars)
    ) {
      this.#chars -= this.#events.shift()?.text.length ?? 0;
    }
    return event;
  }

  #format(event: StoredEvent): string {
    return `id: ${this.id}-${event.seq}\ndata: ${event.text}\n\n`;
  }
}

const NOTHING: Disconnectable = { disconnected: () => {} };

/** The stream and the place in it that a `Last-Event-ID` names. */
export function parseEventId(id: string): { readonly stream: string; readonly seq: number } | undefined {
  const found = /^([a-z0-9]+)-(\d{1,15})$/.exec(id);
  return found === null ? undefined : { stream: found[1] ?? '', seq: Number(found[2]) };
}
