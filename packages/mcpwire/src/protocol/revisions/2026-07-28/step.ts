import { isJsonObject } from '../../json.ts';
import type { JsonObject } from '../../json.ts';
import { methodRow } from '../../methods.ts';
import { mapEntries } from '../map-parts.ts';
import { omit } from '../omit.ts';
import type { Step, StepUp } from '../step.ts';

const ENVELOPE = 'io.modelcontextprotocol/';

/** 2026-07-28 in the words of 2025-11-25: no result types, no caching hints, structured content is an object. */
export const STEP_2026_07_28: Step = {
  request(_method, params) {
    const { _meta, inputResponses: _answers, requestState: _state, ...rest } = params;
    const meta = isJsonObject(_meta) ? withoutEnvelope(_meta) : undefined;
    return meta === undefined ? rest : { ...rest, _meta: meta };
  },
  result(method, result) {
    const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, _meta, ...rest } = result;
    const meta = isJsonObject(_meta) ? withoutEnvelope(_meta) : undefined;
    const plain: JsonObject = meta === undefined ? rest : { ...rest, _meta: meta };
    if (
      method === 'tools/call' &&
      'structuredContent' in plain &&
      !isJsonObject(plain['structuredContent'])
    ) {
      return { ...plain, structuredContent: { result: plain['structuredContent'] } };
    }
    return method === 'tools/list' ? mapEntries(method, plain, objectOutput) : plain;
  },
  notification(_method, params) {
    const { _meta } = params;
    if (!isJsonObject(_meta)) return params;
    const meta = withoutEnvelope(_meta);
    return meta === undefined ? omit(params, '_meta') : { ...params, _meta: meta };
  },
  serverCapabilities: (capabilities) => omit(capabilities, 'extensions'),
};

/** 2025-11-25 in the words of 2026-07-28: results say their type and how long they keep, tasks are no part of it. */
export const STEP_UP_2026_07_28: StepUp = {
  result(method, result) {
    const { _meta, nextCursor, ...rest } =
      method === 'tools/list' ? mapEntries(method, result, withoutTasks) : result;
    const meta = isJsonObject(_meta) ? withoutEnvelope(_meta) : undefined;
    return {
      ...(method === 'tools/call' ? { content: [] } : {}),
      ...rest,
      // Some servers write out that there is no further page.
      ...(typeof nextCursor === 'string' ? { nextCursor } : {}),
      resultType: 'complete',
      // An older server doesn't say how long a result keeps, so it doesn't keep at all (CACHE-12).
      ...(methodRow(method)?.cacheable === true ? { ttlMs: 0, cacheScope: 'private' } : {}),
      ...(meta === undefined ? {} : { _meta: meta }),
    };
  },
  question({ method, params }) {
    const { _meta, ...rest } = omit(params, 'elicitationId', 'task');
    const meta = isJsonObject(_meta) ? withoutEnvelope(omit(_meta, 'progressToken')) : undefined;
    return { method, params: meta === undefined ? rest : { ...rest, _meta: meta } };
  },
  serverCapabilities: (capabilities) => omit(capabilities, 'tasks'),
};

/** A tool that can run as a task of the older kind runs as an ordinary call. */
function withoutTasks(tool: JsonObject): JsonObject {
  const { execution } = tool;
  if (!isJsonObject(execution)) return tool;
  const rest = omit(execution, 'taskSupport');
  return Object.keys(rest).length === 0 ? omit(tool, 'execution') : { ...tool, execution: rest };
}

function withoutEnvelope(meta: JsonObject): JsonObject | undefined {
  const kept = Object.keys(meta).filter((key) => !key.startsWith(ENVELOPE));
  return kept.length === 0 ? undefined : Object.fromEntries(kept.map((key) => [key, meta[key]]));
}

/** Older clients take output schemas of objects alone: another value stands in a member named `result`. */
function objectOutput(tool: JsonObject): JsonObject {
  const schema = tool['outputSchema'];
  if (!isJsonObject(schema) || schema['type'] === 'object') return tool;
  const { $defs, $schema, ...inner } = schema;
  const mayBeObject =
    schema['type'] === undefined || (Array.isArray(schema['type']) && schema['type'].includes('object'));
  // Definitions stay at the root; what refers to the root itself follows it to its new place.
  const place = mayBeObject ? '#/anyOf/0' : '#/properties/result';
  const moved = movedReferences(inner, place);
  const wrapped = { type: 'object', properties: { result: moved }, required: ['result'] };
  return {
    ...tool,
    outputSchema: {
      ...($schema === undefined ? {} : { $schema }),
      ...($defs === undefined ? {} : { $defs: movedReferences($defs, place) }),
      // Where the value may be an object it is sent as it is, and wrapped where it isn't.
      ...(mayBeObject ? { type: 'object', anyOf: [moved, wrapped] } : wrapped),
    },
  };
}

/** Keywords whose values are data: a member named `$ref` in them refers to nothing. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** A copy in which references to the root, or into it outside of `$defs`, lead to the new place of its content. */
function movedReferences(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((part: unknown) => movedReferences(part, place));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      if (DATA.has(key)) return [key, part];
      if (key !== '$ref' || typeof part !== 'string') return [key, movedReferences(part, place)];
      const leadsToRoot = part === '#' || (part.startsWith('#/') && !part.startsWith('#/$defs/'));
      return [key, leadsToRoot ? place + part.slice(1) : part];
    }),
  );
}
