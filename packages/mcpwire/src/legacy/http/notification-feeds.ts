import type { Disconnectable } from '../../transport/http/legacy-front.ts';
import type { OpenStreams } from '../../transport/http/open-streams.ts';
import type { HttpReply } from '../../transport/http/reply.ts';
import type { LegacyHttpSettings } from './options.ts';
import { ResumableStream } from './resumable-stream.ts';
import type { HeldSession } from './session-table.ts';

/**
 * The notification streams that clients open with GET (2025-11-25 transports, "Listening for Messages from the Server").
 * A session has one: a new GET replaces the one before. After a break, changes are kept for a while.
 */
export class NotificationFeeds {
  readonly #settings: LegacyHttpSettings;
  readonly #streams: OpenStreams;
  readonly #max: number;
  readonly #open = new Set<Feed>();

  constructor(settings: LegacyHttpSettings, streams: OpenStreams, max: number) {
    this.#settings = settings;
    this.#streams = streams;
    this.#max = max;
  }

  /** Opens the stream of a session; undefined where too many are open. */
  async open(
    held: HeldSession,
    reply: HttpReply,
    headers: readonly string[],
    resumed: { readonly stream: string; readonly seq: number } | undefined,
  ): Promise<Disconnectable | undefined> {
    if (this.#open.size >= this.#max && held.feed === undefined) return undefined;
    held.feed?.end();
    const stream = new ResumableStream(
      `g${held.nextStream++}`,
      this.#settings.stream,
      this.#streams,
      headers,
    );
    const feed = new Feed(held, stream, this.#settings.resumeMs, () => this.#open.delete(feed));
    this.#open.add(feed);
    held.feed = feed;
    held.streams.set(stream.id, stream);
    stream.connect(reply, 0, held.session.facts.version >= '2025-11-25');
    await feed.start(resumed !== undefined);
    return feed;
  }

  close(): void {
    for (const feed of this.#open) feed.end();
  }
}

/** One notification stream, with or without a connection at the moment. */
class Feed implements Disconnectable {
  readonly #held: HeldSession;
  readonly #stream: ResumableStream;
  readonly #resumeMs: number;
  readonly #onEnd: () => void;
  readonly #send: (text: string) => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(held: HeldSession, stream: ResumableStream, resumeMs: number, onEnd: () => void) {
    this.#held = held;
    this.#stream = stream;
    this.#resumeMs = resumeMs;
    this.#onEnd = onEnd;
    this.#send = (text) => stream.push(text);
  }

  /** `isBack`: the client was here before and may have missed something, perhaps on another instance. */
  start(isBack: boolean): Promise<void> {
    return this.#held.session.listen(this.#send, isBack);
  }

  disconnected(): void {
    this.#stream.lost();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#stream.isConnected) this.end();
    }, this.#resumeMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#held.session.unlisten(this.#send);
    if (this.#held.feed === this) this.#held.feed = undefined;
    this.#held.streams.delete(this.#stream.id);
    this.#stream.complete(undefined);
    this.#onEnd();
  }
}
