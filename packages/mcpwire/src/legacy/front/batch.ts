import type { LegacyReply } from './reply.ts';

/** Most messages of one batch. */
export const MAX_BATCH = 50;

/**
 * Collects the answers of a batch (2025-03-26 basic, "Batching") into one array. What is sent before an answer goes out
 * at once; a cancelled request leaves no gap.
 */
export class BatchReply {
  readonly #whole: LegacyReply;
  readonly #answers: string[] = [];
  #open: number;

  constructor(requests: number, whole: LegacyReply) {
    this.#open = requests;
    this.#whole = whole;
  }

  /** The reply of one of its requests. */
  part(): LegacyReply {
    return {
      send: (text) => this.#whole.send(text),
      finish: (answer) => this.#add(answer),
    };
  }

  #add(answer: string | undefined): void {
    if (answer !== undefined) this.#answers.push(answer);
    this.#open--;
    if (this.#open > 0) return;
    this.#whole.finish(this.#answers.length === 0 ? undefined : `[${this.#answers.join(',')}]`);
  }
}
