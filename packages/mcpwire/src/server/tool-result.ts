import type { MetaObject } from '../protocol/common-types.ts';
import type { ContentBlock } from '../protocol/content.ts';
import { checkContentBlock, isContentBlock } from './content-check.ts';
import { outOfRange } from './integer-range.ts';
import { isJsonObject, jsonType } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import { checkResultMetaKeys } from '../protocol/meta-keys.ts';
import type { CallToolResult } from '../protocol/results.ts';

/** What a handler returned can't be sent: the handler's own fault. */
export class ResultError extends Error {
  override readonly name: string = 'ResultError';
}

/**
 * Makes what a tool's handler returned into a result: a string, a content block or a list of them, nothing, or a full
 * result. Throws a `ResultError` for anything else.
 */
export function toToolResult(value: unknown, meta: MetaObject): CallToolResult {
  if (typeof value === 'string') return complete([{ type: 'text', text: value }], meta);
  if (value === undefined) return complete([], meta);
  if (Array.isArray(value)) return complete(checkedContent(value), meta);
  if (isFullResult(value)) return completeFull(value, meta);
  if (isContentBlock(value)) return complete(checkedContent([value]), meta);
  throw new ResultError(
    `a tool without an output schema returns a string, content blocks or a full result, this one returned ${describe(value)}`,
  );
}

/** The plain value of a tool with an output schema: structured content and, for older readers, its JSON text. */
export function toStructuredResult(value: unknown, meta: MetaObject): CallToolResult {
  const text = JSON.stringify(value);
  if (text === undefined) throw new ResultError(`the output is no JSON: ${describe(value)}`);
  return { resultType: 'complete', content: [{ type: 'text', text }], structuredContent: value, _meta: meta };
}

/**
 * A full result says so itself: it has `content`, and where the tool has an output schema also `structuredContent` or
 * `isError` (a plain value may have a member named `content`).
 */
export function isFullResult(
  value: unknown,
  hasOutput = false,
): value is JsonObject & { content: readonly unknown[] } {
  if (!isJsonObject(value) || !Array.isArray(value['content'])) return false;
  return !hasOutput || Object.hasOwn(value, 'structuredContent') || Object.hasOwn(value, 'isError');
}

/** Completes a full result: checked content, `resultType`, the server's `_meta`. */
export function completeFull(
  value: JsonObject & { content: readonly unknown[] },
  meta: MetaObject,
): CallToolResult {
  checkMembers(value);
  return {
    ...value,
    resultType: 'complete',
    content: checkedContent(value.content),
    _meta: resultMeta(value['_meta'], meta),
  };
}

/** The `_meta` of a result: its author's, held to the rules of keys, and the server's. */
export function resultMeta(own: unknown, meta: MetaObject): MetaObject {
  if (own === undefined) return meta;
  if (!isJsonObject(own)) throw new ResultError(`_meta must be an object, got ${jsonType(own)}`);
  const problem = checkResultMetaKeys(own);
  if (problem !== undefined) throw new ResultError(`_meta: ${problem}`);
  return { ...own, ...meta };
}

/** The members of a full result that clients read and that no content check sees. */
function checkMembers(value: JsonObject): void {
  const { isError, ttlMs, cacheScope } = value;
  if (isError !== undefined && typeof isError !== 'boolean') {
    throw new ResultError(`isError must be true or false, got ${jsonType(isError)}`);
  }
  const problem = ttlMs === undefined ? undefined : outOfRange(ttlMs, { least: 0 });
  if (problem !== undefined) throw new ResultError(`ttlMs ${problem}`);
  if (cacheScope !== undefined && cacheScope !== 'public' && cacheScope !== 'private') {
    throw new ResultError('cacheScope must be "public" or "private"');
  }
}

/** A failure that the model may read. */
export function errorResult(message: string, meta: MetaObject): CallToolResult {
  return { resultType: 'complete', content: [{ type: 'text', text: message }], isError: true, _meta: meta };
}

function complete(content: readonly ContentBlock[], meta: MetaObject): CallToolResult {
  return { resultType: 'complete', content, _meta: meta };
}

function checkedContent(blocks: readonly unknown[]): readonly ContentBlock[] {
  for (const [index, block] of blocks.entries()) {
    const problem = checkContentBlock(block);
    if (problem !== undefined) throw new ResultError(`content[${index}] ${problem}`);
  }
  return blocks as readonly ContentBlock[];
}

function describe(value: unknown): string {
  return isJsonObject(value)
    ? `an object with ${Object.keys(value).join(', ') || 'no members'}`
    : jsonType(value);
}
