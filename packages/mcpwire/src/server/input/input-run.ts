import type { SchemaLike } from '../../json-schema/schema.ts';
import { missingFrom } from '../../protocol/capabilities.ts';
import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import type { CreateMessageRequestParams, InputRequest } from '../../protocol/input.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { invalidParams, missingCapability } from '../../protocol/protocol-error.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import type { ElicitForm, ElicitUrl } from './ask-types.ts';
import { NEEDS } from './needs.ts';
import { assertAskable, formQuestion, rootsQuestion, samplingQuestion, urlQuestion } from './questions.ts';
import type { Asked } from './questions.ts';
import { CallRecord, markOf, nameOf } from './record.ts';
import type { Entry, EntryKind } from './record.ts';
import type { CallIdentity, InputHost } from './scope.ts';
import type { StateCodec } from './state-codec.ts';
import { SuspendedError } from './suspended.ts';

const DEFAULT_MAX_REFUSALS = 3;
/** How long a run gets to come to what the run before it had come to, when it asks for something new. */
const GRACE_MS = 1000;
const LOOK_MS = 10;

/** What a run needs of the call that it belongs to. */
export interface InputCall {
  readonly identity: CallIdentity;
  readonly capabilities: ClientCapabilities;
  readonly requestState: string | undefined;
  readonly inputResponses: JsonObject | undefined;
  /** Ends the run: the call is answered with this, whatever the handler does now. */
  suspend(result: Promise<object>, reason: SuspendedError): void;
}

/** A question that waits for an answer of a later round. */
interface Pending {
  readonly key: string;
  readonly request: InputRequest;
  reject(reason: unknown): void;
}

/** One run of a handler that asks: replays what is known, collects what isn't, and suspends the call for it. */
export class InputRun {
  readonly #call: InputCall;
  readonly #host: InputHost;
  readonly #codec: StateCodec;
  readonly #record: Promise<CallRecord>;
  /** What this run asked and did, by name: keys are unique within a handler. */
  readonly #seen = new Set<string>();
  readonly #pending: Pending[] = [];
  #runningSteps = 0;
  #isScheduled = false;
  #suspended: SuspendedError | undefined;

  constructor(call: InputCall, host: InputHost, codec: StateCodec) {
    this.#call = call;
    this.#host = host;
    this.#codec = codec;
    const { requestState } = call;
    this.#record =
      requestState === undefined
        ? Promise.resolve(new CallRecord())
        : codec.read(requestState, call.identity);
    this.#record.catch(() => {}); // whoever asks hears of it
  }

  elicit(key: string, form: ElicitForm<SchemaLike>): Promise<unknown> {
    return this.#ask(key, 'elicit', () => formQuestion(key, form), NEEDS.elicit);
  }

  elicitUrl(key: string, page: ElicitUrl): Promise<unknown> {
    return this.#ask(key, 'elicitUrl', () => urlQuestion(page), NEEDS.elicitUrl);
  }

