import { decodeHeaderValue, encodeHeaderValue, isHeaderName } from './header-value.ts';
import { isJsonObject } from './json.ts';
import type { JsonObject } from './json.ts';
import type { ProtocolError } from './protocol-error.ts';
import { headerMismatch } from './protocol-error.ts';

/** A tool parameter that HTTP mirrors into `Mcp-Param-{name}` ("Custom Headers from Tool Parameters"). */
export interface ParamHeader {
  /** Lower-case header name, `mcp-param-…`. */
  readonly header: string;
  /** The chain of property names that leads to the value. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

/** Why an `x-mcp-header` annotation makes its tool invalid. */
export interface ParamHeaderProblem {
  /** JSON Pointer of the schema that carries the annotation. */
  readonly path: string;
  readonly message: string;
}

const KEY = 'x-mcp-header';
const NONE: readonly ParamHeader[] = [];
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/**
 * The mirrored parameters of an input schema, or the rule that an annotation breaks (HTTP-37…44): a non-empty
 * token, unique whatever its case, on a string, integer or boolean that is reached by `properties` alone.
 */
export function findParamHeaders(inputSchema: JsonObject): readonly ParamHeader[] | ParamHeaderProblem {
  // Hardly any schema has one: a look at its text is much cheaper than a walk.
  if (!JSON.stringify(inputSchema).includes(KEY)) return NONE;
  const found: ParamHeader[] = [];
  const seen = new Set<string>();
  const problem = visit(inputSchema, '', [], true);
  return problem ?? found;

  function visit(
    schema: unknown,
    at: string,
    path: readonly string[],
    reachable: boolean,
  ): ParamHeaderProblem | undefined {
    if (Array.isArray(schema)) {
      return firstProblem(schema, (item, index) => visit(item, `${at}/${index}`, path, false));
    }
    if (!isJsonObject(schema)) return undefined;
    if (Object.hasOwn(schema, KEY)) {
      const bad =
        path.length === 0 || !reachable
          ? 'is only allowed on properties reached by "properties" alone'
          : add(schema, path);
      if (bad !== undefined) return { path: at, message: `${KEY} ${bad}` };
    }
    return firstProblem(Object.keys(schema), (key) => {
      const child = schema[key];
      if (LITERALS.has(key)) return undefined;
      if (key !== 'properties' || !isJsonObject(child)) {
        return visit(child, `${at}/${escape(key)}`, path, false);
      }
      return firstProblem(Object.keys(child), (name) =>
        visit(child[name], `${at}/properties/${escape(name)}`, [...path, name], reachable),
      );
    });
  }

  function add(schema: JsonObject, path: readonly string[]): string | undefined {
    const name = schema[KEY];
    if (typeof name !== 'string' || !isHeaderName(name)) return 'must be a non-empty HTTP token';
    const type = schema['type'];
    if (!TYPES.has(type)) return 'is only allowed on a string, an integer or a boolean';
    const header = `mcp-param-${name.toLowerCase()}`;
    if (seen.has(header)) return `"${name}" stands twice (case doesn't count)`;
    seen.add(header);
    found.push({ header, path, type: type as ParamHeader['type'] });
    return undefined;
  }
}

/** Keywords whose values are data, not schemas. */
const LITERALS: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', KEY]);

function firstProblem<T>(
  items: readonly T[],
  check: (item: T, index: number) => ParamHeaderProblem | undefined,
): ParamHeaderProblem | undefined {
  for (const [index, item] of items.entries()) {
    const problem = check(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function escape(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The value that a header mirrors: undefined where it is absent or null, so that no header is expected (HTTP-68). */
function mirroredValue(header: ParamHeader, args: JsonObject): unknown {
  let value: unknown = args;
  for (const name of header.path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value ?? undefined;
}

/** The `Mcp-Param-*` headers of a call (HTTP-56…59): values that are absent or null have none. */
export function paramHeaders(
  headers: readonly ParamHeader[],
  args: JsonObject,
): { readonly [name: string]: string } {
  const written: { [name: string]: string } = {};
  for (const header of headers) {
    const value = mirroredValue(header, args);
    if (typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)) {
      written[header.header] = encodeHeaderValue(String(value));
    }
  }
  return written;
}

/** Compares the `Mcp-Param-*` headers of a call with its arguments (HTTP-62…69). */
export function checkParamHeaders(
  headers: readonly ParamHeader[],
  args: JsonObject,
  read: (name: string) => string | undefined,
): ProtocolError | undefined {
  for (const header of headers) {
    const value = mirroredValue(header, args);
    const raw = read(header.header);
    if (value === undefined) {
      if (raw !== undefined) {
        return headerMismatch(`${header.header} is sent, its argument ${nameOf(header)} is not`);
      }
      continue;
    }
    if (raw === undefined) {
      return headerMismatch(`${header.header} is missing, argument ${nameOf(header)} has a value`);
    }
    const sent = decodeHeaderValue(raw);
    if (sent === undefined) {
      return headerMismatch(`${header.header} holds invalid characters or invalid Base64`);
    }
    if (!equals(header.type, sent, value)) {
      return headerMismatch(`${header.header} does not match argument ${nameOf(header)}`);
    }
  }
  return undefined;
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

function equals(type: ParamHeader['type'], sent: string, value: unknown): boolean {
  if (type === 'integer' && typeof value === 'number') {
    // Beyond the safe range two different texts are one number: nothing could be compared (HTTP-42).
    return DECIMAL.test(sent) && Number(sent) === value && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  }
  return sent === String(value);
}

function nameOf(header: ParamHeader): string {
  return header.path.join('.');
}
