import { missingFrom } from '../../protocol/capabilities.ts';
import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import { encodeError, encodeResult } from '../../protocol/encode-message.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { RequestMessage } from '../../protocol/message.ts';
import {
  internalError,
  invalidRequest,
  isProtocolError,
  methodNotFound,
} from '../../protocol/protocol-error.ts';
import type { ProtocolError } from '../../protocol/protocol-error.ts';
import { neededForQuestion } from '../../protocol/question-needs.ts';
import type { RequestId } from '../../protocol/request-id.ts';
import { omit } from '../../protocol/revisions/omit.ts';
import type { Question } from '../../protocol/revisions/step.ts';
import type { Asked } from './asked.ts';
import { isAnswer } from './asked.ts';
import type { BackBounds } from './bounds.ts';
import type { Words } from './handshake.ts';
import type { OpenCall } from './open-call.ts';
import type { Tally } from './tally.ts';

/** Answers a question that belongs to no call. Its result is the answer, in the words of the newest revision. */
export type Answerer = (question: Question, signal: AbortSignal) => Promise<object>;

export interface QuestionHost {
  readonly bounds: BackBounds;
  readonly tally: Tally;
  /** What the handshake declared. */
  readonly declared: ClientCapabilities;
  readonly answer: Answerer | undefined;
  readonly answersStrays: boolean;
  readonly words: () => Words;
  /** Calls that have no result yet, the oldest first. */
  openCalls(): Iterable<OpenCall>;
  /** How many calls there have been. */
  callCount(): number;
  respond(text: string): Promise<void>;
}

/** The questions that a server has put and that have no answer yet, by the id that it gave each of them. */
export class Questions {
  readonly #host: QuestionHost;
  readonly #open = new Map<RequestId, ServerQuestion>();
  #isClosed = false;

  constructor(host: QuestionHost) {
    this.#host = host;
  }

  /** A request of the server. `heardBy`: the call on whose own way it came. */
  receive({ id, method, params }: RequestMessage, heardBy: OpenCall | undefined): void {
    const { bounds, tally, declared, words } = this.#host;
    const question = words().up.question({ method, params: askable(params, declared) });
    const needs = neededForQuestion(method, question.params);
    if (needs === undefined || missingFrom(declared, needs) !== undefined) {
      tally.count('question-refused', `the server asks what this client never declared: ${method}`);
      this.#send(encodeError(id, methodNotFound(method).toWire()));
      return;
    }
    if (this.#open.has(id)) {
      this.#send(
        encodeError(id, invalidRequest('the id belongs to a question that has no answer yet').toWire()),
      );
      return;
    }
    const since = this.#host.callCount();
    const asked = new ServerQuestion(id, question, needs, heardBy, since, this);
    this.#open.set(id, asked);
    if (this.#open.size > bounds.maxOpenQuestions) {
      tally.count('question-dropped', `the server has more than ${bounds.maxOpenQuestions} questions open`);
      asked.drop('too many questions are open');
      return;
    }
    if (this.#isClosed) asked.drop('the client ends');
    else this.place(asked);
  }

  /** The server wants no answer any more; of an unknown id it never wanted one. */
  withdraw(id: RequestId): void {
    const asked = this.#open.get(id);
    if (asked === undefined) return;
    this.#open.delete(id);
    asked.withdraw();
  }

