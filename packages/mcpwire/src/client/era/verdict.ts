/** What was found out about a server, to be kept and given again: see `ConnectOptions.verdict`. */
export interface EraVerdict {
  readonly era: 'modern' | 'legacy';
  /** The revision that was spoken. */
  readonly version: string;
  /** How a legacy server is reached over HTTP: `sse` is the transport of 2024-11-05. */
  readonly transport?: 'http' | 'sse';
  /** When it was found out, ISO 8601. */
  readonly at: string;
}

/** Milliseconds that a verdict counts: a server that became modern would stay legacy for ever. */
export const DEFAULT_VERDICT_MS = 24 * 60 * 60 * 1000;
const MOST_VERDICTS = 1000;

/** Verdicts of this process, by origin or command (VER-09). */
export class Verdicts {
  readonly #known = new Map<string, EraVerdict>();

  get(key: string): EraVerdict | undefined {
    return this.#known.get(key);
  }

  set(key: string, verdict: EraVerdict): void {
    this.#known.delete(key);
    this.#known.set(key, verdict);
    if (this.#known.size > MOST_VERDICTS) {
      const [oldest] = this.#known.keys();
      if (oldest !== undefined) this.#known.delete(oldest);
    }
  }
}

/** Whether a verdict is young enough to be trusted. One whose date can't be read is not. */
export function isFresh(verdict: EraVerdict, maxAgeMs: number): boolean {
  const age = Date.now() - Date.parse(verdict.at);
  return age >= 0 && age <= maxAgeMs;
}
