import { asError } from '../../async/as-error.ts';
import { onAbort } from '../../async/on-abort.ts';
import { ProtocolViolationError } from '../../transport/client/errors.ts';
import type { RequestOptions } from '../options.ts';
import type { Requester } from '../requester.ts';
import type { ToolCallResult } from '../tool-result.ts';
import { OutputChecks } from './output-checks.ts';

/** How long a result waits for the list of tools that it is checked against. */
const LEARNING_MS = 10_000;
/** How often the list is fetched again because results don't fit it. */
const ASK_AGAIN_MS = 10_000;

/** Results of tools, checked against what the list of tools promises of them. */
export class CheckedResults {
  readonly #requester: Requester;
  readonly #checks: OutputChecks;
  readonly #listTools: () => Promise<unknown>;
  /** The list that is fetched because a result is to be checked; one for all that wait for it. */
  #learning: Promise<unknown> | undefined;
  #hasToldWaiting = false;
  /** When the list was fetched because a result did not fit. */
  #askedAgain = 0;

  constructor(requester: Requester, listTools: () => Promise<unknown>) {
    const { options, report, bounds } = requester;
    this.#requester = requester;
    this.#listTools = listTools;
    this.#checks = new OutputChecks(options.schemaBounds, report, bounds.maxListed);
  }

  learn(name: string, schema: unknown): void {
    this.#checks.learn(name, schema);
  }

  /** The list of tools changed: what is known of them may be wrong. */
  forget(): void {
    this.#checks.forget();
    this.#learning = undefined;
  }

  /** The result, as soon as it is known to be what was promised. */
  checked(
    name: string,
    called: ToolCallResult,
    options: RequestOptions,
  ): ToolCallResult | Promise<ToolCallResult> {
    if (called.isError) return called;
    const { structured } = called;
    const isFine = this.#checks.knows(name) ? this.#checks.quick(name, structured) : structured === undefined;
    return isFine ? called : this.#check(name, called, options);
  }

  async #check(name: string, called: ToolCallResult, options: RequestOptions): Promise<ToolCallResult> {
    if (!this.#checks.knows(name)) await this.#learnTools(name, options);
    try {
      await this.#checkTwice(name, called.structured, options);
    } catch (error) {
      const { invalidOutput } = this.#requester.options;
      if (invalidOutput !== 'report' || !(error instanceof ProtocolViolationError)) throw error;
      this.#requester.report({ kind: 'invalid-output', method: 'tools/call', message: error.message });
    }
    return called;
  }

  /** What does not fit may fit a schema that has been changed meanwhile, about which it is asked now and then. */
  async #checkTwice(name: string, structured: unknown, options: RequestOptions): Promise<void> {
    try {
      await this.#checks.check(name, structured);
    } catch (error) {
      if (Date.now() - this.#askedAgain < ASK_AGAIN_MS) throw error;
      this.#askedAgain = Date.now();
      this.forget();
      await this.#learnTools(name, options);
      await this.#checks.check(name, structured);
    }
  }

  /** A result that may have been promised a shape: what was promised is looked up, once. */
  async #learnTools(name: string, { timeoutMs, signal }: RequestOptions): Promise<void> {
    const { bounds, report } = this.#requester;
    this.#learning ??= this.#listTools().catch((error: unknown) => {
      const message = 'the tools could not be listed, so results are not checked';
      report({ kind: 'unchecked-results', message, error });
    });
    const isDone = await endsWithin(
      this.#learning,
      Math.min(timeoutMs ?? bounds.timeoutMs, LEARNING_MS),
      signal,
    );
    if (isDone) {
      if (!this.#checks.knows(name)) this.#checks.learn(name, undefined);
    } else if (!this.#hasToldWaiting) {
      this.#hasToldWaiting = true;
      const message = 'the list of tools is not there yet, so results are not checked for now';
      report({ kind: 'unchecked-results', message });
    }
  }
}

/** Whether the work ends in time. Rejects with the reason of the signal. */
function endsWithin(work: Promise<unknown>, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const done = (isInTime: boolean): void => {
      clearTimeout(timer);
      ignore?.();
      resolve(isInTime);
    };
    const timer = setTimeout(() => done(false), ms);
    const leave = (): void => {
      reject(asError(signal?.reason));
      done(false);
    };
    const ignore = signal === undefined ? undefined : onAbort(signal, leave);
    void work.then(() => done(true));
  });
}
