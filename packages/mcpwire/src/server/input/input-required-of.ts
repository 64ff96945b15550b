import type { InputRequired } from '../tool-types.ts';

/**
 * The low-level form of asking: return this from a handler, and read `context.inputResponses` and
 * `context.requestState` in the next run. The state is yours to protect then: a client may send whatever it likes.
 */
export function inputRequired(question: Omit<InputRequired, 'resultType'>): InputRequired {
  return { resultType: 'input_required', ...question };
}
