import type { JsonObject } from '../json.ts';
import { STEP_UP_2025_11_25 } from './2025-11-25/step.ts';
import { STEP_UP_2026_07_28 } from './2026-07-28/step.ts';
import type { Question, StepUp } from './step.ts';

/** From the revision before to this one, oldest first. Between the oldest ones a server's words only gained. */
const STEPS_UP: readonly (readonly [version: string, step: StepUp])[] = [
  ['2025-11-25', STEP_UP_2025_11_25],
  ['2026-07-28', STEP_UP_2026_07_28],
];

/** What a server of an older revision says, in the words of the newest one. */
export class UpwardTranslation {
  readonly #steps: readonly StepUp[];

  constructor(version: string) {
    this.#steps = STEPS_UP.filter(([to]) => to > version).map(([, step]) => step);
  }

  result(method: string, result: JsonObject): JsonObject {
    let newer = result;
    for (const step of this.#steps) newer = step.result?.(method, newer) ?? newer;
    return newer;
  }

  question(question: Question): Question {
    return this.#steps.reduce((newer, step) => step.question?.(newer) ?? newer, question);
  }

  serverCapabilities(capabilities: JsonObject): JsonObject {
    return this.#steps.reduce((newer, step) => step.serverCapabilities?.(newer) ?? newer, capabilities);
  }
}
