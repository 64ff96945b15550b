import { decodeBase64, encodeBase64 } from '../protocol/base64.ts';
import type { MetaObject } from '../protocol/common-types.ts';
import { withEncoding } from '../protocol/encoded.ts';
import type { Caller } from '../protocol/handler.ts';
import { invalidParams } from '../protocol/protocol-error.ts';
import type { Result } from '../protocol/results.ts';
import type { CacheHint } from './settings.ts';
import { privateHint } from './settings.ts';
import { isVisible } from './visibility.ts';
import type { Visible } from './visibility.ts';

/** One entry of a list: what goes on the wire, and the key that no other entry has. */
export interface ListEntry {
  readonly key: string;
  readonly wire: object;
  readonly visible?: Visible | undefined;
}

export interface ListOptions {
  /** Name of the array in the result: `tools`, `resources`, … */
  readonly member: string;
  readonly pageSize: number;
  readonly cache: Required<CacheHint>;
  readonly meta: MetaObject;
}

/**
 * The pages of one list, in the order of definition (server/utilities/pagination). A cursor names the last entry of
 * the page before, so it stays good while the list changes around it. Where everyone sees the same, pages are encoded
 * once and kept.
 */
export class ListPages {
  readonly #entries: readonly ListEntry[];
  readonly #options: ListOptions;
  readonly #sameForAll: boolean;
  readonly #kept = new Map<number, Result>();

  constructor(entries: readonly ListEntry[], options: ListOptions) {
    this.#entries = entries;
    this.#sameForAll = entries.every((entry) => entry.visible === undefined);
    this.#options = this.#sameForAll ? options : { ...options, cache: privateHint(options.cache) };
  }

  /** The page that a cursor leads to; the first without one. A cursor that names nothing here is -32602. */
  page(cursor: unknown, caller: Caller): Result {
    if (!this.#sameForAll) {
      const seen = this.#entries.filter((entry) => isVisible(entry, caller));
      return buildPage(seen, startOf(cursor, seen), this.#options);
    }
    const start = cursor === undefined ? 0 : startOf(cursor, this.#entries);
    const kept = this.#kept.get(start);
    if (kept !== undefined) return kept;
    const page = buildPage(this.#entries, start, this.#options);
    // Cursors of an older definition may lead in between; keeping those pages would let a caller fill the memory.
    if (start % this.#options.pageSize !== 0) return page;
    this.#kept.set(start, withEncoding(page));
    return page;
  }
}

/** One page of entries that were found for this request alone. */
export function pageOf(entries: readonly ListEntry[], cursor: unknown, options: ListOptions): Result {
  return buildPage(entries, startOf(cursor, entries), options);
}

function buildPage(entries: readonly ListEntry[], start: number, options: ListOptions): Result {
  const end = start + options.pageSize;
  const last = end < entries.length ? entries[end - 1] : undefined;
  return {
    resultType: 'complete',
    [options.member]: entries.slice(start, end).map((entry) => entry.wire),
    ...(last === undefined ? {} : { nextCursor: toCursor(last.key) }),
    ttlMs: options.cache.ttlMs,
    cacheScope: options.cache.scope,
    _meta: options.meta,
  };
}

function startOf(cursor: unknown, entries: readonly ListEntry[]): number {
  if (cursor === undefined) return 0;
  const key = typeof cursor === 'string' ? fromCursor(cursor) : undefined;
  const index = key === undefined ? -1 : entries.findIndex((entry) => entry.key === key);
  if (index === -1) throw invalidParams('the cursor is not one of this list: start again without one');
  return index + 1;
}

function toCursor(key: string): string {
  return encodeBase64(new TextEncoder().encode(key));
}

function fromCursor(cursor: string): string | undefined {
  const bytes = decodeBase64(cursor);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}
