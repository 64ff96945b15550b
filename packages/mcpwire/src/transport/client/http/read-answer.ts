import { isJsonObject } from '../../../protocol/json.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import type { ErrorMessage, Message, ResultMessage } from '../../../protocol/message.ts';
import { classify, parseText } from '../../../protocol/parse-message.ts';
import type { InvalidMessage } from '../../../protocol/parse-message.ts';
import { PeerError } from '../../../protocol/protocol-error.ts';
import type { RequestId } from '../../../protocol/request-id.ts';
import type { TextBounds } from '../../../protocol/scan-text.ts';
import { ProtocolViolationError } from '../errors.ts';
import type { HttpWire } from './http-wire.ts';
import { mediaType } from './sender.ts';
import type { HttpAnswer } from './sender.ts';

/** What one text off the wire may hold; in one old revision several messages. */
export function messagesOf(text: string, bounds: TextBounds): readonly (Message | InvalidMessage)[] {
  const parsed = parseText(text, bounds);
  if (parsed.kind === 'invalid') return [parsed];
  return Array.isArray(parsed.value) ? parsed.value.map(classify) : [classify(parsed.value)];
}

/**
 * The response in a JSON answer to one request. Throws a `ProtocolViolationError` where it is none, or another's: ids
 * match by type and value. An error without an id is meant for whom it was sent to (BASE-12).
 */
function responseIn(text: string, id: RequestId, bounds: TextBounds): ResultMessage | ErrorMessage {
  const messages = messagesOf(text, bounds);
  const own = messages.find((message) => isResponseTo(message, id));
  if (own?.kind === 'result' || own?.kind === 'error') return own;
  const [first] = messages;
  throw new ProtocolViolationError(
    whyNot(first, id),
    first?.kind === 'invalid' ? 'BASE-02' : 'BASE-06',
    text,
  );
}

export function isResponseTo(message: Message | InvalidMessage, id: RequestId): boolean {
  if (message.kind === 'error') return message.id === undefined || message.id === id;
  return message.kind === 'result' && message.id === id;
}

function whyNot(message: Message | InvalidMessage | undefined, id: RequestId): string {
  if (message === undefined) return 'the server answered with an empty list';
  switch (message.kind) {
    case 'invalid':
      return `the server's answer is no message: ${message.error.message}`;
    case 'result':
    case 'error':
      return `the server answered request ${JSON.stringify(id)} with a response to ${JSON.stringify(message.id)}`;
    default:
      return `the server answered with ${message.method}, which is no response`;
  }
}

/** The id that a malformed message may have been meant for. */
export function idIn(message: InvalidMessage, text: string): RequestId | undefined {
  if (message.id !== undefined) return message.id;
  try {
    const value: unknown = JSON.parse(text);
    const id = isJsonObject(value) ? value['id'] : undefined;
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch {
    return undefined; // then there is none to be read
  }
}

/** The result in an answer that is no stream. Rejects with the server's `PeerError`, or a `ProtocolViolationError`. */
export async function resultIn(
  answer: HttpAnswer,
  id: RequestId,
  method: string,
  wire: HttpWire,
): Promise<JsonObject> {
  const type = mediaType(answer);
  const text = await answer.text(wire.bounds.maxBodyBytes);
  if (type !== 'application/json') {
    throw new ProtocolViolationError(
      `the server answered ${method} with HTTP ${answer.status} and the media type ${JSON.stringify(type)}, neither JSON nor an event stream`,
      'HTTP-15',
      text,
    );
  }
  const response = responseIn(text, id, wire.textBounds);
  if (response.kind === 'error') throw new PeerError(response.error, answer.status);
  return response.result;
}
