import { isJsonObject } from './json-schema.ts';
import type { JsonSchema, SchemaNode } from './json-schema.ts';
import { ANNOTATIONS, shapeOf } from './keywords.ts';
import { compilePattern } from './pattern.ts';
import type { SchemaIndex } from './schema-index.ts';

type Schemas = Record<string, unknown>;

/** A schema in the form the validator library gets it. */
export interface LibrarySchema {
  readonly schema: SchemaNode;
  /** Reference → the schema it means. */
  readonly context: Record<string, SchemaNode>;
  /** Called when a check begins, with the number of values in it; bounds how many references it may follow. */
  readonly refill: (values: number) => void;
}

/** Thrown out of the library when a check follows more references than the bound allows. */
export class ReferenceBudgetError extends Error {}

/**
 * How often one check may look at references; the library looks about five times for each one it follows.
 * Honest schemas follow a few for each value, hostile ones a number that grows with the power of the depth.
 */
const LOOKS = { base: 100_000, eachValue: 50, most: 5_000_000 };
/** Documents with dynamic references get this part of it: there each one means a walk over the document. */
const DYNAMIC_SHARE = 0.1;

/** Says nothing about values; left in place only where the library resolves the references. */
const NAMES: ReadonlySet<string> = new Set(['$id', '$anchor', '$defs', 'definitions']);

/**
 * Rewrites a schema into what the library should see of it: only the keywords of its dialect (the library
 * knows a single dialect, the union of all), no annotations (the library would enforce `format`), patterns
 * compiled once, and references resolved here, so that following one costs a look-up and not a search.
 * Documents with dynamic references keep theirs: only the library can resolve those.
 */
export function librarySchema(index: SchemaIndex): LibrarySchema {
  const copies = new Map<JsonSchema, Schemas>();
  const context = Object.create(null) as Record<string, SchemaNode>;
  const references = new Map<SchemaNode, string>();
  let looks = 0;

  function look(): void {
    looks -= 1;
    if (looks < 0) throw new ReferenceBudgetError('more references than the bound allows');
  }

  function copyNode(node: unknown): unknown {
    if (!isJsonObject(node)) return node;
    const before = copies.get(node);
    if (before !== undefined) return before;
    const copy = Object.create(null) as Schemas;
    copies.set(node, copy);
    for (const keyword of Object.keys(node)) {
      // In draft-07 a reference makes everything beside it void.
      if (index.dialect === 'draft-07' && node['$ref'] !== undefined && keyword !== '$ref') continue;
      copyKeyword(copy, node, keyword);
    }
    return copy;
  }

  function copyKeyword(copy: Schemas, node: JsonSchema, keyword: string): void {
    const value = node[keyword];
    const shape = shapeOf(index.dialect, keyword);
    if (shape === undefined || ANNOTATIONS.has(keyword)) return;
    if (NAMES.has(keyword) && !index.dynamic) return;
    if (shape === 'pattern' && typeof value === 'string') copy[keyword] = compilePattern(value);
    else if (shape.startsWith('schema')) {
      copy[keyword] = copyNested(value, shape.endsWith('by name') || shape.endsWith('by pattern'));
    } else if (keyword === '$ref' || keyword === '$dynamicRef') copyReference(copy, node, keyword);
    else copy[keyword] = value;
  }

  function copyNested(value: unknown, named: boolean): unknown {
    if (Array.isArray(value)) return value.map(copyNode);
    if (!named || !isJsonObject(value)) return copyNode(value);
    const nested = Object.create(null) as Schemas;
    for (const name of Object.keys(value)) {
      const child = value[name];
      nested[name] = Array.isArray(child) ? child : copyNode(child);
    }
    return nested;
  }

  function copyReference(copy: Schemas, node: JsonSchema, keyword: string): void {
    const target = index.targets.get(node)?.[0];
    let reference: unknown = node[keyword];
    if (!index.dynamic && target !== undefined) {
      reference = referenceTo(target);
    }
    // The library reads a reference each time it follows it, which makes it the place to count.
    Object.defineProperty(copy, keyword, {
      enumerable: true,
      get: () => {
        look();
        return reference;
      },
    });
  }

  function referenceTo(target: SchemaNode): string {
    const known = references.get(target);
    if (known !== undefined) return known;
    const reference = `#${references.size}`;
    references.set(target, reference);
    context[reference] = copyNode(target) as SchemaNode;
    return reference;
  }

  const schema = copyNode(index.root) as Schemas | boolean;
  // Without `$schema` the library falls back to the reference rules of draft-04.
  if (typeof schema === 'object') schema['$schema'] = 'https://json-schema.org/draft/2020-12/schema';
  return {
    schema,
    context,
    refill: (values) => {
      const allowed = Math.min(LOOKS.base + LOOKS.eachValue * values, LOOKS.most);
      looks = index.dynamic ? allowed * DYNAMIC_SHARE : allowed;
    },
  };
}
