import { isJsonObject } from '../../json.ts';
import type { JsonObject } from '../../json.ts';
import { mapArray, mapContent, mapEntries } from '../map-parts.ts';
import { omit } from '../omit.ts';
import type { Step } from '../step.ts';
import { Untranslatable } from '../step.ts';

/** 2025-06-18 in the words of 2025-03-26: no titles, no structured content, no resource links, no elicitation. */
export const STEP_2025_06_18: Step = {
  request: (method, params) => (method === 'completion/complete' ? omit(params, 'context') : params),
  result(method, result) {
    const listed = mapEntries(method, result, (entry) => oldEntry(entry));
    if (method === 'resources/read') {
      return { ...listed, contents: mapArray(listed['contents'], withoutMeta) };
    }
    const called = method === 'tools/call' ? omit(listed, 'structuredContent') : listed;
    return mapContent(method, called, oldBlock);
  },
  question(question) {
    if (question.method === 'elicitation/create') {
      throw new Untranslatable('elicitation exists since 2025-06-18');
    }
    return question;
  },
  implementation: (implementation) => omit(implementation, 'title'),
};

function oldEntry(entry: JsonObject): JsonObject {
  const plain = withoutTime(omit(entry, 'title', '_meta', 'outputSchema'));
  const args = plain['arguments'];
  if (!Array.isArray(args)) return plain;
  return { ...plain, arguments: args.map((arg: unknown) => (isJsonObject(arg) ? omit(arg, 'title') : arg)) };
}

function oldBlock(block: JsonObject): JsonObject {
  if (block['type'] !== 'resource_link') return withoutTime(withoutMeta(withoutResourceMeta(block)));
  const name = String(block['title'] ?? block['name']);
  const description = typeof block['description'] === 'string' ? ` – ${block['description']}` : '';
  return { type: 'text', text: `[Resource link: ${name}${description}] ${String(block['uri'])}` };
}

function withoutTime(part: JsonObject): JsonObject {
  const { annotations } = part;
  return isJsonObject(annotations) ? { ...part, annotations: omit(annotations, 'lastModified') } : part;
}

/** An embedded resource has contents as `resources/read` gives them. */
function withoutResourceMeta(block: JsonObject): JsonObject {
  const { resource } = block;
  return isJsonObject(resource) ? { ...block, resource: withoutMeta(resource) } : block;
}

function withoutMeta(part: JsonObject): JsonObject {
  return omit(part, '_meta');
}
