import { isJsonObject } from '../../protocol/json.ts';

/** Nested deeper than this, a value is a cycle or no data that anybody wrote. */
const MAX_DEPTH = 64;

/**
 * Where a value is not what JSON makes of it, and what it is there; undefined where it survives the way through JSON.
 * A member that is undefined does: it is the same as none.
 */
export function notJson(value: unknown, path = '', depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return `more than ${MAX_DEPTH} deep, or circular`;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : at(path, String(value));
    case 'object':
      return value === null ? undefined : notJsonObject(value, path, depth);
    default:
      return at(path, typeof value);
  }
}

function notJsonObject(value: object, path: string, depth: number): string | undefined {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const problem = notJson(item, `${path}/${index}`, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return at(path, `a ${nameOf(value)}`);
  if (!isJsonObject(value)) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const problem = member === undefined ? undefined : notJson(member, `${path}/${name}`, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function at(path: string, what: string): string {
  return path === '' ? `it is ${what}` : `${path} is ${what}`;
}

function nameOf(value: object): string {
  const { constructor } = value;
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'class instance';
}

/** A copy as JSON makes it: of what was checked, so that nothing is lost but members that are undefined. */
export function jsonCopy(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (JSON.parse(JSON.stringify(value)) as unknown) : value;
}
