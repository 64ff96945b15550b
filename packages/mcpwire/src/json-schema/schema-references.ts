import { followPointer } from './json-pointer.ts';
import { isJsonObject, isSchemaNode } from './json-schema.ts';
import type { SchemaNode } from './json-schema.ts';
import type { Reference, SchemaIndex } from './schema-index.ts';
import { SchemaError } from './schema-problem.ts';
import { ROOT_URI, splitUri } from './schema-uri.ts';
import { walkSchema } from './walk-schema.ts';

/** Finds the target of every reference inside the document; nothing is ever fetched. */
export function resolveReferences(index: SchemaIndex): void {
  // Walking a target that stood under an unknown keyword can add references; the loop reaches those too.
  for (const reference of index.references) {
    const target = targetOf(index, reference);
    const found = index.targets.get(reference.schema) ?? [];
    index.targets.set(reference.schema, [...found, target, ...dynamicTargets(index, reference, target)]);
  }
}

function targetOf(index: SchemaIndex, { reference, keyword, place }: Reference): SchemaNode {
  const path = `${place.path}/${keyword}`;
  const [uri, fragment] = splitUri(reference, place.base, path);
  const resource = index.resources.get(uri);
  if (resource === undefined) throw new SchemaError(outside(reference, uri), path);
  if (fragment === '') return resource;
  if (!fragment.startsWith('/')) {
    const anchor = index.anchors.get(`${uri}#${fragment}`);
    if (anchor === undefined) throw new SchemaError(nowhere(reference), path);
    return anchor;
  }
  const target = followPointer(resource, fragment);
  if (!isSchemaNode(target)) throw new SchemaError(nowhere(reference), path);
  if (isJsonObject(target)) {
    const depth = fragment.split('/').length;
    walkSchema(index, target, {
      path: (index.places.get(resource)?.path ?? '') + fragment,
      base: uri,
      depth,
    });
  }
  return target;
}

function nowhere(reference: string): string {
  return `the reference ${reference} leads nowhere in this schema`;
}

function outside(reference: string, uri: string): string {
  if (uri.startsWith(ROOT_URI)) return nowhere(reference);
  return (
    `the reference ${reference} leads outside this schema; such references are never fetched, ` +
    'so put the schema it means under $defs'
  );
}

/** A dynamic reference may end at any schema with its name, so all of them count as targets. */
function dynamicTargets(
  index: SchemaIndex,
  { keyword, reference }: Reference,
  target: SchemaNode,
): SchemaNode[] {
  if (keyword !== '$dynamicRef' || !isJsonObject(target)) return [];
  const name = reference.slice(reference.indexOf('#') + 1);
  if (target['$dynamicAnchor'] !== name) return [];
  return (index.dynamicAnchors.get(name) ?? []).filter((schema) => schema !== target);
}
