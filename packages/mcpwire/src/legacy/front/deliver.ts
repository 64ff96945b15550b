import { encodeError } from '../../protocol/encode-message.ts';
import type { Caller } from '../../protocol/handler.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { ErrorMessage, Message, ResultMessage } from '../../protocol/message.ts';
import { classify } from '../../protocol/parse-message.ts';
import type { InvalidMessage } from '../../protocol/parse-message.ts';
import { invalidRequest } from '../../protocol/protocol-error.ts';
import { BatchReply, MAX_BATCH } from './batch.ts';
import type { LegacyReply } from './reply.ts';
import type { LegacySession } from './session.ts';

/** What one piece of input may hold. */
export type Parsed = Message | InvalidMessage;

/** The messages of a batch, or why the whole of it is refused (2025-03-26 basic, "Batching"). */
export function parseBatch(values: readonly unknown[]): readonly Parsed[] | InvalidMessage {
  if (values.length === 0) return refused('a batch holds at least one message');
  if (values.length > MAX_BATCH) return refused(`a batch holds at most ${MAX_BATCH} messages`);
  const hasHandshake = values.some((value) => isJsonObject(value) && value['method'] === 'initialize');
  return hasHandshake ? refused("initialize can't be part of a batch") : values.map(classify);
}

/** Where messages go, and how the way back is opened when one of them needs an answer. */
export interface Delivery {
  readonly session: LegacySession;
  open(): { readonly caller: Caller; readonly reply: LegacyReply };
  /** Hears of answers to no question. */
  unexpected(message: ResultMessage | ErrorMessage): void;
}

/** Gives the messages of one piece of input to their session, in order; false where none of them needs an answer. */
export function deliver(messages: readonly Parsed[], isBatch: boolean, to: Delivery): boolean {
  // First, because what settles a question is not answered as a request: its id is one of ours.
  const settled = new Set<Parsed>(
    messages.filter((message) => message.kind === 'invalid' && to.session.response(message)),
  );
  const needsAnswer = (message: Parsed): boolean => isAnswerable(message) && !settled.has(message);
  const answers = messages.reduce((count, message) => count + (needsAnswer(message) ? 1 : 0), 0);
  const way = answers === 0 ? undefined : to.open();
  const batch = way !== undefined && isBatch ? new BatchReply(answers, way.reply) : undefined;
  for (const message of messages) {
    const reply = needsAnswer(message) ? (batch?.part() ?? way?.reply) : undefined;
    switch (message.kind) {
      case 'request':
        if (way !== undefined && reply !== undefined) to.session.request(message, way.caller, reply);
        break;
      case 'notification':
        to.session.notification(message);
        break;
      case 'invalid':
        reply?.finish(encodeError(message.id, message.error.toWire()));
        break;
      default:
        if (!to.session.response(message)) to.unexpected(message);
    }
  }
  return way !== undefined;
}

function isAnswerable(message: Parsed): boolean {
  return message.kind === 'request' || (message.kind === 'invalid' && !message.silent);
}

function refused(message: string): InvalidMessage {
  return { kind: 'invalid', error: invalidRequest(message), id: undefined, silent: false };
}
