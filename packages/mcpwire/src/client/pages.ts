import type { JsonObject } from '../protocol/json.ts';
import { isJsonObject } from '../protocol/json.ts';
import type { Result } from '../protocol/results.ts';
import { LimitError, ProtocolViolationError } from '../transport/client/errors.ts';

/** A list that comes in pages: read it entry by entry, or whole. */
export interface Pages<T> extends AsyncIterable<T> {
  /** All entries of all pages. */
  all(): Promise<readonly T[]>;
}

export interface PageSource<T> {
  readonly method: string;
  /** The member of the result that holds the entries. */
  readonly member: string;
  readonly maxPages: number;
  readonly maxListed: number;
  /** Fetches the page of a cursor. */
  fetch(params: JsonObject): Promise<Result>;
  /** The entry, or undefined for one that can't be used. */
  read(entry: JsonObject): T | undefined;
  /** Hears of entries that can't be used. */
  refuse(why: string): void;
}

/** Walks the pages of a list (server/utilities/pagination), and stops a server that has no last one. */
export function pagesOf<T>(source: PageSource<T>): Pages<T> {
  return {
    [Symbol.asyncIterator]: () => walk(source),
    async all() {
      const entries: T[] = [];
      for await (const entry of walk(source)) entries.push(entry);
      return entries;
    },
  };
}

async function* walk<T>(source: PageSource<T>): AsyncGenerator<T, void, undefined> {
  const { method, member, maxPages, maxListed } = source;
  const seen = new Set<string>();
  let cursor: string | undefined;
  let listed = 0;
  for (let page = 1; page <= maxPages; page++) {
    const result = await source.fetch(cursor === undefined ? {} : { cursor });
    const entries = result[member];
    if (!Array.isArray(entries)) {
      throw new ProtocolViolationError(
        `the server answered ${method} without ${member}`,
        'BASE-02',
        JSON.stringify(result),
      );
    }
    for (const entry of entries) {
      if (++listed > maxListed) throw new LimitError(`${method}: more than ${maxListed} entries (maxListed)`);
      const read = isJsonObject(entry) ? source.read(entry) : undefined;
      if (read === undefined) {
        source.refuse(`${method}: an entry that can't be used: ${JSON.stringify(entry).slice(0, 200)}`);
      } else yield read;
    }
    const { nextCursor } = result;
    // An empty string is a cursor like any other (PAGE-07).
    if (typeof nextCursor !== 'string') return;
    if (seen.has(nextCursor)) {
      throw new ProtocolViolationError(`${method}: the pages go round in a circle`, undefined, nextCursor);
    }
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  throw new LimitError(`${method}: more than ${maxPages} pages (maxPages)`);
}
