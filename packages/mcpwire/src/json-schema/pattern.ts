function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/**
 * The regular expression of a `pattern`; undefined if it is none.
 * The unicode form is what JSON Schema asks for. Harmless escapes such as `\-` are errors in that form
 * yet common in schemas written by hand, so a pattern that only works without it is taken that way.
 */
export function compilePattern(source: string): RegExp | undefined {
  return compile(source, 'u') ?? compile(source, '');
}

/** The same for a key of `patternProperties`, where the library knows the unicode form only. */
export function compilePropertyPattern(source: string): RegExp | undefined {
  return compile(source, 'u');
}
