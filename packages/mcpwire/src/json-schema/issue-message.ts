import { detail, listDetail } from './library-error.ts';
import type { LibraryError } from './library-error.ts';

/** Longer values would bury the message they stand in. */
const LONGEST_VALUE = 60;
const MOST_VALUES = 12;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** `"a", "b"`, cut after a dozen. */
function showList(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_VALUES).map(show).join(', ');
  return values.length > MOST_VALUES ? `${shown}, …` : shown;
}

/** `an integer or null`. */
export function showTypes(names: readonly unknown[]): string {
  const nouns = [...new Set(names)].map((name) => {
    if (name === 'null') return 'null';
    return `${/^[aio]/.test(String(name)) ? 'an' : 'a'} ${String(name)}`;
  });
  return nouns.join(' or ');
}

function named(what: string, names: readonly unknown[]): string {
  return `${what} ${names.length > 1 ? 'properties' : 'property'} ${showList(names)}`;
}

function count(error: LibraryError, name: string, noun: string): string {
  const limit = detail(error, name);
  return `${String(limit)} ${limit === 1 ? noun : noun.replace(/y$/, 'ie')}${limit === 1 ? '' : 's'}`;
}

const MESSAGES: Readonly<Record<string, (error: LibraryError) => string>> = {
  type: (error) => {
    const type = detail(error, 'type');
    return `must be ${showTypes(Array.isArray(type) ? type : [type])}`;
  },
  enum: (error) => `must be one of ${showList(listDetail(error, 'allowedValues'))}`,
  const: (error) => `must be ${show(detail(error, 'allowedValue'))}`,
  required: (error) => `must have the ${named('', listDetail(error, 'requiredProperties')).trim()}`,
  additionalProperties: (error) =>
    `must not have the ${named('unknown', listDetail(error, 'additionalProperties'))}`,
  unevaluatedProperties: (error) =>
    `must not have the ${named('unknown', listDetail(error, 'unevaluatedProperties'))}`,
  unevaluatedItems: (error) => `must not have items at ${showList(listDetail(error, 'unevaluatedItems'))}`,
  propertyNames: (error) => `must not have the ${named('oddly named', listDetail(error, 'propertyNames'))}`,
  minimum: (error) => `must be at least ${String(detail(error, 'limit'))}`,
  maximum: (error) => `must be at most ${String(detail(error, 'limit'))}`,
  exclusiveMinimum: (error) => `must be above ${String(detail(error, 'limit'))}`,
  exclusiveMaximum: (error) => `must be below ${String(detail(error, 'limit'))}`,
  multipleOf: (error) => `must be a multiple of ${String(detail(error, 'multipleOf'))}`,
  minLength: (error) => `must have at least ${count(error, 'limit', 'character')}`,
  maxLength: (error) => `must have at most ${count(error, 'limit', 'character')}`,
  minItems: (error) => `must have at least ${count(error, 'limit', 'item')}`,
  maxItems: (error) => `must have at most ${count(error, 'limit', 'item')}`,
  minProperties: (error) => `must have at least ${count(error, 'limit', 'property')}`,
  maxProperties: (error) => `must have at most ${count(error, 'limit', 'property')}`,
  pattern: (error) => `must match the pattern ${patternSource(detail(error, 'pattern'))}`,
  uniqueItems: (error) =>
    `must not repeat items; repeated at ${showList(listDetail(error, 'duplicateItems'))}`,
  contains: () => 'must contain the right number of items that match `contains`',
  dependentRequired: (error) => beside(error),
  dependencies: (error) => beside(error),
  boolean: () => 'is not allowed',
  not: () => 'must not match the schema under `not`',
  if: (error) => `must match the schema under \`${String(detail(error, 'failingKeyword'))}\``,
};

function beside(error: LibraryError): string {
  const names = named('', listDetail(error, 'dependencies')).trim();
  return `must have the ${names} beside ${show(detail(error, 'property'))}`;
}

function patternSource(pattern: unknown): string {
  return pattern instanceof RegExp ? pattern.source : String(pattern);
}

/** What an error says to the author of the value. */
export function issueMessage(error: LibraryError): string {
  const message = Object.hasOwn(MESSAGES, error.keyword) ? MESSAGES[error.keyword] : undefined;
  return message?.(error) ?? `must match \`${error.keyword}\` of the schema`;
}
