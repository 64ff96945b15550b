import { SchemaError } from './schema-problem.ts';
import { isJsonObject } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';

/** A deeply frozen copy of a schema as JSON, so that whoever wrote it cannot change it later. */
export function frozenJson(source: unknown): JsonSchema {
  const copy = jsonCopy(source);
  if (!isJsonObject(copy)) throw new SchemaError('a JSON Schema must be an object');
  deepFreeze(copy);
  return copy;
}

function jsonCopy(source: unknown): unknown {
  try {
    const text = JSON.stringify(source) ?? 'null';
    // Some converters leave their own object in the result. Few do, and a replacer costs much.
    return JSON.parse(text.includes('"~standard"') ? JSON.stringify(source, withoutVendor) : text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SchemaError(`a JSON Schema must be a JSON value: ${reason}`);
  }
}

function withoutVendor(key: string, value: unknown): unknown {
  return key === '~standard' && hasVendor(value) ? undefined : value;
}

function hasVendor(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'vendor');
}

/** With a list instead of recursion, since values such as `default` may be nested deeper than the stack. */
function deepFreeze(root: object): void {
  const left: object[] = [root];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    Object.freeze(next);
    for (const child of Object.values(next) as unknown[]) {
      if (typeof child === 'object' && child !== null) left.push(child);
    }
  }
}
