import { isJsonObject } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import type { SchemaIndex } from './schema-index.ts';

/**
 * True if no value can conform to two of the alternatives of a `oneOf`, so that one that conforms is enough.
 * Known by their types or by a required member that is a different constant in each: what generators write.
 */
export function areExclusive(index: SchemaIndex, alternatives: readonly unknown[]): boolean {
  const schemas = alternatives.map((alternative) => dereferenced(index, alternative));
  const [first] = schemas;
  if (first === undefined) return false;
  if (areDisjoint(schemas.map(typesOf))) return true;
  const properties = isJsonObject(first['properties']) ? first['properties'] : {};
  return Object.keys(properties).some((name) =>
    areDisjoint(schemas.map((schema) => tagsOf(index, schema, name))),
  );
}

/** Follows references that stand alone or beside others; an empty schema where that leads to no object. */
function dereferenced(index: SchemaIndex, node: unknown): JsonSchema {
  let schema = node;
  while (isJsonObject(schema) && schema['$ref'] !== undefined) schema = index.targets.get(schema)?.[0];
  return isJsonObject(schema) ? schema : {};
}

function areDisjoint(sets: readonly (readonly unknown[])[]): boolean {
  const all = sets.flat();
  return sets.every((set) => set.length > 0) && new Set(all).size === all.length;
}

function typesOf(schema: JsonSchema): readonly unknown[] {
  const type = schema['type'];
  const names: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  return [...new Set(names.map((name) => (name === 'integer' ? 'number' : name)))];
}

/** The values a member may have, if it must be there and must be one of a few simple ones. */
function tagsOf(index: SchemaIndex, schema: JsonSchema, name: string): readonly unknown[] {
  const { type, required, properties } = schema;
  if (type !== 'object' || !Array.isArray(required) || !required.includes(name)) return [];
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return [];
  const member = dereferenced(index, properties[name]);
  const tags: readonly unknown[] = Array.isArray(member['enum']) ? member['enum'] : [member['const']];
  return tags.every((tag) => typeof tag === 'string' || typeof tag === 'boolean') ? [...new Set(tags)] : [];
}
