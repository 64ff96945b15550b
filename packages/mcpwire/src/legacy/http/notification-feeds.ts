import { inBackground } from '../../async/background.ts';
import type { Disconnectable } from '../../transport/http/legacy-front.ts';
import type { HttpReply } from '../../transport/http/reply.ts';
import type { ResumableStream } from './resumable-stream.ts';
import type { HeldSession } from './session-table.ts';

/**
 * The notification streams that clients open with GET (2025-11-25 transports, "Listening for Messages from the Server").
 * A session has one: a new GET replaces the one before. After a break, changes are kept for a while.
 */
export class NotificationFeeds {
  readonly #resumeMs: number;
  readonly #max: number;
  readonly #open = new Set<Feed>();

  constructor(resumeMs: number, max: number) {
    this.#resumeMs = resumeMs;
    this.#max = max;
  }

  /** Opens the stream of a session; undefined where too many are open. */
  async open(
    held: HeldSession,
    reply: HttpReply,
    headers: readonly string[],
    resumed: { readonly stream: string; readonly seq: number } | undefined,
  ): Promise<Disconnectable | undefined> {
    const { feed: previous } = held;
    if (this.#open.size >= this.#max && previous === undefined) return undefined;
    const stream = held.streams.openFeed(headers);
    const feed = new Feed(held, stream, this.#resumeMs, () => this.#open.delete(feed));
    this.#open.add(feed);
    held.feed = feed;
    // A stream that is open tells of every change from then on, and the one before until then.
    await feed.start(resumed !== undefined);
    previous?.end();
    return stream.connect(reply, 0, held.session.facts.version >= '2025-11-25');
  }

  close(): void {
    for (const feed of this.#open) feed.end();
  }
}

/** One notification stream, with or without a connection at the moment. */
class Feed {
  readonly #held: HeldSession;
  readonly #stream: ResumableStream;
  readonly #onEnd: () => void;
  readonly #send: (text: string) => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(held: HeldSession, stream: ResumableStream, resumeMs: number, onEnd: () => void) {
    this.#held = held;
    this.#stream = stream;
    this.#onEnd = onEnd;
    this.#send = (text) => stream.push(text);
    stream.onLost = () => {
      clearTimeout(this.#timer);
      this.#timer = inBackground(
        setTimeout(() => {
          if (!stream.isConnected) this.end();
        }, resumeMs),
      );
    };
  }

  /** `isBack`: the client was here before and may have missed something, perhaps on another instance. */
  start(isBack: boolean): Promise<void> {
    return this.#held.session.listen(this.#send, isBack);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#held.session.unlisten(this.#send);
    if (this.#held.feed === this) this.#held.feed = undefined;
    this.#held.streams.forget(this.#stream);
    this.#stream.complete(undefined);
    this.#onEnd();
  }
}
