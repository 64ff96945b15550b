import type { JsonObject } from '../../protocol/json.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { assertSecrets } from '../../seal/secrets.ts';
import type { MarkStore } from '../../scale/mark-store.ts';
import type { ServerReport } from '../settings.ts';

/** How input is asked for. Every bound has a default and can be changed. */
export interface InputOptions {
  /**
   * Secrets that seal `requestState`, each at least 32 random characters: the first seals, all of them open. With the
   * same secrets any instance can go on with a call. Default: a random one for this process.
   */
  readonly secrets?: readonly string[];
  /** Milliseconds that a client has for its answer. Default 600,000. */
  readonly ttlMs?: number;
  /** Most characters of a `requestState`. Default 16,384. */
  readonly maxStateLength?: number;
  /** Answers to one question that may be no good before the call fails. Default 3. */
  readonly maxRefusals?: number;
  /**
   * Milliseconds that branches of a handler which run side by side get to come to what was asked before, when another
   * one asks something new. After it the handler counts as not deterministic. Default 5,000; running steps stop the clock.
   */
  readonly graceMs?: number;
  /** Makes every `requestState` good for one retry alone. Default: it may be sent again until it expires. */
  readonly marks?: MarkStore;
}

export const DEFAULT_INPUT = {
  ttlMs: 600_000,
  maxStateLength: 16_384,
  maxRefusals: 3,
  graceMs: 5000,
} as const;

/** Throws where an option can't be meant, when the server is made and not when somebody is asked. */
export function assertInputOptions(options: InputOptions): void {
  for (const name of ['ttlMs', 'maxStateLength', 'maxRefusals', 'graceMs'] as const) {
    const value = options[name];
    if (value === undefined || (Number.isSafeInteger(value) && value > 0)) continue;
    throw new UsageError(`input.${name} must be an integer > 0, got ${String(value)}`);
  }
  if (options.secrets !== undefined) assertSecrets(options.secrets);
}

/** What a call's record is bound to: nothing else may go on with it. */
export interface CallIdentity {
  readonly method: string;
  /** Name of the tool or prompt, or URI of the resource. */
  readonly target: string;
  /** The arguments, as the client sent them. */
  readonly args: JsonObject;
  readonly principal: string;
}

/** The server's side of all runs. */
export interface InputHost {
  readonly options: InputOptions;
  readonly report: (report: ServerReport) => void;
}

/** JSON with sorted members: the same arguments read the same, however the client wrote them. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}

export async function digest(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
