import { isJsonObject } from '../../json.ts';
import type { JsonObject } from '../../json.ts';
import { mapContent, mapEntries } from '../map-parts.ts';
import { omit } from '../omit.ts';
import type { Question, Step, StepUp } from '../step.ts';
import { Untranslatable } from '../step.ts';

/** 2025-11-25 in the words of 2025-06-18: no icons, no URL elicitation, no tools in sampling, one-of enums only. */
export const STEP_2025_11_25: Step = {
  result(method, result) {
    const listed = mapEntries(method, result, (entry) => omit(entry, 'icons', 'execution'));
    return mapContent(method, listed, (block) =>
      block['type'] === 'resource_link' ? omit(block, 'icons') : block,
    );
  },
  question(question) {
    if (question.method === 'elicitation/create') return elicitation(question);
    return question.method === 'sampling/createMessage' ? sampling(question) : question;
  },
  answer: (method, result) => (method === 'sampling/createMessage' ? oneBlock(result) : result),
  serverCapabilities: (capabilities) => omit(capabilities, 'tasks'),
  implementation: (implementation) => omit(implementation, 'icons', 'description', 'websiteUrl'),
};

/** 2025-06-18 in the words of 2025-11-25: choices that have titles are alternatives. */
export const STEP_UP_2025_11_25: StepUp = {
  question(question) {
    const schema = question.params['requestedSchema'];
    if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return question;
    const properties = Object.fromEntries(
      Object.entries(schema['properties']).map(([name, field]) => [
        name,
        isJsonObject(field) ? newField(field) : field,
      ]),
    );
    return {
      ...question,
      params: { ...question.params, requestedSchema: { ...schema, properties } },
    };
  },
};

function newField(field: JsonObject): JsonObject {
  const { enum: values, enumNames: names, ...rest } = field;
  if (!Array.isArray(values) || !Array.isArray(names)) return field;
  const oneOf = values.map((value: unknown, at) => {
    const title: unknown = names[at];
    return { const: value, title: typeof title === 'string' ? title : String(value) };
  });
  return { ...rest, oneOf };
}

/** A sampled message held one block: several texts become one, and of other blocks the first stays. */
function oneBlock(result: JsonObject): JsonObject {
  const { content } = result;
  if (!Array.isArray(content)) return result;
  const blocks = content.filter(isJsonObject);
  const texts = blocks.map((block) => (block['type'] === 'text' ? block['text'] : undefined));
  const isText = blocks.length > 0 && texts.every((text) => typeof text === 'string');
  const block = isText && blocks.length > 1 ? { type: 'text', text: texts.join('\n') } : blocks[0];
  return { ...result, content: block ?? { type: 'text', text: '' } };
}

function elicitation(question: Question): Question {
  const { mode, ...params } = question.params;
  if (mode === 'url') throw new Untranslatable('URL elicitation exists since 2025-11-25');
  const schema = params['requestedSchema'];
  if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return { ...question, params };
  const properties = Object.fromEntries(
    Object.entries(schema['properties']).map(([name, property]) => [
      name,
      isJsonObject(property) ? oldField(name, property) : property,
    ]),
  );
  return { ...question, params: { ...params, requestedSchema: { ...omit(schema, '$schema'), properties } } };
}

function oldField(name: string, field: JsonObject): JsonObject {
  if (field['type'] === 'array') {
    throw new Untranslatable(`the field ${name} takes several choices, which exist since 2025-11-25`);
  }
  // Defaults of strings and numbers were not defined yet; those of booleans were.
  const plain = field['type'] === 'boolean' ? field : omit(field, 'default');
  const { oneOf, ...rest } = plain;
  if (!Array.isArray(oneOf)) return plain;
  const choices = oneOf.filter(isJsonObject);
  return {
    ...rest,
    enum: choices.map((choice) => choice['const']),
    enumNames: choices.map((choice) => choice['title'] ?? String(choice['const'])),
  };
}

function sampling(question: Question): Question {
  const { params } = question;
  if (params['tools'] !== undefined || params['toolChoice'] !== undefined) {
    throw new Untranslatable('tools in sampling exist since 2025-11-25');
  }
  const messages = Array.isArray(params['messages'])
    ? params['messages'].filter(isJsonObject).flatMap(oneBlockEach)
    : [];
  return { ...question, params: { ...omit(params, '_meta'), messages } };
}

/** A message held one block: one that holds several becomes several messages of the same role. */
function oneBlockEach(message: JsonObject): readonly JsonObject[] {
  const { content } = message;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  if (blocks.some((block) => isJsonObject(block) && TOOL_BLOCKS.has(block['type']))) {
    throw new Untranslatable('tools in sampling exist since 2025-11-25');
  }
  return blocks.map((block) => ({ ...message, content: block }));
}

const TOOL_BLOCKS: ReadonlySet<unknown> = new Set(['tool_use', 'tool_result']);
