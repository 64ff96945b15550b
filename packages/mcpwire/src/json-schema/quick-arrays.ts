import type { JsonSchema } from './json-schema.ts';
import { LEAVE_TO_LIBRARY, limit } from './quick-values.ts';
import type { QuickCheck } from './quick-values.ts';

/** Beyond this many items, comparing each with each costs more than asking the library. */
const MOST_COMPARED = 32;

/** Arrays: `items`, `minItems`, `maxItems`, and `uniqueItems` for short lists of strings. */
export function quickArray(schema: JsonSchema, build: (schema: unknown) => QuickCheck): QuickCheck {
  const items = schema['items'];
  if (Array.isArray(items)) return LEAVE_TO_LIBRARY;
  const check = items === undefined || items === true ? undefined : build(items);
  const least = limit(schema, 'minItems', 0);
  const most = limit(schema, 'maxItems', Infinity);
  const distinct = schema['uniqueItems'] === true;
  return (value) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) return false;
    if (distinct && !areDistinctStrings(value)) return false;
    if (check === undefined) return true;
    for (let index = 0; index < value.length; index += 1) {
      if (!check(value[index])) return false;
    }
    return true;
  };
}

function areDistinctStrings(items: readonly unknown[]): boolean {
  if (items.length > MOST_COMPARED) return false;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    if (typeof item !== 'string' || items.indexOf(item) !== index) return false;
  }
  return true;
}
