import { isJsonObject, jsonType } from './json.ts';
import type { JsonObject } from './json.ts';
import type { Message } from './message.ts';
import type { ErrorObject, ProtocolError } from './protocol-error.ts';
import { invalidRequest, parseError } from './protocol-error.ts';
import type { RequestId } from './request-id.ts';
import { isRequestId } from './request-id.ts';
import { scanText } from './scan-text.ts';
import type { TextBounds } from './scan-text.ts';

/** What could not become a message: the exact error to answer with, and the id where one could be read. */
export interface InvalidMessage {
  readonly kind: 'invalid';
  readonly error: ProtocolError;
  readonly id: RequestId | undefined;
  /** True when the sender cannot expect an answer: the text looks like a notification or a response. */
  readonly silent: boolean;
  /** True where it has no method: with an id, it stands where a response was due. */
  readonly isResponse?: true;
}

/** A text that is JSON within the bounds. */
export interface ParsedText {
  readonly kind: 'value';
  readonly value: unknown;
}

/**
 * Turns the text of one message into a classified message, or into the JSON-RPC error that it deserves:
 * -32700 where the text is no JSON, -32600 where the JSON is no message or breaks a bound.
 */
export function parseMessage(text: string, bounds: TextBounds): Message | InvalidMessage {
  const parsed = parseText(text, bounds);
  return parsed.kind === 'value' ? classify(parsed.value) : parsed;
}

/** The first half: the JSON value of a text, which may be a message or, in one old revision, a batch of them. */
export function parseText(text: string, bounds: TextBounds): ParsedText | InvalidMessage {
  // The bounds are there so that such a text is never parsed; its id is looked for in the beginning alone.
  const broken = scanText(text, bounds);
  if (broken !== undefined) {
    return invalid(invalidRequest(broken.message), broken.isAmbiguous ? undefined : readId(text));
  }
  try {
    return { kind: 'value', value: JSON.parse(text) };
  } catch (error) {
    return invalid(parseError(`not JSON: ${describe(error)}`), undefined);
  }
}

/** Classifies a parsed value (for texts that held a batch, or that came from elsewhere). */
export function classify(value: unknown): Message | InvalidMessage {
  if (!isJsonObject(value)) {
    const what = Array.isArray(value)
      ? 'a batch: this revision has none, send one message at a time'
      : jsonType(value);
    return invalid(invalidRequest(`a message is a JSON object, this is ${what}`), undefined);
  }
  const { id, method } = value;
  const hasId = id !== undefined;
  if (method === undefined) return classifyResponse(value, hasId);
  const readable = isRequestId(id) ? id : undefined;
  if (value['jsonrpc'] !== '2.0') return invalid(invalidRequest('jsonrpc must be "2.0"'), readable, !hasId);
  if (typeof method !== 'string') {
    return invalid(invalidRequest(`method must be a string, got ${jsonType(method)}`), readable, !hasId);
  }
  if (hasId && readable === undefined) {
    return invalid(invalidRequest('id must be a string or an integer that is exact in 53 bits'), undefined);
  }
  const params = value['params'];
  if (params !== undefined && !isJsonObject(params)) {
    return invalid(invalidRequest(`params must be an object, got ${jsonType(params)}`), readable, !hasId);
  }
  if (value['result'] !== undefined || value['error'] !== undefined) {
    return invalid(invalidRequest('a message has either method or result or error'), readable, !hasId);
  }
  if (readable === undefined) return { kind: 'notification', method, params: params ?? NONE };
  return { kind: 'request', id: readable, method, params: params ?? NONE };
}

const NONE: JsonObject = Object.freeze({});

function classifyResponse(value: JsonObject, hasId: boolean): Message | InvalidMessage {
  const { id, result, error } = value;
  const readable = isRequestId(id) ? id : undefined;
  const refuse = (message: string, silent = true): InvalidMessage => ({
    ...invalid(invalidRequest(message), readable, silent),
    isResponse: true,
  });
  if (result === undefined && error === undefined) {
    return refuse('a message has method, result or error: this has none', false);
  }
  if (value['jsonrpc'] !== '2.0') return refuse('jsonrpc must be "2.0"');
  if (error === undefined) {
    if (readable === undefined) return refuse('a result needs the id of its request');
    if (!isJsonObject(result)) return refuse('result must be an object');
    return { kind: 'result', id: readable, result };
  }
  if (result !== undefined || !isErrorObject(error) || (hasId && readable === undefined && id !== null)) {
    return refuse('error must be an object with an integer code and a message');
  }
  return { kind: 'error', id: readable, error };
}

function isErrorObject(value: unknown): value is ErrorObject & JsonObject {
  return isJsonObject(value) && Number.isSafeInteger(value['code']) && typeof value['message'] === 'string';
}

function invalid(error: ProtocolError, id: RequestId | undefined, silent = false): InvalidMessage {
  return { kind: 'invalid', error, id, silent };
}

/** Longest stretch of a refused text that is searched for its id. */
const ID_WINDOW = 1024;
const ID = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*[,}]/;

/** The id at the usual place, right at the start of the text, without parsing the rest. */
export function readId(text: string): RequestId | undefined {
  const found = ID.exec(text.slice(0, ID_WINDOW))?.[1];
  if (found === undefined) return undefined;
  try {
    const id: unknown = JSON.parse(found);
    return isRequestId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
