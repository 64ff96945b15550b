import type { Dialect } from './dialect.ts';
import { isJsonObject } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { childPointer } from './json-pointer.ts';
import { shapeOf } from './keywords.ts';

/** Calls back for each value that stands directly under `schema` where the dialect expects a schema. */
export function forEachSubschema(
  schema: JsonSchema,
  dialect: Dialect,
  visit: (child: unknown, suffix: string, keyword: string) => void,
): void {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    // Most keywords hold no object at all, and most of a schema is made of them.
    if (typeof value !== 'object' || value === null) {
      if (typeof value === 'boolean' && shapeOf(dialect, keyword) === 'schema') {
        visit(value, childPointer('', keyword), keyword);
      }
      continue;
    }
    const suffix = childPointer('', keyword);
    switch (shapeOf(dialect, keyword)) {
      case 'schema':
        visit(value, suffix, keyword);
        break;
      case 'schemas':
      case 'schema or schemas':
        if (!Array.isArray(value)) visit(value, suffix, keyword);
        else for (const [index, child] of value.entries()) visit(child, `${suffix}/${index}`, keyword);
        break;
      case 'schemas by name':
      case 'schemas by pattern':
      case 'schema or strings by name':
        if (!isJsonObject(value)) break;
        for (const name of Object.keys(value)) {
          const child = value[name];
          if (!Array.isArray(child)) visit(child, childPointer(suffix, name), keyword);
        }
        break;
      default:
    }
  }
}
