import { assertSchema } from './assert-schema.ts';
import { compileSchema } from './compile-schema.ts';
import { frozenJson } from './frozen-json.ts';
import { childPointer } from './json-pointer.ts';
import { isJsonObject } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import type { SchemaBounds } from './schema-bounds.ts';
import type { SchemaIssue } from './schema-issue.ts';
import { isStandardSchema } from './standard-schema.ts';
import type { StandardIssue, StandardResult, StandardSchemaV1 } from './standard-schema.ts';
import { vendorJsonSchema } from './vendor-json-schema.ts';
import type { Direction } from './vendor-json-schema.ts';

/** A TypeBox type: a JSON Schema by content, but TypeScript wants its kind named, as it has no index signature. */
interface TypeBoxType {
  readonly '~kind': string;
}

/**
 * What may be given where a schema is asked for: a Standard Schema, a JSON Schema object, a TypeBox type. Naming only
 * the property of Standard Schema keeps the compiler's work small: comparing a schema with the whole interface at every
 * tool costs half as much again as the schemas themselves.
 */
export type SchemaLike = { readonly '~standard': unknown } | JsonSchema | TypeBoxType;

// Zod's own property is asked first: it is the type `z.infer` reads, computed already wherever the schema is used.
// The members are indexed, not inferred: `infer` and nested comparisons cost half as much again.

/** What a value looks like before validation. A plain JSON Schema promises an object and no more. */
export type InferInput<S> = S extends { readonly _zod: { readonly input: unknown } }
  ? S['_zod']['input']
  : S extends { readonly '~standard': { readonly types?: { readonly input: unknown } | undefined } }
    ? NonNullable<S['~standard']['types']>['input']
    : { [key: string]: unknown };

/** What a value looks like after validation. */
export type InferOutput<S> = S extends { readonly _zod: { readonly output: unknown } }
  ? S['_zod']['output']
  : S extends { readonly '~standard': { readonly types?: { readonly output: unknown } | undefined } }
    ? NonNullable<S['~standard']['types']>['output']
    : { [key: string]: unknown };

/** The outcome of a validation: the value to go on with, or what is wrong. */
export type Validated =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/** A schema as the rest of the library sees it, whoever wrote it. */
export interface Schema {
  /** The JSON Schema to publish. */
  readonly json: JsonSchema;
  /** Answers at once where it can: nearly always for valid values. */
  validate(value: unknown): Validated | Promise<Validated>;
}

/** Takes a schema of any supported kind; throws SchemaError for one that cannot be used. */
export function toSchema(source: SchemaLike, direction: Direction, bounds?: SchemaBounds): Schema {
  return isStandardSchema(source) ? fromStandard(source, direction, bounds) : fromJson(source, bounds);
}

function fromJson(source: SchemaLike, bounds: SchemaBounds | undefined): Schema {
  const json = frozenJson(source);
  const compiled = compileSchema(json, bounds);
  return {
    json,
    validate: (value) => (compiled.quick(value) ? { ok: true, value } : slowly(compiled.check(value), value)),
  };
}

async function slowly(checking: Promise<readonly SchemaIssue[]>, value: unknown): Promise<Validated> {
  const issues = await checking;
  return issues.length === 0 ? { ok: true, value } : { ok: false, issues };
}

function fromStandard(
  source: StandardSchemaV1,
  direction: Direction,
  bounds: SchemaBounds | undefined,
): Schema {
  const json = frozenJson(withoutDefaultDialect(vendorJsonSchema(source, direction)));
  assertSchema(json, bounds);
  const standard = source['~standard'];
  return {
    json,
    validate: (value) => {
      const result = standard.validate(value);
      return result instanceof Promise ? result.then(fromResult) : fromResult(result);
    },
  };
}

/** Vendors name the dialect in every schema; where it is the default of MCP it is only weight on the wire. */
function withoutDefaultDialect(json: unknown): unknown {
  if (!isJsonObject(json) || json['$schema'] !== 'https://json-schema.org/draft/2020-12/schema') return json;
  const { $schema: _default, ...rest } = json;
  return rest;
}

function fromResult(result: StandardResult): Validated {
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.map(fromIssue) };
}

function fromIssue(issue: StandardIssue): SchemaIssue {
  let path = '';
  for (const step of issue.path ?? []) {
    path = childPointer(path, String(typeof step === 'object' ? step.key : step));
  }
  return { path, message: issue.message };
}
