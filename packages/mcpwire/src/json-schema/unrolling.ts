import { isJsonObject } from './json-schema.ts';
import type { JsonSchema, SchemaNode } from './json-schema.ts';
import type { SchemaIndex } from './schema-index.ts';
import { SchemaError } from './schema-problem.ts';
import { forEachSubschema } from './subschemas.ts';

/** Keywords whose subschemas look at the same value as the schema they stand in. */
const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

/** What checking one value against a schema costs, not counting the values inside it. */
interface Cost {
  readonly subschemas: number;
  readonly hops: number;
}

const NOTHING: Cost = { subschemas: 1, hops: 0 };

/**
 * Refuses references that never end and schemas that grow without measure when references are followed:
 * thirty schemas that each name the next one twice already mean a billion checks for a single value.
 */
export function assertFiniteUnrolling(index: SchemaIndex): void {
  const known = new Map<JsonSchema, Cost>();
  const open = new Set<JsonSchema>();

  function costOf(node: SchemaNode, hops: number): Cost {
    if (!isJsonObject(node)) return NOTHING;
    const path = index.places.get(node)?.path ?? '';
    const before = known.get(node);
    if (before !== undefined) return before;
    if (open.has(node)) throw new SchemaError('references lead back here without end', path);
    if (hops > index.bounds.refHops) throw new SchemaError(hopsProblem(index), path);
    open.add(node);
    let subschemas = 1;
    let longest = 0;
    for (const target of index.targets.get(node) ?? []) {
      const cost = costOf(target, hops + 1);
      subschemas += cost.subschemas;
      longest = Math.max(longest, cost.hops + 1);
    }
    // In draft-07 a reference makes everything beside it void.
    const alone = index.dialect === 'draft-07' && node['$ref'] !== undefined;
    forEachSubschema(node, index.dialect, (child, _suffix, keyword) => {
      if (alone || !IN_PLACE.has(keyword) || !isJsonObject(child)) return;
      const cost = costOf(child, hops);
      subschemas += cost.subschemas;
      longest = Math.max(longest, cost.hops);
    });
    open.delete(node);
    if (longest > index.bounds.refHops) throw new SchemaError(hopsProblem(index), path);
    if (subschemas > index.bounds.unrolled) {
      throw new SchemaError(`more than ${index.bounds.unrolled} subschemas meet a single value`, path);
    }
    const cost = { subschemas, hops: longest };
    known.set(node, cost);
    return cost;
  }

  for (const schema of index.places.keys()) costOf(schema, 0);
}

function hopsProblem(index: SchemaIndex): string {
  return `more than ${index.bounds.refHops} references follow one another`;
}
