import { dialectOf } from './dialect.ts';
import { isJsonObject, isSchemaNode } from './json-schema.ts';
import { DEFAULT_BOUNDS } from './schema-bounds.ts';
import type { SchemaBounds } from './schema-bounds.ts';
import type { SchemaIndex } from './schema-index.ts';
import { SchemaError } from './schema-problem.ts';
import { resolveReferences } from './schema-references.ts';
import { ROOT_URI } from './schema-uri.ts';
import { assertFiniteUnrolling } from './unrolling.ts';
import { walkSchema } from './walk-schema.ts';

/** Walks a schema once: checks every keyword and bound, resolves every reference. Throws SchemaError. */
export function indexSchema(root: unknown, bounds: SchemaBounds = {}): SchemaIndex {
  if (!isSchemaNode(root)) throw new SchemaError('a JSON Schema must be an object or a boolean');
  const index: SchemaIndex = {
    root,
    dialect: isJsonObject(root) ? dialectOf(root) : '2020-12',
    bounds: { ...DEFAULT_BOUNDS, ...bounds },
    places: new Map(),
    resources: new Map(),
    anchors: new Map(),
    dynamicAnchors: new Map(),
    references: [],
    targets: new Map(),
    dynamic: false,
  };
  if (!isJsonObject(root)) return index;
  index.resources.set(ROOT_URI, root);
  walkSchema(index, root, { path: '', base: ROOT_URI, depth: 1 });
  if (index.references.length > 0) {
    resolveReferences(index);
    assertFiniteUnrolling(index);
  }
  return index;
}
