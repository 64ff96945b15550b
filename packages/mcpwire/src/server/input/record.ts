import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';

/** How an entry came about. */
export type EntryKind = 'elicit' | 'elicitUrl' | 'sample' | 'roots' | 'step';

/** One thing that is known of a call: an answer, the result of a step, or that an answer was no good. */
export interface Entry {
  readonly kind: EntryKind;
  readonly key: string;
  /** Short marks of what was asked, part by part: a run that asks otherwise is found out by them. */
  readonly marks: { readonly [part: string]: string };
  /** Absent as long as there is no good answer. */
  readonly value?: unknown;
  /** Answers that were no good so far. */
  readonly refusals?: number;
}

/** What is known of a call so far, in the order in which it came to be known. It travels in `requestState`, sealed. */
export class CallRecord {
  readonly #entries = new Map<string, Entry>();

  static from(value: JsonObject): CallRecord | undefined {
    const { entries } = value;
    if (!Array.isArray(entries)) return undefined;
    const record = new CallRecord();
    for (const entry of entries) {
      if (!isEntry(entry)) return undefined;
      record.set(entry);
    }
    return record;
  }

  get(kind: EntryKind, key: string): Entry | undefined {
    return this.#entries.get(nameOf(kind, key));
  }

  set(entry: Entry): void {
    this.#entries.set(nameOf(entry.kind, entry.key), entry);
  }

  entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  toJson(): JsonObject {
    return { entries: this.entries() };
  }

  /** The entry that takes the most room, for the error that says so. */
  largest(): Entry | undefined {
    const size = (entry: Entry): number => JSON.stringify(entry).length;
    return this.entries().toSorted((one, other) => size(other) - size(one))[0];
  }
}

/** Asks and steps have names of their own: a step may be called like an ask. */
export function nameOf(kind: EntryKind, key: string): string {
  return `${kind === 'step' ? 'step' : 'ask'} ${key}`;
}

function isEntry(value: unknown): value is Entry {
  return (
    isJsonObject(value) &&
    typeof value['kind'] === 'string' &&
    typeof value['key'] === 'string' &&
    isJsonObject(value['marks'])
  );
}

/** A short mark of a value: equal values have equal marks (FNV-1a over their JSON). No protection: the seal is that. */
export function markOf(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `${(hash >>> 0).toString(36)}.${text.length.toString(36)}`;
}
