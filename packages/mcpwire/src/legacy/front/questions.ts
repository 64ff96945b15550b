import { inBackground } from '../../async/background.ts';
import { onAbort } from '../../async/on-abort.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { ErrorMessage, ResultMessage } from '../../protocol/message.ts';
import type { InvalidMessage } from '../../protocol/parse-message.ts';
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

type Send = (text: string) => Promise<void>;

/** The questions that a session has put to its client, by the id that was minted for each. */
export class Questions {
  readonly #bounds: SessionBounds;
  readonly #open = new Map<RequestId, (outcome: Outcome) => void>();
  #nextId = firstId();
  #isClosed = false;

  constructor(bounds: SessionBounds) {
    this.#bounds = bounds;
  }

  /** Sends a question and waits, within the bounds, until it is answered or the signal aborts. */
  async ask(question: Question, send: Send, signal: AbortSignal): Promise<Outcome> {
    if (this.#isClosed || signal.aborted) return { kind: 'unanswered' };
    if (this.#open.size >= this.#bounds.maxQuestions) {
      throw internalError(`at most ${this.#bounds.maxQuestions} questions may wait for their answer`);
    }
    const id = this.#nextId++;
    const outcome = this.#wait(id, send, signal);
    await send(
      `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(question.method)},"params":${JSON.stringify(question.params)}}`,
    );
    return outcome;
  }

  /**
   * Takes a response of the client; false where no such question waits. One that can't be read fails its question:
   * another will not follow.
   */
  answer(message: ResultMessage | ErrorMessage | InvalidMessage): boolean {
    const settle = message.id === undefined ? undefined : this.#open.get(message.id);
    if (settle === undefined) return false;
    if (message.kind === 'result') {
      settle({ kind: 'answered', result: message.result });
    } else if (message.kind === 'error') {
      settle({ kind: 'failed', error: message.error });
    } else {
      if (message.isResponse !== true) return false;
      const error = message.error.toWire();
      settle({ kind: 'failed', error: { ...error, message: `a malformed answer: ${error.message}` } });
    }
    return true;
  }

  /** The client says no more: what is asked, now or later, stays unanswered. */
  close(): void {
    this.#isClosed = true;
    for (const settle of this.#open.values()) settle({ kind: 'unanswered' });
  }

  #wait(id: RequestId, send: Send, signal: AbortSignal): Promise<Outcome> {
    return new Promise((resolve) => {
      const settle = (outcome: Outcome): void => {
        clearTimeout(timer);
        ignore();
        this.#open.delete(id);
        resolve(outcome);
      };
      const giveUp = (): void => {
        settle({ kind: 'unanswered' });
        // At once: the way that the question went may end in this very turn.
        const params = { requestId: id, reason: 'no longer needed' };
        void send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${JSON.stringify(params)}}`);
      };
      const timer = inBackground(setTimeout(giveUp, this.#bounds.questionTimeoutMs));
      this.#open.set(id, settle);
      const ignore = onAbort(signal, giveUp);
    });
  }
}

/**
 * Integers, because some clients can't read string ids, and small ones, because some keep them in 32 bits. A random
 * beginning: an answer that was meant for the process before this one, or for another instance, finds no question here.
 */
function firstId(): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return (random % 2 ** 20) * 2 ** 10 + 1;
}
