import { isJsonObject, isSchemaNode } from './json-schema.ts';
import { compilePattern, compilePropertyPattern } from './pattern.ts';
import type { Shape } from './keywords.ts';

const TYPE_NAMES: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

function isDistinctStrings(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.every((item) => typeof item === 'string') &&
    new Set<unknown>(value).size === value.length
  );
}

function everyValue(value: unknown, test: (child: unknown) => boolean): boolean {
  return isJsonObject(value) && Object.keys(value).every((key) => test(value[key]));
}

/** The library joins the patterns, so they have to work in one expression too: no group name twice. */
function arePropertyPatterns(sources: readonly string[]): boolean {
  return [...sources, sources.join('|')].every((source) => compilePropertyPattern(source) !== undefined);
}

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isPattern = (value: unknown): boolean =>
  typeof value === 'string' && compilePattern(value) !== undefined;
const isTypes = (value: unknown): boolean =>
  TYPE_NAMES.has(value) ||
  (isDistinctStrings(value) && value.length > 0 && value.every((name) => TYPE_NAMES.has(name)));

const CHECKS: Readonly<Record<Shape, { readonly test: (value: unknown) => boolean; readonly must: string }>> =
  {
    any: { test: () => true, must: '' },
    array: { test: Array.isArray, must: 'must be an array' },
    boolean: { test: (value) => typeof value === 'boolean', must: 'must be true or false' },
    count: { test: isCount, must: 'must be a non-negative integer' },
    number: { test: Number.isFinite, must: 'must be a number' },
    pattern: { test: isPattern, must: 'must be a regular expression' },
    positive: {
      test: (value) => Number.isFinite(value) && Number(value) > 0,
      must: 'must be a number above 0',
    },
    schema: { test: isSchemaNode, must: 'must be a schema (an object or a boolean)' },
    'schema or schemas': {
      test: (value) => isSchemaNode(value) || (Array.isArray(value) && value.every(isSchemaNode)),
      must: 'must be a schema or an array of schemas',
    },
    'schema or strings by name': {
      test: (value) => everyValue(value, (child) => isSchemaNode(child) || isDistinctStrings(child)),
      must: 'must be an object of schemas or arrays of strings',
    },
    schemas: {
      test: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchemaNode),
      must: 'must be a non-empty array of schemas',
    },
    'schemas by name': {
      test: (value) => everyValue(value, isSchemaNode),
      must: 'must be an object of schemas',
    },
    'schemas by pattern': {
      test: (value) => everyValue(value, isSchemaNode) && arePropertyPatterns(Object.keys(value as object)),
      must: 'must be an object of schemas whose keys are regular expressions',
    },
    string: { test: (value) => typeof value === 'string', must: 'must be a string' },
    strings: { test: isDistinctStrings, must: 'must be an array of distinct strings' },
    'strings by name': {
      test: (value) => everyValue(value, isDistinctStrings),
      must: 'must be an object of arrays of distinct strings',
    },
    types: {
      test: isTypes,
      must: 'must be one or more of array, boolean, integer, null, number, object, string',
    },
  };

/** What is wrong with the value of a keyword of this shape; undefined if nothing is. */
export function shapeProblem(shape: Shape, value: unknown): string | undefined {
  const { test, must } = CHECKS[shape];
  return test(value) ? undefined : must;
}
