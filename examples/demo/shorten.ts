import { isJson } from './json.ts';

const MAX_TEXT = 60;
const MAX_ENTRIES = 2;

export interface Folding {
  /** How many levels of a message are shown. */
  readonly depth: number;
  /** Whether `_meta` is shown. */
  readonly meta: boolean;
}

/** A message as JSON that is short enough to read: long texts and lists are cut, deep objects are folded into {…}. */
export function shorten(message: unknown, folding: Folding, width: number): string {
  return layout(cut(message, folding.depth, folding.meta), width)
    .replaceAll('"{…}"', '{…}')
    .replaceAll(/"(… \d+ more)"/g, '$1');
}

function cut(value: unknown, depth: number, meta: boolean): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ENTRIES).map((entry) => cut(entry, depth - 1, meta));
    const left = value.length - shown.length;
    return left === 0 ? shown : [...shown, `… ${left} more`];
  }
  if (!isJson(value)) return value;
  if (depth === 0 && Object.keys(value).length > 0) return '{…}';
  return Object.fromEntries(
    ordered(value).map(([name, member]) => [
      name,
      name === '_meta' && !meta ? '{…}' : cut(member, depth - 1, meta),
    ]),
  );
}

/** The order of members means nothing in JSON: here what it is all about comes first. */
function ordered(value: object): (readonly [string, unknown])[] {
  return Object.entries(value).toSorted(([a], [b]) => rank(a) - rank(b));
}

const ORDER = ['jsonrpc', 'id', 'method'];

function rank(name: string): number {
  if (name === '_meta') return ORDER.length + 1;
  const place = ORDER.indexOf(name);
  return place === -1 ? ORDER.length : place;
}

/** JSON on one line where it fits, otherwise one line for each member. */
function layout(value: unknown, width: number, indent = ''): string {
  const line = JSON.stringify(value) ?? 'undefined';
  if (line.length + indent.length <= width || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([name, member]) => {
    const label = isList ? '' : `${JSON.stringify(name)}: `;
    return `${inner}${label}${layout(member, width - label.length, inner)}`;
  });
  return `${isList ? '[' : '{'}\n${members.join(',\n')}\n${indent}${isList ? ']' : '}'}`;
}
