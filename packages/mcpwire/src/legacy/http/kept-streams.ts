import type { ResumableStream } from './resumable-stream.ts';

/** Bounds of the streams that are kept after their last event. */
export interface KeptBounds {
  /** Streams kept for each session for clients that come back. Default 32; the oldest complete ones go first. */
  readonly maxStreams: number;
  /** Characters of complete streams kept, all sessions together. Default 64 Mi; the oldest go first. */
  readonly maxKeptChars: number;
}

/** Streams of a session by their id. */
export type Streams = Map<string, ResumableStream>;

/** Keeps streams for clients that lost their connection and come back for the rest. */
export class KeptStreams {
  readonly #bounds: KeptBounds;
  /** The complete ones of all sessions, the oldest first. */
  readonly #complete = new Map<ResumableStream, Streams>();
  #chars = 0;

  constructor(bounds: KeptBounds) {
    this.#bounds = bounds;
  }

  /** Keeps a stream among those of its session. One that ends without an answer has nothing to come back for. */
  add(streams: Streams, stream: ResumableStream): void {
    streams.set(stream.id, stream);
    stream.onComplete = (answered) => {
      if (answered) this.#completed(streams, stream);
      else streams.delete(stream.id);
    };
  }

  /** Ends the streams of a session and forgets them. */
  clear(streams: Streams): void {
    for (const stream of streams.values()) {
      stream.complete(undefined);
      this.#drop(stream);
    }
    streams.clear();
  }

  #completed(streams: Streams, stream: ResumableStream): void {
    if (streams.get(stream.id) !== stream) return; // its session is gone
    this.#complete.set(stream, streams);
    this.#chars += stream.chars;
    for (const kept of streams.values()) {
      if (streams.size <= this.#bounds.maxStreams) break;
      this.#drop(kept);
    }
    for (const oldest of this.#complete.keys()) {
      if (this.#chars <= this.#bounds.maxKeptChars) break;
      this.#drop(oldest);
    }
  }

  #drop(stream: ResumableStream): void {
    const streams = this.#complete.get(stream);
    if (streams === undefined) return;
    this.#complete.delete(stream);
    this.#chars -= stream.chars;
    streams.delete(stream.id);
  }
}
