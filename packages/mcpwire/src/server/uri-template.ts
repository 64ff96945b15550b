import { matchPieces } from './uri-pattern.ts';
import type { Piece } from './uri-pattern.ts';

/**
 * URI templates of RFC 6570, read backwards: from a URI to the variables it was made of. Values are decoded once,
 * after the match; the parameters of a query may come in any order and may be missing. The modifiers `*` and `:n`
 * can't be reversed without guessing and are refused.
 */
export interface UriTemplate {
  readonly variables: readonly string[];
  /** The variables of a URI that fits; undefined where it doesn't. */
  match(uri: string): { readonly [variable: string]: string } | undefined;
}

const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;
const NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9_.]*[A-Za-z0-9_])?$/;
/** Longer URIs never match. */
const MAX_URI = 8192;

/** Compiles a template. Throws a `SyntaxError` that says what is wrong with it. */
export function compileUriTemplate(template: string): UriTemplate {
  const variables: string[] = [];
  const inPath: Piece[] = [];
  const inQuery: string[] = [];
  let literalQuery = '';
  let queryStarted = false;
  let at = 0;
  for (const found of template.matchAll(EXPRESSION)) {
    literal(template.slice(at, found.index));
    at = found.index + found[0].length;
    expression(found[1] ?? '', (found[2] ?? '').split(','));
  }
  literal(template.slice(at));
  if (variables.length === 0) throw new SyntaxError('it has no variables: define it as a resource');
  const required = [...parseQuery(literalQuery)];
  return { variables, match: (uri) => match(uri, { inPath, inQuery, required, queryStarted }) };

  function literal(text: string): void {
    if (/[{}]/.test(text)) throw new SyntaxError('a brace has no partner');
    const mark = queryStarted ? 0 : text.indexOf('?');
    if (mark === -1) {
      inPath.push({ literal: text });
      return;
    }
    inPath.push({ literal: text.slice(0, mark) });
    literalQuery += text.slice(queryStarted ? 0 : mark + 1);
    queryStarted = true;
  }

  function expression(operator: string, names: readonly string[]): void {
    for (const name of names) {
      if (!NAME.test(name)) {
        throw new SyntaxError(
          `{${operator}${names.join(',')}}: ${JSON.stringify(name)} is no variable name without modifier`,
        );
      }
      if (variables.includes(name)) throw new SyntaxError(`variable ${name} stands twice`);
      variables.push(name);
    }
    if (operator === '?' || operator === '&') {
      queryStarted = true;
      inQuery.push(...names);
      return;
    }
    if (queryStarted) throw new SyntaxError('after the query only {&…} can follow');
    inPath.push(...piecesOf(operator, names, inPath.length));
  }
}

/** The pieces of an expression in the path; `at` is where they will stand. */
function piecesOf(operator: string, names: readonly string[], at: number): readonly Piece[] {
  switch (operator) {
    case '+':
      return listed(names, '', 1);
    case '#': {
      const values = listed(names, '', 0);
      return [{ optionalTo: at + values.length + 2 }, { literal: '#' }, ...values];
    }
    case '.':
      return names.flatMap((name, index) => optional(at + index * 3, '.', name, '/?#.'));
    case '/':
      return names.flatMap((name, index) => optional(at + index * 3, '/', name, '/?#'));
    case ';':
      return names.flatMap((name, index): Piece[] => {
        const start = at + index * 5;
        return [
          { optionalTo: start + 5 },
          { literal: `;${name}` },
          ...optional(start + 2, '=', name, ';/?#'),
        ];
      });
    default:
      return listed(names, names.length === 1 ? '/?#' : '/?#,', 1);
  }
}

/** Values with commas between them. */
function listed(names: readonly string[], stops: string, min: 0 | 1): Piece[] {
  return names.flatMap((variable, index): Piece[] => {
    const value: Piece = { variable, stops, min };
    return index === 0 ? [value] : [{ literal: ',' }, value];
  });
}

/** A mark and a value that are there together or not at all: three pieces. */
function optional(at: number, mark: string, variable: string, stops: string): Piece[] {
  return [{ optionalTo: at + 3 }, { literal: mark }, { variable, stops, min: 0 }];
}

interface Compiled {
  readonly inPath: readonly Piece[];
  readonly inQuery: readonly string[];
  readonly required: readonly (readonly [string, string])[];
  readonly queryStarted: boolean;
}

function match(uri: string, template: Compiled): { readonly [variable: string]: string } | undefined {
  if (uri.length > MAX_URI) return undefined;
  const mark = template.queryStarted ? uri.indexOf('?') : -1;
  const found = matchPieces(template.inPath, mark === -1 ? uri : uri.slice(0, mark));
  if (found === undefined) return undefined;
  const values: [string, string][] = [];
  for (const [name, raw] of found) {
    const value = decode(raw);
    if (value === undefined) return undefined;
    values.push([name, value]);
  }
  if (template.queryStarted) {
    const query = new Map(parseQuery(mark === -1 ? '' : uri.slice(mark + 1)));
    for (const [name, value] of template.required) if (query.get(name) !== value) return undefined;
    for (const name of template.inQuery) {
      const value = query.get(name);
      if (value !== undefined) values.push([name, value]);
    }
  }
  return Object.fromEntries(values);
}

function* parseQuery(query: string): Generator<readonly [string, string]> {
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = decode(equals === -1 ? '' : pair.slice(equals + 1));
    if (name !== undefined && value !== undefined) yield [name, value];
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
