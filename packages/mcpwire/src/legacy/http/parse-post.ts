import { isJsonObject } from '../../protocol/json.ts';
import type { Message } from '../../protocol/message.ts';
import { classify } from '../../protocol/parse-message.ts';
import type { InvalidMessage } from '../../protocol/parse-message.ts';
import { invalidRequest } from '../../protocol/protocol-error.ts';
import { MAX_BATCH } from '../front/batch.ts';

export type Parsed = Message | InvalidMessage;

/** The messages of a legacy POST: one, or a batch; or why the whole of it is refused. */
export function parsePost(value: unknown): readonly Parsed[] | InvalidMessage {
  if (!Array.isArray(value)) {
    const message = classify(value);
    return message.kind === 'invalid' ? message : [message];
  }
  if (value.length === 0) return refusedBatch('a batch holds at least one message');
  if (value.length > MAX_BATCH) return refusedBatch(`a batch holds at most ${MAX_BATCH} messages`);
  const messages = value.map(classify);
  const hasHandshake = value.some((message) => isJsonObject(message) && message['method'] === 'initialize');
  return hasHandshake ? refusedBatch("initialize can't be part of a batch") : messages;
}

function refusedBatch(message: string): InvalidMessage {
  return { kind: 'invalid', error: invalidRequest(message), id: undefined, silent: false };
}
