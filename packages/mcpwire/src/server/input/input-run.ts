import { TimeoutError } from '../../async/with-timeout.ts';
import type { SchemaLike } from '../../json-schema/schema.ts';
import { missingFrom } from '../../protocol/capabilities.ts';
import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import type { CreateMessageRequestParams } from '../../protocol/input.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { neededForQuestion } from '../../protocol/question-needs.ts';
import { invalidParams, missingCapability } from '../../protocol/protocol-error.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import type { ElicitForm, ElicitUrl } from './ask-types.ts';
import { jsonCopy, notJson } from './json-data.ts';
import { NEEDS } from './needs.ts';
import { OpenQuestions } from './open-questions.ts';
import type { OpenQuestion } from './open-questions.ts';
import { assertAskable, formQuestion, rootsQuestion, samplingQuestion, urlQuestion } from './questions.ts';
import type { Asked } from './questions.ts';
import { CallRecord, markOf, nameOf } from './record.ts';
import type { Entry, EntryKind } from './record.ts';
import { DEFAULT_INPUT } from './scope.ts';
import type { CallIdentity, InputHost } from './scope.ts';
import type { StateCodec } from './state-codec.ts';
import { SuspendedError } from './suspended.ts';

/** How often a handler that is over is told so; after that its asks never settle. */
const MAX_LATE_ASKS = 100;

/** What a run needs of the call that it belongs to. */
export interface InputCall {
  readonly identity: CallIdentity;
  readonly capabilities: ClientCapabilities;
  readonly requestState: string | undefined;
  readonly inputResponses: JsonObject | undefined;
  /** Aborted when the caller leaves or the time is up. */
  readonly signal: AbortSignal;
  /** Ends the run: the call is answered with this, whatever the handler does now. */
  finish(outcome: Promise<object>, reason: Error): void;
}

/** One run of a handler that asks: replays what is known, collects what isn't, and suspends the call for it. */
export class InputRun {
  readonly #call: InputCall;
  readonly #host: InputHost;
  readonly #codec: StateCodec;
  readonly #record: Promise<CallRecord>;
  #known = new CallRecord();
  /** What this run asked and did, by name: keys are unique within a handler. */
  readonly #seen = new Set<string>();
  readonly #open: OpenQuestions;
  readonly #runningSteps = new Set<string>();
  /** The step whose function is being called in this very turn: an ask in it would wait for itself. */
  #calledStep: string | undefined;
  #lateAsks = 0;
  /** Why nothing can be asked any more. */
  #over: { readonly reason: unknown } | undefined;

