import { isJsonObject } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { areExclusive } from './quick-alternatives.ts';
import { quickArray } from './quick-arrays.ts';
import { quickObject } from './quick-objects.ts';
import { LEAVE_TO_LIBRARY, anyJson, quickChoice, quickNumber, quickString } from './quick-values.ts';
import type { QuickCheck } from './quick-values.ts';
import { shapeOf } from './keywords.ts';
import type { SchemaIndex } from './schema-index.ts';

/** Keywords that decide what conforms and that only the library understands. */
const BEYOND_QUICK: readonly string[] = [
  '$dynamicRef',
  '$recursiveRef',
  'contains',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'if',
  'not',
  'patternProperties',
  'prefixItems',
  'unevaluatedItems',
  'unevaluatedProperties',
];

const ALL_TYPES: readonly string[] = ['array', 'boolean', 'null', 'number', 'object', 'string'];

/** References multiply what is built; a schema beyond this many parts is not the plain kind meant here. */
const MOST_PARTS = 1_000;

/**
 * Builds an acceptance check for the plain schemas most tools have, so that valid arguments cost a fraction
 * of a microsecond and never load the library. It may say true only where the library would say valid.
 */
export function buildQuickCheck(index: SchemaIndex): QuickCheck {
  const open = new Set<JsonSchema>();
  let parts = 0;

  function build(node: unknown): QuickCheck {
    if (node === true) return anyJson;
    if (!isJsonObject(node)) return LEAVE_TO_LIBRARY;
    parts += 1;
    // A schema inside itself would make the check as deep as the value.
    if (parts > MOST_PARTS || open.has(node)) return LEAVE_TO_LIBRARY;
    open.add(node);
    const check =
      index.dialect === 'draft-07' && node['$ref'] !== undefined ? followed(node) : buildParts(node);
    open.delete(node);
    return check;
  }

  function followed(node: JsonSchema): QuickCheck {
    const target = index.targets.get(node)?.[0];
    return target === undefined ? LEAVE_TO_LIBRARY : build(target);
  }

  function buildParts(node: JsonSchema): QuickCheck {
    if (BEYOND_QUICK.some((keyword) => has(index, node, keyword))) return LEAVE_TO_LIBRARY;
    const checks: QuickCheck[] = [];
    if (node['$ref'] !== undefined) checks.push(followed(node));
    if (node['const'] !== undefined) checks.push(quickChoice([node['const']]));
    if (Array.isArray(node['enum'])) checks.push(quickChoice(node['enum']));
    if (Array.isArray(node['allOf'])) checks.push(...node['allOf'].map(build));
    if (Array.isArray(node['anyOf'])) checks.push(any(node['anyOf'].map(build)));
    if (Array.isArray(node['oneOf'])) {
      checks.push(areExclusive(index, node['oneOf']) ? any(node['oneOf'].map(build)) : LEAVE_TO_LIBRARY);
    }
    if (checks.length === 0 || restrictsType(node)) checks.push(byType(node, build));
    return all(checks);
  }

  return build(index.root);
}

function has(index: SchemaIndex, node: JsonSchema, keyword: string): boolean {
  return node[keyword] !== undefined && shapeOf(index.dialect, keyword) !== undefined;
}

/** Keywords whose absence makes the check by type accept every JSON value. */
const BY_TYPE: readonly string[] = [
  'type',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
];

function restrictsType(node: JsonSchema): boolean {
  return BY_TYPE.some((keyword) => node[keyword] !== undefined);
}

/** Keywords speak of one type each and let the others pass, so there is one check for each type. */
function byType(node: JsonSchema, build: (schema: unknown) => QuickCheck): QuickCheck {
  if (!restrictsType(node)) return anyJson;
  const type = node['type'];
  const names: readonly unknown[] = type === undefined ? ALL_TYPES : Array.isArray(type) ? type : [type];
  return any(names.map((name) => forType(name, node, build)));
}

function forType(name: unknown, node: JsonSchema, build: (schema: unknown) => QuickCheck): QuickCheck {
  switch (name) {
    case 'string':
      return quickString(node);
    case 'number':
    case 'integer':
      return quickNumber(node, name === 'integer');
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'null':
      return (value) => value === null;
    case 'array':
      return quickArray(node, build);
    case 'object':
      return quickObject(node, build);
    default:
      return LEAVE_TO_LIBRARY;
  }
}

function all(checks: readonly QuickCheck[]): QuickCheck {
  const [first, second] = checks;
  if (first === undefined) return anyJson;
  if (second === undefined) return first;
  if (checks.length === 2) return (value) => first(value) && second(value);
  return (value) => {
    for (let index = 0; index < checks.length; index += 1) {
      if (checks[index]?.(value) !== true) return false;
    }
    return true;
  };
}

function any(checks: readonly QuickCheck[]): QuickCheck {
  const [first, second] = checks;
  if (first === undefined) return LEAVE_TO_LIBRARY;
  if (second === undefined) return first;
  if (checks.length === 2) return (value) => first(value) || second(value);
  return (value) => {
    for (let index = 0; index < checks.length; index += 1) {
      if (checks[index]?.(value) === true) return true;
    }
    return false;
  };
}
