import type { Dialect } from './dialect.ts';

/** What the value of a keyword looks like. */
export type Shape =
  | 'any'
  | 'array'
  | 'boolean'
  | 'count'
  | 'number'
  | 'pattern'
  | 'positive'
  | 'schema'
  | 'schema or schemas'
  | 'schema or strings by name'
  | 'schemas'
  | 'schemas by name'
  | 'schemas by pattern'
  | 'string'
  | 'strings'
  | 'strings by name'
  | 'types';

type Keywords = Readonly<Record<string, Shape>>;

const EVERY_DIALECT: Keywords = {
  $schema: 'string',
  $id: 'string',
  $ref: 'string',
  $comment: 'string',
  definitions: 'schemas by name',
  title: 'string',
  description: 'string',
  default: 'any',
  examples: 'array',
  readOnly: 'boolean',
  writeOnly: 'boolean',
  type: 'types',
  enum: 'array',
  const: 'any',
  multipleOf: 'positive',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  minLength: 'count',
  maxLength: 'count',
  pattern: 'pattern',
  format: 'string',
  contentEncoding: 'string',
  contentMediaType: 'string',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'boolean',
  contains: 'schema',
  minProperties: 'count',
  maxProperties: 'count',
  required: 'strings',
  properties: 'schemas by name',
  patternProperties: 'schemas by pattern',
  additionalProperties: 'schema',
  propertyNames: 'schema',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  if: 'schema',
  // oxlint-disable-next-line no-thenable -- a table of keywords, never awaited
  then: 'schema',
  else: 'schema',
};

const SINCE_2019: Keywords = {
  $anchor: 'string',
  $defs: 'schemas by name',
  $vocabulary: 'any',
  deprecated: 'boolean',
  contentSchema: 'schema',
  dependentRequired: 'strings by name',
  dependentSchemas: 'schemas by name',
  minContains: 'count',
  maxContains: 'count',
  unevaluatedItems: 'schema',
  unevaluatedProperties: 'schema',
};

const TABLES: Readonly<Record<Dialect, Keywords>> = {
  '2020-12': {
    ...EVERY_DIALECT,
    ...SINCE_2019,
    $dynamicRef: 'string',
    $dynamicAnchor: 'string',
    prefixItems: 'schemas',
    items: 'schema',
  },
  '2019-09': {
    ...EVERY_DIALECT,
    ...SINCE_2019,
    $recursiveRef: 'string',
    $recursiveAnchor: 'boolean',
    items: 'schema or schemas',
    additionalItems: 'schema',
  },
  'draft-07': {
    ...EVERY_DIALECT,
    items: 'schema or schemas',
    additionalItems: 'schema',
    dependencies: 'schema or strings by name',
  },
};

/** The shape of a keyword in a dialect; undefined for words the dialect does not know and ignores. */
export function shapeOf(dialect: Dialect, keyword: string): Shape | undefined {
  const table = TABLES[dialect];
  return Object.hasOwn(table, keyword) ? table[keyword] : undefined;
}

/** Keywords that say something about a value without restricting it; `format` is one by default. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$schema',
  '$comment',
  '$vocabulary',
  'title',
  'description',
  'default',
  'examples',
  'readOnly',
  'writeOnly',
  'deprecated',
  'format',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
]);
