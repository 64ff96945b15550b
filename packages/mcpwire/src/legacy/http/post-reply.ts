import type { Caller } from '../../protocol/handler.ts';
import type { HttpHead } from '../../transport/http/head.ts';
import { JSON_TYPE } from '../../transport/http/http-call.ts';
import type { Disconnectable } from '../../transport/http/legacy-front.ts';
import type { HttpReply } from '../../transport/http/reply.ts';
import type { HttpWire } from './answers.ts';
import type { LegacyReply } from '../front/reply.ts';
import type { ResumableStream } from './resumable-stream.ts';

/** Where the streams of a session's answers come from. */
export interface PostStreams {
  open(headers: readonly string[]): ResumableStream;
  /** Hears that an answer is out. */
  finished(): void;
}

/**
 * The answer to one legacy POST: plain JSON, or an event stream as soon as something comes before the answer. A lost
 * connection is no cancellation in this era: the stream goes on, and the client may come back for it.
 */
export class PostReply implements LegacyReply, Caller, Disconnectable {
  readonly transport = 'http';
  readonly #head: HttpHead;
  readonly #reply: HttpReply;
  readonly #headers: readonly string[];
  readonly #streams: PostStreams;
  readonly #primed: boolean;
  #stream: ResumableStream | undefined;
  #connection: Disconnectable | undefined;
  #isGone = false;

  constructor(wire: HttpWire, headers: readonly string[], streams: PostStreams, primed: boolean) {
    this.#head = wire.head;
    this.#reply = wire.reply;
    this.#headers = headers;
    this.#streams = streams;
    this.#primed = primed;
  }

  header(name: string): string | undefined {
    return this.#head.header(name);
  }

  /** See `Caller.release`. Only a client that was told where to resume can come back. */
  release(): void {
    if (this.#primed) this.#streaming().disconnect();
  }

  async send(text: string): Promise<void> {
    await this.#streaming().push(text);
  }

  finish(answer: string | undefined): void {
    this.#streams.finished();
    if (this.#stream !== undefined) {
      this.#stream.complete(answer);
    } else if (!this.#isGone && answer !== undefined) {
      this.#reply.send(200, JSON_TYPE, answer, this.#headers);
    } else if (!this.#isGone) {
      // Cancelled: no answer may follow, yet the POST must end.
      this.#reply.openStream(this.#headers);
      this.#reply.endStream('');
    }
  }

  disconnected(): void {
    this.#isGone = true;
    this.#connection?.disconnected();
  }

  #streaming(): ResumableStream {
    if (this.#stream === undefined) {
      this.#stream = this.#streams.open(this.#headers);
      if (!this.#isGone) this.#connection = this.#stream.connect(this.#reply, 0, this.#primed);
    }
    return this.#stream;
  }
}