  sample(key: string, params: CreateMessageRequestParams): Promise<unknown> {
    const usesTools = params.tools !== undefined || params.toolChoice !== undefined;
    return this.#ask(
      key,
      'sample',
      () => samplingQuestion(params),
      usesTools ? NEEDS.sampleWithTools : NEEDS.sample,
    );
  }

  roots(key: string): Promise<unknown> {
    return this.#ask(key, 'roots', rootsQuestion, NEEDS.roots);
  }

  async step(name: string, run: () => unknown): Promise<unknown> {
    this.#claim('step', name);
    const record = await this.#record;
    const known = record.get('step', name);
    if (known !== undefined) return copy(known.value);
    this.#runningSteps++;
    try {
      const value = toJson(name, await run());
      record.set({ kind: 'step', key: name, marks: {}, value });
      return copy(value);
    } finally {
      this.#runningSteps--;
    }
  }

  async #ask(key: string, kind: EntryKind, define: () => Asked, needs: ClientCapabilities): Promise<unknown> {
    this.#claim(kind, key);
    const asked = define();
    const first = asked.request(undefined);
    assertAskable(key, first);
    const record = await this.#record;
    const entry = record.get(kind, key);
    const marks = Object.fromEntries(
      Object.entries(asked.parts).map(([part, value]) => [part, markOf(value)]),
    );
    if (entry !== undefined) assertSame(entry, kind, marks);
    if (entry !== undefined && 'value' in entry) return copy(entry.value);
    const missing = missingFrom(this.#call.capabilities, needs);
    if (missing !== undefined) throw missingCapability(missing, `the question ${JSON.stringify(key)}`);
    let reason: string | undefined;
    const answers = this.#call.inputResponses;
    if (answers !== undefined && Object.hasOwn(answers, key)) {
      const checked = await asked.check(answers[key]);
      if (checked.ok) {
        record.set({ kind, key, marks, value: checked.value });
        return copy(checked.value);
      }
      reason = checked.reason;
      const refusals = (entry?.refusals ?? 0) + 1;
      if (refusals >= (this.#host.options.maxRefusals ?? DEFAULT_MAX_REFUSALS)) {
        throw invalidParams(`the answer to ${JSON.stringify(key)} is no good: ${reason}`);
      }
      record.set({ kind, key, marks, refusals });
    } else if (entry === undefined) record.set({ kind, key, marks });
    return this.#wait(key, reason === undefined ? first : asked.request(reason));
  }

  /** Never resolves: the run ends, and the next one gets the answer. */
  #wait(key: string, request: InputRequest): Promise<never> {
    const waiting = new Promise<never>((_, reject) => {
      this.#pending.push({ key, request, reject });
    });
    waiting.catch(() => {}); // a handler may have stopped waiting for it
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      // After the present turn: what is asked together is asked in one round.
      setTimeout(() => this.#maySuspend(0), 0);
    }
    return waiting;
  }

  /**
   * Suspends once nothing is under way any more: a step that runs has its effect, so its result must travel along, and
   * branches of the handler that run side by side may come to their asks a little later.
   */
  #maySuspend(waitedMs: number): void {
    this.#record
      .then((record) => {
        const missed = this.#missed(record);
        if (this.#runningSteps > 0 || (missed !== undefined && waitedMs < GRACE_MS)) {
          const counted = this.#runningSteps > 0 ? waitedMs : waitedMs + LOOK_MS;
          setTimeout(() => this.#maySuspend(counted), LOOK_MS);
          return;
        }
        const reason = new SuspendedError();
        this.#suspended = reason;
        this.#call.suspend(this.#question(record, missed), reason);
        for (const pending of this.#pending) pending.reject(reason);
      })
      .catch(() => {}); // an ask that failed with the record has said so
  }

  /** The first thing of the record that this run has not come to. */
  #missed(record: CallRecord): Entry | undefined {
    return record.entries().find((entry) => !this.#seen.has(nameOf(entry.kind, entry.key)));
  }

  async #question(record: CallRecord, missed: Entry | undefined): Promise<object> {
    const asks = this.#pending.map(({ key }) => JSON.stringify(key)).join(', ');
    if (missed !== undefined) {
      throw new UsageError(
        `the handler is not deterministic: it asks ${asks} now, and did not come to ${missed.kind} ` +
          `${JSON.stringify(missed.key)} as it did before`,
      );
    }
    const inputRequests = Object.fromEntries(this.#pending.map(({ key, request }) => [key, request]));
    const requestState = await this.#codec.write(record, this.#call.identity);
    return { resultType: 'input_required', inputRequests, requestState };
  }

  #claim(kind: EntryKind, key: string): void {
    if (this.#suspended !== undefined) throw this.#suspended;
    if (typeof key !== 'string' || key === '' || key.length > 128) {
      throw new UsageError('a key is a string of 1 to 128 characters');
    }
    const name = nameOf(kind, key);
    if (this.#seen.has(name)) {
      throw new UsageError(
        `the key ${JSON.stringify(key)} is used twice: each ask and each step of a handler has a key of its own`,
      );
    }
    this.#seen.add(name);
  }
}

/** A run that asks otherwise than the one before would get an answer to another question. */
function assertSame(entry: Entry, kind: EntryKind, marks: { readonly [part: string]: string }): void {
  const changed =
    entry.kind === kind
      ? Object.keys(marks).find((part) => entry.marks[part] !== marks[part])
      : 'kind of question';
  if (changed === undefined) return;
  throw new UsageError(
    `the handler is not deterministic: the ${changed} of ${JSON.stringify(entry.key)} is not what it was when it was asked; ` +
      'let it depend on arguments, answers and the results of steps alone',
  );
}

function toJson(name: string, value: unknown): unknown {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch (error) {
    throw new UsageError(
      `the result of step ${JSON.stringify(name)} is no JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Handlers may change what they get; the record must not change with it. */
function copy(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value;
}