  constructor(call: InputCall, host: InputHost, codec: StateCodec) {
    this.#call = call;
    this.#host = host;
    this.#codec = codec;
    this.#open = new OpenQuestions({
      missed: () => this.#missed(),
      graceMs: host.options.graceMs ?? DEFAULT_INPUT.graceMs,
      onComplete: (questions, missed) => this.#suspend(questions, missed),
    });
    this.#record = this.#openRecord();
    this.#record.catch(() => {}); // whoever asks hears of it
    const { signal } = call;
    if (signal.aborted) this.end(signal.reason);
    else signal.addEventListener('abort', () => this.end(signal.reason), { once: true });
  }

  elicit(key: string, form: ElicitForm<SchemaLike>): Promise<unknown> {
    return this.#ask(key, 'elicit', () => formQuestion(key, form), NEEDS.elicit);
  }

  elicitUrl(key: string, page: ElicitUrl): Promise<unknown> {
    return this.#ask(key, 'elicitUrl', () => urlQuestion(page), NEEDS.elicitUrl);
  }

  sample(key: string, params: CreateMessageRequestParams): Promise<unknown> {
    const needs = (): ClientCapabilities =>
      neededForQuestion('sampling/createMessage', isJsonObject(params) ? params : {}) ?? NEEDS.sample;
    return this.#ask(key, 'sample', () => samplingQuestion(params), needs);
  }

  roots(key: string): Promise<unknown> {
    return this.#ask(key, 'roots', rootsQuestion, NEEDS.roots);
  }

  async step(name: string, run: () => unknown): Promise<unknown> {
    if (this.#isOver()) return this.#tooLate();
    this.#claim('step', name);
    const record = await this.#record;
    const known = record.get('step', name);
    if (known !== undefined) return jsonCopy(known.value);
    if (this.#isOver()) return this.#tooLate();
    this.#open.begin();
    this.#runningSteps.add(name);
    try {
      const value = await this.#runStep(name, run);
      const problem = value === undefined ? undefined : notJson(value);
      if (problem !== undefined) {
        throw new UsageError(`the result of step ${JSON.stringify(name)} must be JSON: ${problem}`);
      }
      const kept = jsonCopy(value);
      record.set({ kind: 'step', key: name, marks: {}, value: kept });
      return jsonCopy(kept);
    } finally {
      this.#runningSteps.delete(name);
      this.#open.end();
    }
  }

  /** Nothing is asked any more: the handler has ended, or its caller is gone. */
  end(reason: unknown): void {
    if (this.#over !== undefined) return;
    this.#over = { reason };
    if (reason instanceof TimeoutError) this.#reportHeld();
    this.#open.close(reason);
  }

  /** An ask inside a step, after something else that the step waits for, can't be told from one beside it. */
  #reportHeld(): void {
    const [question] = this.#open.questions;
    if (question === undefined || this.#runningSteps.size === 0) return;
    const steps = [...this.#runningSteps].map((name) => JSON.stringify(name)).join(', ');
    this.#host.report({
      kind: 'question-held',
      message: `the question ${JSON.stringify(question.key)} waited for step ${steps} until the time was up: a step that asks waits for itself`,
    });
  }

  async #openRecord(): Promise<CallRecord> {
    const { requestState, identity } = this.#call;
    if (requestState === undefined) return this.#known;
    try {
      return (this.#known = await this.#codec.read(requestState, identity));
    } catch (error) {
      // Not only whoever asks: a handler that catches everything must not go on from a state that is none.
      this.#finish(Promise.reject(error), error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  #runStep(name: string, run: () => unknown): unknown {
    const outer = this.#calledStep;
    this.#calledStep = name;
    try {
      return run();
    } finally {
      this.#calledStep = outer;
    }
  }

  async #ask(
    key: string,
    kind: EntryKind,
    define: () => Asked,
    needs: ClientCapabilities | (() => ClientCapabilities),
  ): Promise<unknown> {
    if (this.#isOver()) return this.#tooLate();
    this.#claim(kind, key);
    const asked = define();
    assertAskable(key, asked.request(undefined));
    const marks = marksOf(asked);
    const record = await this.#record;
    const entry = record.get(kind, key);
    const change = entry === undefined ? undefined : changeOf(entry, kind, marks);
    if (change !== undefined) this.#fail(change);
    // Until the answer is looked at: looking may take a while, and the round waits for it.
    this.#open.begin();
    let reason: string | undefined;
    try {
      if (entry !== undefined && 'value' in entry) return await asked.recall(entry.value);
      const missing = missingFrom(this.#call.capabilities, typeof needs === 'function' ? needs() : needs);
      if (missing !== undefined) throw missingCapability(missing, `the question ${JSON.stringify(key)}`);
      const answers = this.#call.inputResponses;
      if (answers !== undefined && Object.hasOwn(answers, key)) {
        const checked = await asked.check(answers[key]);
        if (checked.ok) {
          record.set({ kind, key, marks, value: checked.keep });
          return checked.value;
        }
        reason = checked.reason;
        const refusals = (entry?.refusals ?? 0) + 1;
        record.set({ kind, key, marks, refusals });
        if (refusals >= (this.#host.options.maxRefusals ?? DEFAULT_INPUT.maxRefusals)) {
          this.#fail(invalidParams(`the answer to ${JSON.stringify(key)} is no good: ${reason}`));
        }
      } else if (entry === undefined) record.set({ kind, key, marks });
    } finally {
      this.#open.end();
    }
    if (this.#isOver()) return this.#tooLate();
    return this.#open.add({ key, request: asked.request(reason) });
  }

  /** The first ask of the record that this run has not come to. A step may have been part of another one. */
  #missed(): Entry | undefined {
    return this.#known
      .entries()
      .find((entry) => entry.kind !== 'step' && !this.#seen.has(nameOf(entry.kind, entry.key)));
  }

  #suspend(questions: readonly OpenQuestion[], missed: Entry | undefined): void {
    this.#finish(this.#question(questions, missed), new SuspendedError());
  }

  async #question(questions: readonly OpenQuestion[], missed: Entry | undefined): Promise<object> {
    if (missed !== undefined) {
      const asks = questions.map(({ key }) => JSON.stringify(key)).join(', ');
      throw new UsageError(
        `the handler is not deterministic: it asks ${asks} now, and did not come to ${missed.kind} ` +
          `${JSON.stringify(missed.key)} as it did before`,
      );
    }
    const inputRequests = Object.fromEntries(questions.map(({ key, request }) => [key, request]));
    const requestState = await this.#codec.write(this.#known, this.#call.identity);
    return { resultType: 'input_required', inputRequests, requestState };
  }

  #finish(outcome: Promise<object>, reason: Error): void {
    outcome.catch(() => {}); // the call may be over already
    if (this.#over !== undefined) return;
    this.#over = { reason };
    this.#call.finish(outcome, reason);
    this.#open.close(reason);
  }

  /** Ends the call with an error, whatever the handler makes of it. */
  #fail(failure: Error): never {
    this.#finish(Promise.reject(failure), failure);
    throw failure;
  }

  /** Rejects a turn later, and at last never: a handler that tries again and again must not keep the process busy. */
  async #tooLate(): Promise<never> {
    await new Promise((resolve) => {
      if (++this.#lateAsks <= MAX_LATE_ASKS) setTimeout(resolve, 0);
    });
    throw this.#over?.reason;
  }

  #isOver(): boolean {
    return this.#over !== undefined;
  }

  #claim(kind: EntryKind, key: string): void {
    if (typeof key !== 'string' || key === '' || key.length > 128) {
      throw new UsageError('a key is a string of 1 to 128 characters');
    }
    if (kind !== 'step' && this.#calledStep !== undefined) {
      throw new UsageError(
        `${JSON.stringify(key)} is asked inside step ${JSON.stringify(this.#calledStep)}: ` +
          'ask before it or after it, a step can not be interrupted',
      );
    }
    const name = nameOf(kind, key);
    if (this.#seen.has(name)) {
      throw new UsageError(
        `the key ${JSON.stringify(key)} is used twice: each ask and each step of a handler has a key of its own`,
      );
    }
    this.#seen.add(name);
    this.#open.look(); // what it was waited for may have come
  }
}

function marksOf(asked: Asked): { readonly [part: string]: string } {
  return Object.fromEntries(Object.entries(asked.parts).map(([part, value]) => [part, markOf(value)]));
}

/** A run that asks otherwise than the one before would get an answer to another question. */
function changeOf(
  entry: Entry,
  kind: EntryKind,
  marks: { readonly [part: string]: string },
): UsageError | undefined {
  const changed =
    entry.kind === kind
      ? Object.keys(marks).find((part) => entry.marks[part] !== marks[part])
      : 'kind of question';
  if (changed === undefined) return undefined;
  return new UsageError(
    `the handler is not deterministic: the ${changed} of ${JSON.stringify(entry.key)} is not what it was when it was asked; ` +
      'let it depend on arguments, answers and the results of steps alone',
  );
}
