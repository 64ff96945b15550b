import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';

/** Longest pattern that is looked into. */
const LONGEST_PATTERN = 500;
/** Largest repetition of fixed length, as in `{2,100}`. */
const MOST_REPEATS = 1000;
/** Most ways to match at one place: what choices and repetitions of variable length multiply to. */
const MOST_WAYS = 1000;
/** Deepest schema that is searched; the schema's own bounds are stricter. */
const DEEPEST = 64;

/** What the regular expressions of a schema cost. */
export interface PatternCost {
  /** The first one that could hang this side. */
  readonly unsafe?: string;
  /** Steps for each character of a text that all of them are tried on. */
  readonly perCharacter: number;
}

/**
 * What a hostile server could make this side do with the patterns of a schema. A pattern is safe where nothing that
 * repeats holds another repetition or a choice, nothing refers back or looks around, the ways to match are few, and it
 * repeats without end once at most and from a fixed beginning: then its time grows with the text, by a known factor.
 */
export function patternCost(schema: JsonObject, depth = 0): PatternCost {
  if (depth > DEEPEST) return { unsafe: 'a schema that is nested too deeply', perCharacter: Infinity };
  let perCharacter = 0;
  for (const [key, value] of Object.entries(schema)) {
    for (const pattern of patternsAt(key, value)) {
      const cost = costOf(pattern);
      if (cost === undefined) return { unsafe: pattern, perCharacter: Infinity };
      perCharacter += cost;
    }
    for (const child of Array.isArray(value) ? value : [value]) {
      if (!isJsonObject(child)) continue;
      const inner = patternCost(child, depth + 1);
      if (inner.unsafe !== undefined) return inner;
      perCharacter += inner.perCharacter;
    }
  }
  return { perCharacter };
}

function patternsAt(key: string, value: unknown): readonly string[] {
  if (key === 'pattern' && typeof value === 'string') return [value];
  return key === 'patternProperties' && isJsonObject(value) ? Object.keys(value) : [];
}

/** Steps for each character of a text, where the time surely grows with the text alone; undefined where in doubt. */
export function costOf(pattern: string): number | undefined {
  if (pattern.length > LONGEST_PATTERN || /\\[1-9]|\\k<|\(\?/.test(pattern.replaceAll('(?:', '('))) {
    return undefined;
  }
  // What is escaped or in a class is one atom.
  let rest = pattern
    .replaceAll(/\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|.)/gsu, 'a')
    .replaceAll(/\[[^\]]*\]/g, 'a')
    .replaceAll('(?:', '(');
  const effort = new Effort();
  // Groups from the inside out: each becomes an atom, marked where it holds a repetition or a choice.
  for (let group = INNERMOST.exec(rest); group !== null; group = INNERMOST.exec(rest)) {
    const [whole, inner = ''] = group;
    if (!effort.add(inner)) return undefined;
    rest =
      rest.slice(0, group.index) + (BUSY.test(inner) ? '!' : 'a') + rest.slice(group.index + whole.length);
  }
  if (/[()]/.test(rest) || !effort.add(rest)) return undefined;
  // Without an anchor the search itself repeats.
  const isAnchored = pattern.startsWith('^') && !rest.includes('|');
  if (effort.unbounded > (isAnchored ? 1 : 0)) return undefined;
  return isAnchored && effort.unbounded === 0 ? 1 : effort.ways;
}

/** What a pattern may cost, added up over its parts. */
class Effort {
  /** Repetitions without end. */
  unbounded = 0;
  /** Ways to match at one place. */
  ways = 1;

  /** Adds a part without groups; false where it costs too much. */
  add(part: string): boolean {
    this.ways *= part.split('|').length;
    for (const [, atom, repeat = ''] of part.matchAll(/(.)([*+?]|\{\d+(?:,\d*)?\})/gs)) {
      const [least, most] = bounds(repeat);
      if (least > MOST_REPEATS || (atom === '!' && most > 1)) return false;
      if (most === Infinity) this.unbounded++;
      else this.ways *= Math.max(1, most - least + 1);
    }
    return this.ways <= MOST_WAYS;
  }
}

const INNERMOST = /\(([^()]*)\)/;
const BUSY = /[!|*+?]|\{\d/;

function bounds(repeat: string): readonly [least: number, most: number] {
  if (repeat === '*') return [0, Infinity];
  if (repeat === '+') return [1, Infinity];
  if (repeat === '?') return [0, 1];
  const [least = '0', most] = repeat.slice(1, -1).split(',');
  return [Number(least), most === undefined ? Number(least) : most === '' ? Infinity : Number(most)];
}
