import { isJsonObject } from '../json.ts';
import type { JsonObject } from '../json.ts';

/** The parts of messages that several steps rewrite: entries of lists, content blocks, messages. */

type Map = (part: JsonObject) => JsonObject;

/** Where the entries of a list stand in its result. */
const LISTS: { readonly [method: string]: string } = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

/** Rewrites every entry of a list result; other results stay as they are. */
export function mapEntries(method: string, result: JsonObject, map: Map): JsonObject {
  const member = LISTS[method];
  if (member === undefined || !Array.isArray(result[member])) return result;
  return { ...result, [member]: mapArray(result[member], map) };
}

/** Rewrites every content block of a tool result or a prompt. */
export function mapContent(method: string, result: JsonObject, map: Map): JsonObject {
  if (method === 'tools/call') return { ...result, content: mapArray(result['content'], map) };
  if (method === 'prompts/get') {
    return { ...result, messages: mapArray(result['messages'], (part) => mapMessage(part, map)) };
  }
  return result;
}

/** Rewrites the content of one message: a block, or several of them. */
export function mapMessage(message: JsonObject, map: Map): JsonObject {
  const { content } = message;
  if (Array.isArray(content)) return { ...message, content: mapArray(content, map) };
  return isJsonObject(content) ? { ...message, content: map(content) } : message;
}

export function mapArray(value: unknown, map: Map): unknown {
  return Array.isArray(value) ? value.map((part: unknown) => (isJsonObject(part) ? map(part) : part)) : value;
}
