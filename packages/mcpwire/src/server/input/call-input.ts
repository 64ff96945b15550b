import type { Caller, Params } from '../../protocol/handler.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { MetaKey } from '../../protocol/meta-keys.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import type { InputCall, InputRun } from './input-run.ts';
import type { InputHost } from './scope.ts';
import type { StateCodec } from './state-codec.ts';
import { SuspendedError } from './suspended.ts';

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

/** The asking of one request. */
export class CallInput {
  readonly #askable: Askable;
  readonly #params: Params;
  readonly #caller: Caller;
  #run: Promise<InputRun> | undefined;
  #suspension: ((result: Promise<object>) => void) | undefined;
  #isSuspended = false;

  constructor(askable: Askable, params: Params, caller: Caller) {
    this.#askable = askable;
    this.#params = params;
    this.#caller = caller;
  }

  /** The run of the handler that asks. `abort` is told when the run is suspended. */
  run(abort: (reason: unknown) => void): Promise<InputRun> {
    this.#run ??= this.#askable.machinery.load().then(({ Run, codec }) => {
      const { machinery, method, target } = this.#askable;
      const { arguments: args, requestState, inputResponses, _meta } = this.#params;
      const call: InputCall = {
        identity: {
          method,
          target,
          args: isJsonObject(args) ? args : undefined,
          principal: this.#caller.auth?.principal ?? '',
        },
        capabilities: _meta[MetaKey.clientCapabilities],
        requestState: typeof requestState === 'string' ? requestState : undefined,
        inputResponses: isJsonObject(inputResponses) ? inputResponses : undefined,
        suspend: (result, reason) => {
          this.#isSuspended = true;
          this.#suspension?.(result);
          abort(reason);
        },
      };
      return new Run(call, machinery.host, codec);
    });
    return this.#run;
  }

  /** The outcome of a handler that may be suspended: the question then, whatever the handler does afterwards. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#suspension = (result) => resolve(result as Promise<T & object>);
      work.then(
        (value) => {
          if (this.#isSuspended) this.#ignored('returned a value');
          resolve(value);
        },
        (error: unknown) => {
          if (this.#isSuspended && !(error instanceof SuspendedError)) this.#ignored('failed', error);
          reject(error);
        },
      );
    });
  }

  #ignored(what: string, error?: unknown): void {
    const { machinery, method, target } = this.#askable;
    machinery.host.report({
      kind: 'suspension-caught',
      message: `${method} ${target} was suspended for input, went on and ${what}: it is ignored; let SuspendedError pass`,
      error,
    });
  }
}

/** Thrown where a handler asks and nothing can be asked. */
export function cantAskHere(): UsageError {
  return new UsageError('only tools, prompts and resource reads can ask for input');
}
