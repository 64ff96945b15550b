import { withEncoding } from '../encoded.ts';
import type { JsonObject } from '../json.ts';
import { STEP_2025_03_26 } from './2025-03-26/step.ts';
import { STEP_2025_06_18 } from './2025-06-18/step.ts';
import { STEP_2025_11_25 } from './2025-11-25/step.ts';
import { STEP_2026_07_28 } from './2026-07-28/step.ts';
import type { Question, Step } from './step.ts';

/** From a revision to the one before it, newest first. */
const STEPS: readonly (readonly [version: string, step: Step])[] = [
  ['2026-07-28', STEP_2026_07_28],
  ['2025-11-25', STEP_2025_11_25],
  ['2025-06-18', STEP_2025_06_18],
  ['2025-03-26', STEP_2025_03_26],
];

/** Messages of the newest revision in the words of an older one: the steps between the two, in order. */
export class Translation {
  readonly #steps: readonly Step[];
  /** Results that are kept and sent again and again are translated once. */
  readonly #kept = new WeakMap<object, JsonObject>();

  constructor(version: string) {
    this.#steps = STEPS.filter(([from]) => from > version).map(([, step]) => step);
  }

  request(method: string, params: JsonObject): JsonObject {
    let older = params;
    for (const step of this.#steps) older = step.request?.(method, older) ?? older;
    return older;
  }

  result(method: string, result: JsonObject): JsonObject {
    if (!Object.isFrozen(result)) return this.#result(method, result);
    let translated = this.#kept.get(result);
    if (translated === undefined) {
      translated = withEncoding({ ...this.#result(method, result) });
      this.#kept.set(result, translated);
    }
    return translated;
  }

  notification(method: string, params: JsonObject): JsonObject {
    return this.#steps.reduce((older, step) => step.notification?.(method, older) ?? older, params);
  }

  /** Throws `Untranslatable` where the older revision can't ask such a thing. */
  question(question: Question): Question {
    return this.#steps.reduce((older, step) => step.question?.(older) ?? older, question);
  }

  answer(method: string, result: JsonObject): JsonObject {
    return this.#steps.reduce((older, step) => step.answer?.(method, older) ?? older, result);
  }

  serverCapabilities(capabilities: JsonObject): JsonObject {
    return this.#steps.reduce((older, step) => step.serverCapabilities?.(older) ?? older, capabilities);
  }

  implementation(implementation: JsonObject): JsonObject {
    return this.#steps.reduce((older, step) => step.implementation?.(older) ?? older, implementation);
  }

  #result(method: string, result: JsonObject): JsonObject {
    let older = result;
    for (const step of this.#steps) older = step.result?.(method, older) ?? older;
    return older;
  }
}

const TRANSLATIONS = new Map<string, Translation>();

/** The translation to a version; one object serves everybody who speaks it. */
export function translationTo(version: string): Translation {
  let translation = TRANSLATIONS.get(version);
  if (translation === undefined) {
    translation = new Translation(version);
    TRANSLATIONS.set(version, translation);
  }
  return translation;
}
