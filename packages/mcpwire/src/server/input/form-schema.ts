import { SchemaError } from '../../json-schema/schema-problem.ts';
import { toSchema } from '../../json-schema/schema.ts';
import type { Schema, SchemaLike } from '../../json-schema/schema.ts';
import { isJsonObject, jsonType } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { formatProblems, isFormFormat } from './form-formats.ts';

/** A schema for a form: what goes to the client, and what checks the answer. */
export interface FormSchema {
  readonly requested: JsonObject;
  readonly schema: Schema;
  /** What is wrong with the formats of an answer that the schema took, and made `value` of. */
  formatProblems(raw: unknown, value: unknown): readonly string[];
}

const COMMON = ['title', 'description', 'default'] as const;

interface Converted {
  readonly form: FormSchema;
  /** What a plain JSON Schema said then: its author may have changed it since. Schema libraries don't change theirs. */
  readonly text: string | undefined;
}

/** Schemas that were converted already: most handlers ask with the same object every time. */
const CONVERTED = new WeakMap<object, Converted>();

/**
 * Brings a schema into the restricted form that clients can draw: a flat object of strings, numbers, booleans and
 * choices (client/elicitation, "Requested Schema"). What clients can't use (patterns, further formats) is left out: the
 * answer is still checked against the whole schema. What can't be asked at all is a `UsageError` that names the field.
 */
export function toFormSchema(key: string, source: SchemaLike): FormSchema {
  const known = CONVERTED.get(source);
  if (known !== undefined && known.text === undefined) return known.form;
  const text = '~standard' in source ? undefined : JSON.stringify(source);
  if (known !== undefined && known.text === text) return known.form;
  const form = convert(key, source);
  CONVERTED.set(source, { form, text });
  return form;
}

function convert(key: string, source: SchemaLike): FormSchema {
  const schema = read(key, source);
  const { type, properties, required } = schema.json;
  if (type !== 'object' || !isJsonObject(properties)) {
    throw new UsageError(`the schema of ${JSON.stringify(key)} must be an object with properties`);
  }
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, toField(`${key}.${name}`, field)] as const,
  );
  const requested = {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
  };
  const isLibrary = '~standard' in source;
  return {
    requested,
    schema,
    formatProblems: (raw, value) => formatProblems(requested, raw, value, isLibrary),
  };
}

function read(key: string, source: SchemaLike): Schema {
  try {
    return toSchema(source, 'input');
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new UsageError(`the schema of ${JSON.stringify(key)} can't be used: ${error.message}`);
  }
}

function toField(where: string, field: unknown): JsonObject {
  if (!isJsonObject(field)) throw new UsageError(`${where} must be a schema, got ${jsonType(field)}`);
  const choices = choicesOf(field);
  if (choices !== undefined) return { type: 'string', ...pick(field, COMMON), ...choices };
  switch (field['type']) {
    case 'string':
      return {
        type: 'string',
        ...pick(field, [...COMMON, 'minLength', 'maxLength']),
        ...(isFormFormat(field['format']) ? { format: field['format'] } : {}),
      };
    case 'number':
    case 'integer':
      return { type: field['type'], ...pick(field, COMMON), ...limits(field) };
    case 'boolean':
      return { type: 'boolean', ...pick(field, COMMON) };
    case 'array':
      return toMultipleChoice(where, field);
    default:
      throw new UsageError(
        `${where} can't be asked in a form: use a string, a number, a boolean, or a choice of strings`,
      );
  }
}

function toMultipleChoice(where: string, field: JsonObject): JsonObject {
  const items = isJsonObject(field['items']) ? field['items'] : {};
  const choices = choicesOf(items);
  if (choices === undefined) {
    throw new UsageError(`${where} can't be asked in a form: its items must be a choice of strings`);
  }
  const { oneOf, enumNames: _names, ...plain } = choices;
  return {
    type: 'array',
    ...pick(field, [...COMMON, 'minItems', 'maxItems']),
    items: oneOf === undefined ? { type: 'string', ...plain } : { anyOf: oneOf },
  };
}

/** The choices of a string field, with or without titles, in whichever way the schema says them. */
function choicesOf(field: JsonObject): JsonObject | undefined {
  if (Array.isArray(field['enum']) && field['enum'].every((value) => typeof value === 'string')) {
    return pick(field, ['enum', 'enumNames']);
  }
  if (typeof field['const'] === 'string') return { enum: [field['const']] };
  const options = field['oneOf'] ?? field['anyOf'];
  if (!Array.isArray(options) || options.length === 0) return undefined;
  if (!options.every((option) => isJsonObject(option) && typeof option['const'] === 'string')) {
    return undefined;
  }
  const constants = options as readonly JsonObject[];
  const isTitled = constants.some((option) => typeof option['title'] === 'string');
  if (!isTitled) return { enum: constants.map((option) => option['const']) };
  return {
    oneOf: constants.map((option) => ({ const: option['const'], title: option['title'] ?? option['const'] })),
  };
}

/** Limits that say something: those of "any integer that a double can hold" are noise. */
function limits(field: JsonObject): JsonObject {
  const isInteger = field['type'] === 'integer';
  const minimum = field['minimum'] ?? (isInteger ? next(field['exclusiveMinimum'], 1) : undefined);
  const maximum = field['maximum'] ?? (isInteger ? next(field['exclusiveMaximum'], -1) : undefined);
  return {
    ...(typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? { minimum } : {}),
    ...(typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? { maximum } : {}),
  };
}

/** The integer next to a limit that is no longer allowed itself. */
function next(limit: unknown, step: number): number | undefined {
  return Number.isSafeInteger(limit) ? Number(limit) + step : undefined;
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
  );
}
