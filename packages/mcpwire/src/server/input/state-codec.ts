import { invalidParams } from '../../protocol/protocol-error.ts';
import { Sealer } from '../../seal/sealer.ts';
import type { SealContext } from '../../seal/sealer.ts';
import { CallRecord } from './record.ts';
import { canonicalJson, DEFAULT_INPUT, digest } from './scope.ts';
import type { CallIdentity, InputHost } from './scope.ts';

/** What is known of a call takes more room than a `requestState` may have. */
export class StateTooLargeError extends Error {
  override readonly name: string = 'StateTooLargeError';
}

/** Writes and reads `requestState`: a call's record, sealed and bound to the call (MRTR-07…12). */
export class StateCodec {
  readonly #host: InputHost;
  readonly #sealer: Sealer;

  constructor(host: InputHost) {
    this.#host = host;
    this.#sealer = new Sealer(host.options.secrets);
  }

  async write(record: CallRecord, call: CallIdentity): Promise<string> {
    const { ttlMs = DEFAULT_INPUT.ttlMs, maxStateLength = DEFAULT_INPUT.maxStateLength } = this.#host.options;
    const value = { ...record.toJson(), name: crypto.randomUUID() };
    const state = await this.#sealer.seal(value, await contextOf(call), ttlMs);
    if (state.length <= maxStateLength) return state;
    const largest = record.largest();
    const what = largest === undefined ? 'the record' : `${largest.kind} ${JSON.stringify(largest.key)}`;
    throw new StateTooLargeError(
      `what is known of the call takes ${state.length} characters of requestState, ${maxStateLength} are allowed: ` +
        `${what} is the largest part; keep large values elsewhere and return a reference to them`,
    );
  }

  /** The record of a retry. Anything but an untouched state of this very call is -32602, and the reason stays here. */
  async read(state: string, call: CallIdentity): Promise<CallRecord> {
    const {
      marks,
      ttlMs = DEFAULT_INPUT.ttlMs,
      maxStateLength = DEFAULT_INPUT.maxStateLength,
    } = this.#host.options;
    if (state.length > maxStateLength) throw this.#refuse(call, 'it is longer than any of ours');
    const opened = await this.#sealer.inspect(state, await contextOf(call));
    const record = opened.ok ? CallRecord.from(opened.value) : undefined;
    if (!opened.ok || record === undefined) {
      throw this.#refuse(call, opened.ok ? 'it holds no record' : opened.reason);
    }
    if (marks !== undefined && !(await marks.useOnce(String(opened.value['name']), Date.now() + ttlMs))) {
      throw this.#refuse(call, 'it was used before');
    }
    return record;
  }

  #refuse(call: CallIdentity, reason: string): Error {
    this.#host.report({ kind: 'request-state-refused', message: `${call.method} ${call.target}: ${reason}` });
    return invalidParams('requestState is not valid for this request: start the call again');
  }
}

async function contextOf(call: CallIdentity): Promise<SealContext> {
  const args = await digest(canonicalJson(call.args));
  return { purpose: 'requestState', bound: [call.method, call.target, args, call.principal] };
}
