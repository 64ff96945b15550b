import { Turns } from '../../async/turns.ts';
import type { LoggingLevel } from '../../protocol/common-types.ts';
import { isLoggingLevel, LOGGING_LEVELS } from '../../protocol/common-types.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Leg } from './leg.ts';
import type { Tally } from './tally.ts';

export interface LogSource {
  readonly tally: Tally;
  /** Whether the server says that it logs. */
  hasLogging(): boolean;
  setLevel(level: LoggingLevel): Promise<unknown>;
}

/**
 * A legacy server has one log level for all, a modern request has its own. So the server is told the lowest that an
 * open request wants, and what it says is sorted out here (LOG-04, LOG-06).
 */
export class LogLevels {
  readonly #source: LogSource;
  readonly #turns = new Turns();
  readonly #legs = new Set<Leg>();
  #told: LoggingLevel | undefined;

  constructor(source: LogSource) {
    this.#source = source;
  }

  /** Before a request is sent; resolves when the server knows the level. Undefined where there is nothing to wait for. */
  enter(leg: Leg): Promise<void> | undefined {
    if (leg.level === undefined) return undefined;
    this.#legs.add(leg);
    if (!this.#source.hasLogging()) return undefined;
    // Whoever has asked for the same level is not told before it is set.
    return this.#turns.take(() => this.#tell());
  }

  /** What was wanted stays set until the next request: the level doesn't go up and down with every one. */
  leave(leg: Leg): void {
    this.#legs.delete(leg);
  }

  /** The server starts afresh. */
  reset(): void {
    this.#told = undefined;
    if (this.#legs.size > 0 && this.#source.hasLogging()) void this.#turns.take(() => this.#tell());
  }

  /** `heardBy`: the request on whose own way it came; without it, all that want it hear it. */
  hear(params: JsonObject, heardBy: Leg | undefined): void {
    const { level } = params;
    if (!isLoggingLevel(level)) {
      this.#source.tally.count('log-malformed', 'the server sent a log message without a level');
      return;
    }
    let isHeard = false;
    for (const leg of heardBy === undefined ? this.#legs : [heardBy]) {
      if (leg.level === undefined || rank(level) < rank(leg.level)) continue;
      isHeard = true;
      leg.notify({ method: 'notifications/message', params });
    }
    if (!isHeard) {
      this.#source.tally.count('log-dropped', 'the server sent log messages that no open request asked for');
    }
  }

  async #tell(): Promise<void> {
    const lowest = [...this.#legs].reduce<LoggingLevel | undefined>(
      (least, { level }) =>
        level !== undefined && (least === undefined || rank(level) < rank(least)) ? level : least,
      undefined,
    );
    if (lowest === undefined || lowest === this.#told) return;
    this.#told = lowest;
    try {
      await this.#source.setLevel(lowest);
    } catch (error) {
      this.#source.tally.count('log-level-refused', 'the server did not take the log level', error);
    }
  }
}

function rank(level: LoggingLevel): number {
  return LOGGING_LEVELS.indexOf(level);
}
