import { saysOver } from '../../async/abandoned.ts';
import type { Caller, Params } from '../../protocol/handler.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { MetaKey } from '../../protocol/meta-keys.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import type { InputCall, InputRun } from './input-run.ts';
import type { InputHost } from './scope.ts';
import type { StateCodec } from './state-codec.ts';

/**
 * The machinery of asking, for all calls of a server. Loaded with the first ask: a server that never asks never pays.
 */
export class InputMachinery {
  readonly host: InputHost;
  #loading: Promise<{ readonly codec: StateCodec; readonly Run: typeof InputRun }> | undefined;

  constructor(host: InputHost) {
    this.host = host;
  }

  load(): Promise<{ readonly codec: StateCodec; readonly Run: typeof InputRun }> {
    this.#loading ??= Promise.all([import('./input-run.ts'), import('./state-codec.ts')]).then(
      ([{ InputRun: Run }, { StateCodec: Codec }]) => ({ Run, codec: new Codec(this.host) }),
    );
    return this.#loading;
  }
}

/** A request whose handler may ask: one object for each tool, prompt and resource, made with its definition. */
export interface Askable {
  readonly machinery: InputMachinery;
  readonly method: string;
  /** Name of the tool or prompt, or URI of the resource. */
  readonly target: string;
}

/** What the asking of a request does to the request. */
export interface InputScope {
  readonly params: Params;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Aborts the signal that the handler sees. */
  abort(reason: unknown): void;
}

/** The asking of one request. */
export class CallInput {
  readonly #askable: Askable;
  #loading: Promise<InputRun> | undefined;
  #run: InputRun | undefined;
  /** What the call is answered with instead of what its handler makes. */
  #outcome: Promise<object> | undefined;
  #onOutcome: ((outcome: Promise<object>) => void) | undefined;
  /** Why the call was answered without its handler, where it was. */
  #finishedFor: Error | undefined;
  #isHandlerDone = false;

  constructor(askable: Askable) {
    this.#askable = askable;
  }

  /** Asks at once where the machinery is there: what is asked inside of a step is found out by the turn it is asked in. */
  ask(scope: () => InputScope, ask: (run: InputRun) => Promise<unknown>): Promise<unknown> {
    if (this.#run !== undefined) return ask(this.#run);
    this.#loading ??= this.#load(scope());
    return this.#loading.then(ask);
  }

  async #load(scope: InputScope): Promise<InputRun> {
    const { machinery, method, target } = this.#askable;
    const { Run, codec } = await machinery.load();
    const { params, caller, signal } = scope;
    const { arguments: args, requestState, inputResponses, _meta } = params;
    const call: InputCall = {
      identity: {
        method,
        target,
        args: isJsonObject(args) ? args : {},
        principal: caller.auth?.principal ?? '',
      },
      capabilities: _meta[MetaKey.clientCapabilities],
      requestState: typeof requestState === 'string' ? requestState : undefined,
      inputResponses: isJsonObject(inputResponses) ? inputResponses : undefined,
      signal,
      finish: (outcome, reason) => {
        this.#finishedFor = reason;
        this.#outcome = outcome;
        this.#onOutcome?.(outcome);
        scope.abort(reason);
      },
    };
    const run = new Run(call, machinery.host, codec);
    this.#run = run;
    if (this.#isHandlerDone) run.end(handlerDone());
    return run;
  }

  /** Whether the call was answered without its handler: nothing that it still does goes out. */
  get isFinished(): boolean {
    return this.#finishedFor !== undefined;
  }

  /** The handler has ended by itself. */
  handlerDone(): void {
    this.#isHandlerDone = true;
    this.#run?.end(handlerDone());
  }

  /** The outcome of a handler that may be suspended: the question then, whatever the handler does afterwards. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#onOutcome = (outcome) => resolve(outcome as Promise<T & object>);
      if (this.#outcome !== undefined) this.#onOutcome(this.#outcome);
      work.then(
        (value) => {
          if (this.#finishedFor !== undefined) this.#ignored('returned a value');
          this.handlerDone();
          resolve(value);
        },
        (error: unknown) => {
          if (this.#finishedFor !== undefined && error !== this.#finishedFor) this.#ignored('failed', error);
          this.handlerDone();
          reject(error);
        },
      );
    });
  }

  #ignored(what: string, error?: unknown): void {
    const { machinery, method, target } = this.#askable;
    const reason = this.#finishedFor?.name === 'SuspendedError' ? 'suspended for input' : 'ended';
    machinery.host.report({
      kind: 'suspension-caught',
      message: `${method} ${target} was ${reason}, went on and ${what}: it is ignored; let what an ask rejects with pass`,
      error,
    });
  }
}

export function handlerDone(): Error {
  return saysOver(new UsageError('nothing can be asked any more: the handler is over'));
}

/** Thrown where a handler asks and nothing can be asked. */
export function cantAskHere(): UsageError {
  return new UsageError('only tools, prompts and resource reads can ask for input');
}
