import type { Cancellation } from '../../../protocol/handler.ts';
import { ConnectionClosedError, HttpError, SessionLostError } from '../errors.ts';
import { EventReader } from './event-reader.ts';
import type { HttpWire } from './http-wire.ts';
import { mediaType } from './sender.ts';
import type { HttpAnswer } from './sender.ts';

export interface LegacyStreamOptions {
  readonly wire: HttpWire;
  /** Ends the stream, and the waits between its connections. */
  readonly life: Cancellation;
  headers(): { readonly [name: string]: string };
  /** Takes the data of an event. */
  receive(text: string): void;
  refused(answer: HttpAnswer): Promise<Error>;
}

/** Who hears of the server's own stream. */
export interface StreamWatch {
  /** Its head is there. */
  opened(): void;
  /** It was lost and is open again, and what was sent meanwhile is not. */
  missed(): void;
  /** It was lost several times in a row. */
  struggles(error: unknown): void;
}

/** A stream that lived this long is worth coming back to at once. */
const SETTLED_MS = 10_000;
/** What servers without a stream of their own answer. */
const NO_STREAM = [404, 405, 501];
/** Most steps by which the wait grows. */
const MOST_STEPS = 12;

/**
 * A stream of events that outlives its connection (2025-11-25, basic/transports, "Resumability and Redelivery"): it is
 * come back to from the last id that was read, after a wait that the server may choose within bounds.
 */
export class LegacyStream {
  readonly #options: LegacyStreamOptions;
  #lastId: string | undefined;
  #retryMs: number | undefined;

  constructor(options: LegacyStreamOptions) {
    this.#options = options;
  }

  /** Reads the answer to a request, and comes back to it for as long as there is something to come back to. */
  async follow(answer: HttpAnswer, isDone: () => boolean): Promise<void> {
    const { maxReconnects } = this.#options.wire.bounds;
    let current = answer;
    for (let reconnects = 0; ; reconnects++) {
      const before = this.#lastId;
      await this.#read(current, isDone);
      if (isDone() || this.#lastId === undefined) return;
      if (this.#lastId !== before) reconnects = 0;
      if (reconnects >= maxReconnects) return;
      await this.#wait(reconnects);
      if (isDone()) return;
      const next = await this.#get();
      if (next.status !== 200) throw await this.#options.refused(next);
      current = next;
    }
  }

  /**
   * Opens the server's own stream and keeps it open for as long as the session lives. Resolves where the server has none;
   * rejects with what it is refused with, a `SessionLostError` among it.
   */
  async keepOpen(watch: StreamWatch): Promise<void> {
    const { maxReconnects } = this.#options.wire.bounds;
    let wasOpen = false;
    for (let failures = 0; ;) {
      const started = Date.now();
      let lost: unknown = new ConnectionClosedError('it ends each time');
      try {
        const answer = await this.#open(wasOpen);
        if (answer === undefined) return;
        watch.opened();
        // What came meanwhile is only repeated where the server gives its events ids.
        if (wasOpen && this.#lastId === undefined) watch.missed();
        wasOpen = true;
        await this.#read(answer, () => false);
      } catch (error) {
        if (this.#options.life.aborted) return;
        if (isFinal(error)) throw error;
        lost = error;
      }
      failures = Date.now() - started > SETTLED_MS ? 0 : failures + 1;
      if (failures === maxReconnects) watch.struggles(lost);
      await this.#wait(Math.min(failures, MOST_STEPS));
    }
  }

  /** The head of the server's own stream; undefined where it has none. */
  async #open(wasOpen: boolean): Promise<HttpAnswer | undefined> {
    const answer = await this.#get();
    const isStream = answer.status === 200 && mediaType(answer) === 'text/event-stream';
    if (isStream) return answer;
    if (answer.status !== 200 && (wasOpen || !NO_STREAM.includes(answer.status))) {
      throw await this.#options.refused(answer);
    }
    answer.discard();
    return undefined;
  }

  async #read(answer: HttpAnswer, isDone: () => boolean): Promise<void> {
    const reader = new EventReader(this.#options.wire.bounds.maxEventBytes, {
      event: ({ data, id }) => {
        if (id !== undefined) this.#lastId = id;
        if (data !== '') this.#options.receive(data);
      },
      retry: (ms) => {
        this.#retryMs = ms;
      },
    });
    try {
      await answer.read((chunk) => {
        reader.push(chunk);
        if (isDone()) throw DONE;
      });
    } catch (error) {
      // A stream that was cut off is what coming back is for.
      if (error !== DONE && !(error instanceof ConnectionClosedError)) throw error;
      if (this.#options.life.aborted) throw this.#options.life.reason;
    }
  }

  #get(): Promise<HttpAnswer> {
    const { wire, life } = this.#options;
    const { 'content-type': _type, ...rest } = this.#options.headers();
    return wire.send({
      method: 'GET',
      headers: {
        ...rest,
        accept: 'text/event-stream',
        ...(this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId }),
      },
      cancellation: life,
      isApart: true,
    });
  }

  /** As long as the server says, within the bounds; where it says nothing, longer each time and with some chance in it. */
  #wait(failures: number): Promise<void> {
    const { minRetryMs, maxRetryMs } = this.#options.wire.bounds;
    const base = this.#retryMs ?? 1000 * 1.5 ** failures * (1 + Math.random() / 4);
    const ms = Math.min(maxRetryMs, Math.max(minRetryMs, base));
    const { life } = this.#options;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        reject(life.reason);
      };
      const timer = setTimeout(() => {
        life.ignore(stop);
        resolve();
      }, ms);
      life.onAbort(stop);
    });
  }
}

/** Ends the reading of a stream that nobody needs any more. */
const DONE = new ConnectionClosedError('the response is there');

/** Whether asking again would be answered the same. */
function isFinal(error: unknown): boolean {
  return error instanceof SessionLostError || (error instanceof HttpError && error.status < 500);
}
