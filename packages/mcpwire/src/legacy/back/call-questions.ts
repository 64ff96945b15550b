import type { JsonObject } from '../../protocol/json.ts';
import type { Asked } from './asked.ts';
import { isAnswer } from './asked.ts';

/** The questions of one call: those that its caller has been asked, and those that wait for the next round. */
export class CallQuestions {
  #waiting: Asked[] = [];
  /** Those of the last round, by key. */
  readonly #asked = new Map<string, Asked>();
  #rounds = 0;
  #keys = 0;

  get areWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** How many have no answer. */
  get size(): number {
    return this.#waiting.length + this.#asked.size;
  }

  /** How many rounds there have been. */
  get rounds(): number {
    return this.#rounds;
  }

  add(asked: Asked): void {
    this.#waiting.push(asked);
  }

  remove(asked: Asked): void {
    this.#waiting = this.#waiting.filter((each) => each !== asked);
    for (const [key, each] of this.#asked) if (each === asked) this.#asked.delete(key);
  }

  /** Gives the answers to whoever asked. What has none is asked again. */
  settle(responses: JsonObject): void {
    const missing: Asked[] = [];
    const questions = [...this.#asked];
    this.#asked.clear();
    for (const [key, asked] of questions) {
      const answer = Object.hasOwn(responses, key) ? responses[key] : undefined;
      if (isAnswer(asked.question.method, answer)) asked.settle(answer);
      else missing.push(asked);
    }
    this.#waiting = [...missing, ...this.#waiting];
  }

  /** The questions that wait, as the `inputRequests` of a round. */
  nextRound(): JsonObject {
    this.#rounds++;
    const inputRequests: { [key: string]: unknown } = {};
    for (const asked of this.#waiting) {
      const key = `${asked.question.method}#${++this.#keys}`;
      this.#asked.set(key, asked);
      inputRequests[key] = asked.question;
    }
    this.#waiting = [];
    return inputRequests;
  }

  /** Nobody answers those that wait. */
  drop(why: string): void {
    const questions = this.#waiting;
    this.#waiting = [];
    for (const asked of questions) asked.drop(why);
  }

  /** The call is over: all of them may be put to somebody else. */
  leave(why: string): void {
    const left = [...this.#waiting, ...this.#asked.values()];
    this.#waiting = [];
    this.#asked.clear();
    for (const asked of left) asked.leave(why);
  }
}
