import type { InputRequest } from '../../protocol/input.ts';
import type { Entry } from './record.ts';

/** A question that waits for an answer of a later round. */
export interface OpenQuestion {
  readonly key: string;
  readonly request: InputRequest;
}

/** What decides when the questions of a round are complete. */
export interface RoundRules {
  /** The first ask of the run before that this run has not come to. */
  missed(): Entry | undefined;
  /** How long a run gets to come to it. */
  readonly graceMs: number;
  /** The questions are complete, or one of before is missing for good. Called once. */
  onComplete(questions: readonly OpenQuestion[], missed: Entry | undefined): void;
}

interface Waiting extends OpenQuestion {
  reject(reason: unknown): void;
}

type Timer = ReturnType<typeof setTimeout>;

/**
 * The open questions of one run. They are complete once nothing is under way any more: what is asked in the same turn is
 * asked in one round, a step that runs has its effect, so its result must travel along, and branches that run side by
 * side may come to their asks a little later than in the run before.
 */
export class OpenQuestions {
  readonly #rules: RoundRules;
  readonly #waiting: Waiting[] = [];
  #underWay = 0;
  #isClosed = false;
  #turn: Timer | undefined;
  #grace: Timer | undefined;

  constructor(rules: RoundRules) {
    this.#rules = rules;
  }

  get questions(): readonly OpenQuestion[] {
    return this.#waiting;
  }

  /** Never resolves: the run ends, and the next one gets the answer. */
  add(question: OpenQuestion): Promise<never> {
    return new Promise<never>((_, reject) => {
      this.#waiting.push({ ...question, reject });
      this.look();
    });
  }

  /** Something runs that must be done before the questions go out. */
  begin(): void {
    this.#underWay++;
    clearTimeout(this.#grace);
    this.#grace = undefined;
  }

  end(): void {
    this.#underWay--;
    this.look();
  }

  /** Looks after the present turn whether the questions are complete: something changed. */
  look(): void {
    if (this.#isClosed || this.#underWay > 0 || this.#waiting.length === 0) return;
    this.#turn ??= setTimeout(() => this.#decide(), 0);
  }

  /** The run is over, one way or another: whoever still waits hears why. */
  close(reason: unknown): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#turn);
    clearTimeout(this.#grace);
    for (const waiting of this.#waiting) waiting.reject(reason);
  }

  #decide(): void {
    this.#turn = undefined;
    if (this.#underWay > 0) return;
    const missed = this.#rules.missed();
    if (missed === undefined) this.#rules.onComplete(this.#waiting, undefined);
    else {
      this.#grace ??= setTimeout(() => {
        this.#rules.onComplete(this.#waiting, this.#rules.missed());
      }, this.#rules.graceMs);
    }
  }
}
