import { inBackground } from '../../async/background.ts';
import { onAbort } from '../../async/on-abort.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Asked } from './asked.ts';

/** What a client needs to be sent to a URL. */
export const URL_NEEDS = { elicitation: { url: {} } };

/**
 * A server that wants a URL opened before it runs a request refuses the request; the client opens the URL and sends the
 * same again (2025-11-25 client/elicitation). One request's URLs.
 */
export class UrlRetries {
  readonly #asked = new Set<string>();
  #again: string[] = [];
  #count = 0;
  #isDeclined = false;

  get count(): number {
    return this.#count;
  }

  get isDeclined(): boolean {
    return this.#isDeclined;
  }

  /** The questions that a refusal comes down to. */
  questions(elicitations: readonly JsonObject[]): readonly Asked[] {
    this.#count++;
    this.#again = [];
    return elicitations.map((elicitation) => {
      const { elicitationId: id, url, message } = elicitation;
      if (typeof id === 'string') {
        if (this.#asked.has(id)) this.#again.push(id);
        this.#asked.add(id);
      }
      const params = {
        mode: 'url',
        message: typeof message === 'string' ? message : 'Please open this URL',
        url,
      };
      return {
        question: { method: 'elicitation/create', params },
        needs: URL_NEEDS,
        settle: ({ action }) => {
          if (action !== 'accept') this.#isDeclined = true;
        },
        drop: () => {
          this.#isDeclined = true;
        },
        leave: () => {},
      };
    });
  }

  /**
   * Before the request is sent again. Where the server has refused it with the same URL twice, the person is not through
   * with it, and the server's word is waited for.
   */
  ready(completions: UrlCompletions, ms: number, signal: AbortSignal): Promise<unknown> {
    return Promise.all(this.#again.map((id) => completions.wait(id, ms, signal)));
  }
}

/** Ids that are remembered to be done with, at most. */
const MAX_DONE = 256;

/** What `notifications/elicitation/complete` has told. */
export class UrlCompletions {
  readonly #done = new Set<string>();
  readonly #waiting = new Map<string, Set<() => void>>();

  complete(id: string): void {
    this.#done.add(id);
    const [oldest] = this.#done;
    if (this.#done.size > MAX_DONE && oldest !== undefined) this.#done.delete(oldest);
    for (const wake of this.#waiting.get(id) ?? []) wake();
  }

  /** Resolves when the id is done with, the time is over, or the signal aborts. */
  async wait(id: string, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#done.has(id) || signal.aborted) return;
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting);
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        ignore();
        waiting.delete(done);
        if (waiting.size === 0) this.#waiting.delete(id);
        resolve();
      };
      const timer = inBackground(setTimeout(done, ms));
      const ignore = onAbort(signal, done);
      waiting.add(done);
    });
  }
}