  /** The server knows nothing of them any more, and begins to count its requests anew. */
  forget(): void {
    for (const id of this.#open.keys()) this.withdraw(id);
  }

  close(): void {
    this.#isClosed = true;
    for (const asked of this.#open.values()) asked.drop('the client ends');
  }

  /** Whether the server still wants the answer. */
  isOpen(asked: ServerQuestion): boolean {
    return this.#open.get(asked.id) === asked;
  }

  /**
   * Finds somebody to answer. What came on a call's own way belongs to that call. Of the rest nobody can say, so it goes
   * to the oldest call that was open when it came: the answer reaches the server under the question's own id, whichever
   * call carried it.
   */
  place(asked: ServerQuestion): void {
    const { answer, answersStrays, tally } = this.#host;
    const { heardBy } = asked;
    if (heardBy === undefined && answersStrays && answer !== undefined) {
      asked.answerWith(answer);
      return;
    }
    if (heardBy?.canAsk(asked.needs) === true) {
      asked.putTo(heardBy);
      return;
    }
    const others = heardBy === undefined ? [...this.#host.openCalls()] : [];
    const able = others.filter((call) => call.number <= asked.since && call.canAsk(asked.needs));
    const listening = able.find((call) => call.hasLeg);
    if (listening !== undefined) asked.putTo(listening);
    else if (answer !== undefined) asked.answerWith(answer);
    else if (able[0] !== undefined) asked.putTo(able[0]);
    else {
      const why = 'no request is open in which the client could be asked';
      tally.count('question-dropped', `${asked.question.method} was not answered: ${why}`);
      asked.drop(why);
    }
  }

  answered(asked: ServerQuestion, answer: JsonObject): void {
    if (!this.#close(asked)) return;
    const { method } = asked.question;
    this.#send(encodeResult(asked.id, this.#host.words().down.answer(method, answer)));
  }

  refused(asked: ServerQuestion, error: ProtocolError): void {
    if (this.#close(asked)) this.#send(encodeError(asked.id, error.toWire()));
  }

  failed(message: string, error: unknown): void {
    this.#host.tally.count('answer-failed', message, error);
  }

  #close(asked: ServerQuestion): boolean {
    return this.isOpen(asked) && this.#open.delete(asked.id);
  }

  #send(text: string): void {
    this.#host.respond(text).catch((error: unknown) => {
      this.failed('an answer could not be sent to the server', error);
    });
  }
}

/** One question of the server. */
class ServerQuestion implements Asked {
  readonly id: RequestId;
  readonly question: Question;
  readonly needs: ClientCapabilities;
  readonly heardBy: OpenCall | undefined;
  /** How many calls there had been when it came. */
  readonly since: number;
  readonly #questions: Questions;
  #call: OpenCall | undefined;
  #answering: AbortController | undefined;

  // oxlint-disable-next-line eslint/max-params -- all that a question is
  constructor(
    id: RequestId,
    question: Question,
    needs: ClientCapabilities,
    heardBy: OpenCall | undefined,
    since: number,
    questions: Questions,
  ) {
    this.id = id;
    this.question = question;
    this.needs = needs;
    this.heardBy = heardBy;
    this.since = since;
    this.#questions = questions;
  }

  putTo(call: OpenCall): void {
    this.#call = call;
    call.ask(this);
  }

  answerWith(answer: Answerer): void {
    const answering = new AbortController();
    this.#answering = answering;
    this.#answer(answer, answering.signal).catch((error: unknown) => {
      if (answering.signal.aborted) return;
      this.#questions.failed(`${this.question.method} was not answered`, error);
      this.drop('the client could not answer', error);
    });
  }

  settle(answer: JsonObject): void {
    this.#questions.answered(this, answer);
  }

  drop(why: string, error?: unknown): void {
    this.#answering?.abort(internalError(why));
    if (this.question.method === 'elicitation/create') this.#questions.answered(this, { action: 'cancel' });
    else this.#questions.refused(this, isProtocolError(error) ? error : internalError(why));
  }

  leave(why: string): void {
    this.#call = undefined;
    if (!this.#questions.isOpen(this)) return;
    // Whose it was is sure: nobody else is asked in its name.
    if (this.heardBy === undefined) this.#questions.place(this);
    else this.drop(why);
  }

  withdraw(): void {
    this.#call?.withdraw(this);
    this.#answering?.abort(internalError('the server withdrew the question'));
  }

  async #answer(answer: Answerer, signal: AbortSignal): Promise<void> {
    const result = { ...(await answer(this.question, signal)) };
    if (signal.aborted) return;
    if (!isAnswer(this.question.method, result)) {
      throw internalError(`what answers ${this.question.method} gave no such answer`);
    }
    this.settle(result);
  }
}

/** Until 2025-11-25 any client could be asked to include context, and could leave it out: one that can't has it left out. */
function askable(params: JsonObject, declared: ClientCapabilities): JsonObject {
  return declared.sampling?.context === undefined ? omit(params, 'includeContext') : params;
}
