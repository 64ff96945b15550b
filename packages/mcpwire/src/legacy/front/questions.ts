import type { JsonObject } from '../../protocol/json.ts';
import type { ErrorMessage, ResultMessage } from '../../protocol/message.ts';
import { internalError } from '../../protocol/protocol-error.ts';
import type { ErrorObject } from '../../protocol/protocol-error.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import type { Question } from '../../protocol/revisions/step.ts';
import type { SessionBounds } from './reply.ts';

/** How a question ended: answered, refused by the client with an error, or never answered in time. */
export type Outcome =
  | { readonly kind: 'answered'; readonly result: JsonObject }
  | { readonly kind: 'failed'; readonly error: ErrorObject }
  | { readonly kind: 'unanswered' };

/** The questions that a session has put to its client, by the id that was minted for each. */
export class Questions {
  readonly #bounds: SessionBounds;
  readonly #open = new Map<RequestId, (outcome: Outcome) => void>();
  #nextId = 1;

  constructor(bounds: SessionBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Sends a question and waits, within the bounds, until it is answered or the signal aborts. */
  async ask(
    question: Question,
    send: (text: string) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Outcome> {
    if (this.#open.size >= this.#bounds.maxQuestions) {
      throw internalError(`at most ${this.#bounds.maxQuestions} questions may wait for their answer`);
    }
    // Integers: some clients can't read string ids.
    const id = this.#nextId++;
    const outcome = this.#wait(id, signal);
    await send(
      `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(question.method)},"params":${JSON.stringify(question.params)}}`,
    );
    const ended = await outcome;
    if (ended.kind === 'unanswered') {
      const params = { requestId: id, reason: 'no longer needed' };
      await send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${JSON.stringify(params)}}`);
    }
    return ended;
  }

  /** Takes a response of the client; false where no such question waits. */
  answer(message: ResultMessage | ErrorMessage): boolean {
    const settle = message.id === undefined ? undefined : this.#open.get(message.id);
    if (settle === undefined) return false;
    settle(
      message.kind === 'result'
        ? { kind: 'answered', result: message.result }
        : { kind: 'failed', error: message.error },
    );
    return true;
  }

  #wait(id: RequestId, signal: AbortSignal): Promise<Outcome> {
    return new Promise((resolve) => {
      const settle = (outcome: Outcome): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#open.delete(id);
        resolve(outcome);
      };
      const onAbort = (): void => settle({ kind: 'unanswered' });
      const timer = setTimeout(onAbort, this.#bounds.questionTimeoutMs);
      this.#open.set(id, settle);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort);
    });
  }
}
