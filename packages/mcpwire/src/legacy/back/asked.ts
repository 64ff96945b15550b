import type { ClientCapabilities } from '../../protocol/capabilities.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Question } from '../../protocol/revisions/step.ts';

/** A question that waits for its answer, in the words of the newest revision. */
export interface Asked {
  readonly question: Question;
  /** What a client must have declared to be asked this. */
  readonly needs: ClientCapabilities;
  /** Takes the answer. */
  settle(answer: JsonObject): void;
  /** Nobody answers it: `why` is for whoever asked. */
  drop(why: string): void;
  /** Whoever it was put to is gone: it may be put to somebody else, or is dropped. */
  leave(why: string): void;
}

const SHAPES: { readonly [method: string]: (answer: JsonObject) => boolean } = {
  'elicitation/create': ({ action }) => action === 'accept' || action === 'decline' || action === 'cancel',
  'sampling/createMessage': ({ role, content, model }) =>
    typeof role === 'string' && typeof content === 'object' && content !== null && typeof model === 'string',
  'roots/list': ({ roots }) => Array.isArray(roots),
};

/** Whether the value answers a question of this method at all. One that doesn't is like none: the question is put again. */
export function isAnswer(method: string, value: unknown): value is JsonObject {
  return isJsonObject(value) && SHAPES[method]?.(value) === true;
}
