import type { OpenStreams } from '../../transport/http/open-streams.ts';
import type { KeptStreams, Streams } from './kept-streams.ts';
import type { PostStreams } from './post-reply.ts';
import { ResumableStream } from './resumable-stream.ts';
import type { StreamBounds } from './resumable-stream.ts';

/** What streams are made with. */
export interface StreamParts {
  readonly bounds: StreamBounds;
  readonly open: OpenStreams;
  readonly kept: KeptStreams;
}

/** The streams of one session, that its client may come back to. */
export class SessionStreams implements PostStreams {
  readonly #parts: StreamParts;
  readonly #byId: Streams = new Map();
  /** Event ids are unique in a session, also where its memory begins anew or another instance serves it too. */
  readonly #tag = crypto.getRandomValues(new Uint32Array(2)).join('x');
  #next = 1;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  find(id: string): ResumableStream | undefined {
    return this.#byId.get(id);
  }

  /** A stream for the answer to a POST, kept after its end. */
  open(headers: readonly string[]): ResumableStream {
    const stream = this.#make('p', headers);
    this.#parts.kept.add(this.#byId, stream);
    return stream;
  }

  /** A notification stream, there until it is forgotten. */
  openFeed(headers: readonly string[]): ResumableStream {
    const stream = this.#make('g', headers);
    this.#byId.set(stream.id, stream);
    return stream;
  }

  forget(stream: ResumableStream): void {
    this.#byId.delete(stream.id);
  }

  finished(): void {}

  /** Ends all of them and forgets them. */
  clear(): void {
    this.#parts.kept.clear(this.#byId);
  }

  #make(kind: string, headers: readonly string[]): ResumableStream {
    const id = `${kind}${this.#next++}x${this.#tag}`;
    return new ResumableStream(id, this.#parts.bounds, this.#parts.open, headers);
  }
}

/** The stream of a request that stands alone: nobody can come back to it. */
export class LoneStreams implements PostStreams {
  readonly #parts: StreamParts;
  readonly #onFinish: () => void;

  constructor(parts: StreamParts, onFinish: () => void) {
    this.#parts = parts;
    this.#onFinish = onFinish;
  }

  open(headers: readonly string[]): ResumableStream {
    return new ResumableStream('p', this.#parts.bounds, this.#parts.open, headers);
  }

  finished(): void {
    this.#onFinish();
  }
}
