import { dialectOf } from './dialect.ts';
import { childPointer } from './json-pointer.ts';
import { isJsonObject } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { shapeProblem } from './keyword-shape.ts';
import { shapeOf } from './keywords.ts';
import type { Place, SchemaIndex } from './schema-index.ts';
import { SchemaError } from './schema-problem.ts';
import { splitUri } from './schema-uri.ts';
import { forEachSubschema } from './subschemas.ts';

const ANCHORS = ['$anchor', '$dynamicAnchor'] as const;
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

/** Enters a subschema, and all below it, into the index. */
export function walkSchema(index: SchemaIndex, schema: JsonSchema, place: Place): void {
  if (index.places.has(schema)) return;
  const { depth, subschemas } = index.bounds;
  if (place.depth > depth) throw new SchemaError(`schemas are nested more than ${depth} deep`, place.path);
  if (index.places.size >= subschemas) {
    throw new SchemaError(`more than ${subschemas} subschemas`, place.path);
  }
  checkKeywords(index, schema, place.path);
  const base = enterNames(index, schema, place);
  const entered = base === place.base ? place : { ...place, base };
  index.places.set(schema, entered);
  noteReferences(index, schema, entered);
  forEachSubschema(schema, index.dialect, (child, suffix) => {
    if (isJsonObject(child)) {
      walkSchema(index, child, { path: place.path + suffix, base, depth: place.depth + 1 });
    }
  });
}

function checkKeywords(index: SchemaIndex, schema: JsonSchema, path: string): void {
  for (const keyword of Object.keys(schema)) {
    const shape = shapeOf(index.dialect, keyword);
    const problem = shape === undefined ? undefined : shapeProblem(shape, schema[keyword]);
    if (problem !== undefined) throw new SchemaError(`${keyword} ${problem}`, childPointer(path, keyword));
  }
  if (path !== '' && schema['$schema'] !== undefined && dialectOf(schema, path) !== index.dialect) {
    throw new SchemaError('a part in another dialect than the whole is not supported', `${path}/$schema`);
  }
}

/** Registers `$id` and the anchors of a schema; returns the base URI that holds inside it. */
function enterNames(index: SchemaIndex, schema: JsonSchema, place: Place): string {
  const { dialect } = index;
  // In draft-07 a reference makes everything beside it void, its `$id` too.
  const id = dialect === 'draft-07' && schema['$ref'] !== undefined ? undefined : schema['$id'];
  let base = place.base;
  if (typeof id === 'string') {
    const [uri, fragment] = splitUri(id, place.base, `${place.path}/$id`);
    if (fragment !== '' && dialect !== 'draft-07') {
      throw new SchemaError('$id must not have a fragment; use $anchor', `${place.path}/$id`);
    }
    if (fragment !== '') register(index.anchors, `${uri}#${fragment}`, schema, `${place.path}/$id`);
    else {
      base = uri;
      register(index.resources, uri, schema, `${place.path}/$id`);
    }
  }
  enterAnchors(index, schema, base, place.path);
  return base;
}

function enterAnchors(index: SchemaIndex, schema: JsonSchema, base: string, path: string): void {
  for (const keyword of ANCHORS) {
    const name = schema[keyword];
    if (typeof name !== 'string' || shapeOf(index.dialect, keyword) === undefined) continue;
    if (!/^[A-Za-z_][-A-Za-z0-9._]*$/.test(name)) {
      throw new SchemaError(`${keyword} must be a plain name`, `${path}/${keyword}`);
    }
    register(index.anchors, `${base}#${name}`, schema, `${path}/${keyword}`);
    if (keyword === '$dynamicAnchor') {
      index.dynamicAnchors.set(name, [...(index.dynamicAnchors.get(name) ?? []), schema]);
    }
  }
}

function register(names: Map<string, JsonSchema>, name: string, schema: JsonSchema, path: string): void {
  const holder = names.get(name);
  if (holder !== undefined && holder !== schema) throw new SchemaError('this name is taken already', path);
  names.set(name, schema);
}

function noteReferences(index: SchemaIndex, schema: JsonSchema, place: Place): void {
  for (const keyword of REFERENCES) {
    const reference = schema[keyword];
    if (typeof reference !== 'string' || shapeOf(index.dialect, keyword) === undefined) continue;
    index.references.push({ schema, keyword, reference, place });
    if (keyword !== '$ref') index.dynamic = true;
  }
}
