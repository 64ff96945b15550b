import type { MetaObject } from '../protocol/common-types.ts';
import type { ContentBlock } from '../protocol/content.ts';
import { isJsonObject } from '../protocol/json.ts';
import type { Result } from '../protocol/results.ts';

/** What a tool gave. `isError` is the tool's own word: it is a result, for the model to read. */
export class ToolCallResult<Structured = unknown> {
  readonly content: readonly ContentBlock[];
  /** The structured content, checked against the tool's output schema; undefined where there is none. */
  readonly structured: Structured;
  readonly isError: boolean;
  readonly meta: MetaObject | undefined;
  /** The result as it came. */
  readonly raw: Result;

  constructor(raw: Result) {
    const { content } = raw;
    this.content = Array.isArray(content)
      ? (content.filter(isJsonObject) as unknown as readonly ContentBlock[])
      : [];
    this.structured = raw['structuredContent'] as Structured;
    this.isError = raw['isError'] === true;
    this.meta = raw._meta;
    this.raw = raw;
  }

  /** The text blocks, one after the other on lines of their own. */
  get text(): string {
    return this.content
      .flatMap((block) => (block.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
      .join('\n');
  }
}
