import { isJsonObject, jsonType } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { checkContentBlock, isContentBlock } from './content-check.ts';

/** What is wrong with the params of a question, or undefined. */
type Check = (params: JsonObject) => string | undefined;

/** Every question that a server may ask (MRTR-06). */
const QUESTIONS: { readonly [method: string]: Check } = {
  'elicitation/create': checkElicitation,
  'sampling/createMessage': checkSampling,
  'roots/list': () => undefined,
};

/** How the params of a question are checked; undefined where the method asks nothing. */
export function checkOf(method: string): Check | undefined {
  return Object.hasOwn(QUESTIONS, method) ? QUESTIONS[method] : undefined;
}

function checkElicitation(params: JsonObject): string | undefined {
  if (typeof params['message'] !== 'string') return `.message must be a string`;
  switch (params['mode']) {
    case 'url':
      return typeof params['url'] === 'string' && URL.canParse(params['url'])
        ? undefined
        : '.url must be a valid URL';
    case undefined:
    case 'form':
      return checkForm(params['requestedSchema']);
    default:
      return '.mode must be "form" or "url"';
  }
}

/** A form is flat: an object of primitives, so that any client can draw it (ELIC-14). */
function checkForm(schema: unknown): string | undefined {
  if (!isJsonObject(schema) || schema['type'] !== 'object' || !isJsonObject(schema['properties'])) {
    return '.requestedSchema must have type "object" and properties';
  }
  for (const [name, property] of Object.entries(schema['properties'])) {
    if (!isField(property)) {
      return `.requestedSchema.properties.${name} must be a string, a number, an integer, a boolean or a choice of strings`;
    }
  }
  return undefined;
}

function isField(property: unknown): boolean {
  if (!isJsonObject(property)) return false;
  switch (property['type']) {
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
      return true;
    case 'array': {
      const { items } = property;
      return isJsonObject(items) && (Array.isArray(items['enum']) || Array.isArray(items['anyOf']));
    }
    default:
      return false;
  }
}

function checkSampling(params: JsonObject): string | undefined {
  if (!Number.isSafeInteger(params['maxTokens'])) return '.maxTokens must be an integer';
  const { messages } = params;
  if (!Array.isArray(messages)) return `.messages must be an array, got ${jsonType(messages)}`;
  /** Tool uses of the message before, which this one must answer (SAMP-12). */
  let open: readonly unknown[] = [];
  for (const [index, message] of messages.entries()) {
    const at = `.messages[${index}]`;
    if (!isJsonObject(message) || (message['role'] !== 'user' && message['role'] !== 'assistant')) {
      return `${at}.role must be "user" or "assistant"`;
    }
    const blocks = blocksOf(message['content']);
    if (blocks === undefined) return `${at}.content must be content blocks`;
    const results = idsOf(blocks, 'tool_result', 'toolUseId');
    if (results.length > 0 && (message['role'] !== 'user' || results.length < blocks.length)) {
      return `${at}.content must hold nothing but tool results where it holds one, in a user message`;
    }
    if (results.length !== open.length || open.some((id) => !results.includes(id))) {
      return `${at}.content must hold one tool result for each tool use of the message before`;
    }
    open = message['role'] === 'assistant' ? idsOf(blocks, 'tool_use', 'id') : [];
  }
  return open.length === 0 ? undefined : '.messages must end with the results of the tools that were used';
}

/** Whether something is the content of a sampling message. */
export function isSamplingContent(content: unknown): boolean {
  const blocks = blocksOf(content);
  return blocks !== undefined && blocks.length > 0;
}

function blocksOf(content: unknown): readonly JsonObject[] | undefined {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.every(isSamplingBlock) ? blocks : undefined;
}

function isSamplingBlock(block: unknown): block is JsonObject {
  if (!isJsonObject(block)) return false;
  switch (block['type']) {
    case 'tool_use':
      return (
        typeof block['id'] === 'string' && typeof block['name'] === 'string' && isJsonObject(block['input'])
      );
    case 'tool_result':
      return typeof block['toolUseId'] === 'string' && Array.isArray(block['content']);
    case 'text':
    case 'image':
    case 'audio':
      return isContentBlock(block) && checkContentBlock(block) === undefined;
    default:
      return false;
  }
}

function idsOf(blocks: readonly JsonObject[], type: string, member: string): readonly unknown[] {
  return blocks.filter((block) => block['type'] === type).map((block) => block[member]);
}
