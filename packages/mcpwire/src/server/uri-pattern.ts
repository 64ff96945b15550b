/** One piece of a pattern: a text, a variable's value, or the start of pieces that may be missing together. */
export type Piece =
  | { readonly literal: string }
  | {
      readonly variable: string;
      /** Characters that its value can't hold. */ readonly stops: string;
      readonly min: 0 | 1;
    }
  | { /** Index of the piece behind the group. */ readonly optionalTo: number };

/**
 * Matches a whole text against a pattern; earlier variables take as much as they can, as in a regular expression. Takes
 * time in proportion to text and pattern, whatever they are: a regular expression would try all ways to cut the text
 * between several variables.
 */
export function matchPieces(
  pieces: readonly Piece[],
  text: string,
): readonly (readonly [variable: string, raw: string])[] | undefined {
  const fits = whatFits(pieces, text);
  if (fits[0]?.[0] !== 1) return undefined;
  const found: [string, string][] = [];
  let at = 0;
  for (let index = 0; index < pieces.length;) {
    const piece = pieces[index] as Piece;
    const next = fits[index + 1] as Uint8Array;
    if ('literal' in piece) at += piece.literal.length;
    else if ('variable' in piece) {
      const start = at;
      at = endOfValue(text, start, piece.stops);
      while (next[at] !== 1) at--;
      found.push([piece.variable, text.slice(start, at)]);
    } else if (next[at] !== 1) {
      index = piece.optionalTo;
      continue;
    }
    index++;
  }
  return found;
}

/** For each piece the places from which it, and all behind it, fit up to the end of the text. Worked out backwards. */
function whatFits(pieces: readonly Piece[], text: string): readonly Uint8Array[] {
  const { length } = text;
  const fits: Uint8Array[] = [];
  const end = new Uint8Array(length + 1);
  end[length] = 1;
  fits[pieces.length] = end;
  for (let index = pieces.length - 1; index >= 0; index--) {
    const piece = pieces[index] as Piece;
    const next = fits[index + 1] as Uint8Array;
    if ('literal' in piece) fits[index] = beforeLiteral(piece.literal, text, next);
    else if ('variable' in piece) fits[index] = beforeValue(piece.stops, piece.min, text, next);
    else fits[index] = next.map((fit, at) => fit | (fits[piece.optionalTo]?.[at] ?? 0));
  }
  return fits;
}

function beforeLiteral(literal: string, text: string, next: Uint8Array): Uint8Array {
  const fits = new Uint8Array(next.length);
  for (let at = text.length - literal.length; at >= 0; at--) {
    if (next[at + literal.length] === 1 && text.startsWith(literal, at)) fits[at] = 1;
  }
  return fits;
}

function beforeValue(stops: string, min: 0 | 1, text: string, next: Uint8Array): Uint8Array {
  const fits = new Uint8Array(next.length);
  /** The nearest place at or behind `at`, within what the value can hold, from which the rest fits. */
  let nearest = -1;
  for (let at = text.length; at >= 0; at--) {
    if (at < text.length && stops.includes(text.charAt(at))) nearest = -1;
    if (min === 1 && nearest !== -1) fits[at] = 1;
    if (next[at] === 1) nearest = at;
    if (min === 0 && nearest !== -1) fits[at] = 1;
  }
  return fits;
}

function endOfValue(text: string, start: number, stops: string): number {
  let end = start;
  while (end < text.length && !stops.includes(text.charAt(end))) end++;
  return end;
}
