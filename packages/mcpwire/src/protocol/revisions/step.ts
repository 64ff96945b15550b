import type { JsonObject } from '../json.ts';

/** A question that a server wants to put to a client: a method and its params. */
export interface Question {
  readonly method: string;
  readonly params: JsonObject;
}

/**
 * How messages of one revision look in the revision before it. Each function gets a message in the words of its own
 * revision and gives it back in the older ones; what is left out stays as it is. Nothing is dropped that a person would
 * miss: content that the older revision has no block for becomes a text that says so.
 */
export interface Step {
  /** The params of a client's request of this method. */
  request?(method: string, params: JsonObject): JsonObject;
  /** The result of a request of this method. */
  result?(method: string, result: JsonObject): JsonObject;
  notification?(method: string, params: JsonObject): JsonObject;
  /** Throws `Untranslatable` where the older revision can't ask such a thing. */
  question?(question: Question): Question;
  /** A client's answer to a question of this method. */
  answer?(method: string, result: JsonObject): JsonObject;
  serverCapabilities?(capabilities: JsonObject): JsonObject;
  implementation?(implementation: JsonObject): JsonObject;
}

/**
 * The same step upward: how what a server of the revision before says looks in this one. What it says that nobody knows
 * stays as it is; what is malformed is left to whoever reads it, and takes nothing down that stands beside it.
 */
export interface StepUp {
  result?(method: string, result: JsonObject): JsonObject;
  question?(question: Question): Question;
  serverCapabilities?(capabilities: JsonObject): JsonObject;
}

/** The older revision has no way to say it. */
export class Untranslatable extends Error {
  override readonly name: string = 'Untranslatable';
}
