/** Bounds that a message's text must keep before it is parsed. */
export interface TextBounds {
  /** Deepest nesting of objects and arrays. Default 64. */
  readonly maxDepth: number;
  /** Most values, members and elements together, counted as commas and openings. Default 100,000. */
  readonly maxTokens: number;
}

export const DEFAULT_TEXT_BOUNDS: TextBounds = { maxDepth: 64, maxTokens: 100_000 };

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Objects down to this depth are searched for duplicate members: the envelope, `params`, `_meta` and `arguments`. */
const KEYED_DEPTH = 3;

/** Why a text is refused unparsed. */
export interface TextProblem {
  readonly message: string;
  /** Whether the message has two ids: nobody could say which one to answer. */
  readonly isAmbiguous: boolean;
}

/**
 * Checks the bounds of a JSON text in one pass, without parsing it: nesting, number of tokens, and members that
 * stand twice in the envelope, `params`, `_meta` or `arguments` (two readers could disagree on which one counts).
 *
 * Returns what is wrong, or undefined. Says nothing about whether the text is JSON: that is the parser's word.
 */
export function scanText(text: string, bounds: TextBounds): TextProblem | undefined {
  const { maxDepth, maxTokens } = bounds;
  const length = text.length;
  const levels: (KeySet | undefined)[] = [];
  let keys: KeySet | undefined;
  let expectsKey = false;
  let depth = 0;
  let tokens = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (end === -1) return undefined;
      if (expectsKey && keys !== undefined) {
        const key = readKey(text, at, end);
        if (keys.has(key)) return twice(key, depth);
        keys.add(key);
        expectsKey = false;
      }
      at = end;
    } else if (code === COMMA) {
      tokens++;
      expectsKey = keys !== undefined;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      tokens++;
      if (++depth > maxDepth) return tooMuch(`nested deeper than ${maxDepth} levels`);
      if (depth <= KEYED_DEPTH) {
        expectsKey = code === OPEN_BRACE;
        keys = levels[depth] = expectsKey ? new KeySet() : undefined;
      } else {
        keys = undefined;
        expectsKey = false;
      }
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth--;
      keys = depth <= KEYED_DEPTH ? levels[depth] : undefined;
      expectsKey = false;
    }
    if (tokens > maxTokens) return tooMuch(`more than ${maxTokens} values`);
  }
  return undefined;
}

function twice(key: string, depth: number): TextProblem {
  return { message: `duplicate member ${JSON.stringify(key)}`, isAmbiguous: depth === 1 && key === 'id' };
}

function tooMuch(message: string): TextProblem {
  return { message, isAmbiguous: false };
}

/** The members of one object. A handful is compared one by one; a Set takes over where that would be slow. */
class KeySet {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;

  has(key: string): boolean {
    return this.#many === undefined ? this.#few.includes(key) : this.#many.has(key);
  }

  add(key: string): void {
    if (this.#many !== undefined) this.#many.add(key);
    else if (this.#few.push(key) > 16) this.#many = new Set(this.#few);
  }
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function readKey(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(text.slice(start, end + 1)));
  } catch {
    return raw; // not JSON: the parser will say so
  }
}
