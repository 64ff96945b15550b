import { indexSchema } from './index-schema.ts';
import { toIssues } from './issues.ts';
import type { SchemaNode } from './json-schema.ts';
import { ReferenceBudgetError, librarySchema } from './library-schema.ts';
import type { LibrarySchema } from './library-schema.ts';
import { plainJson } from './plain-json.ts';
import { buildQuickCheck } from './quick-check.ts';
import type { QuickCheck } from './quick-values.ts';
import type { SchemaBounds } from './schema-bounds.ts';
import type { SchemaIssue } from './schema-issue.ts';

/** A schema ready to check values. */
export interface CompiledSchema {
  /** True only if the value surely conforms; false means: ask `check`. */
  quick(value: unknown): boolean;
  /** What is wrong with the value; empty if it is valid. */
  check(value: unknown): Promise<readonly SchemaIssue[]>;
}

/** The part of the validator library that is used. */
interface Library {
  Check(context: object, schema: SchemaNode, value: unknown): boolean;
  Errors(
    context: object,
    schema: SchemaNode,
    value: unknown,
  ): readonly [boolean, readonly LibraryErrorLike[]];
}

type LibraryErrorLike = Parameters<typeof toIssues>[0][number];

const VALID: readonly SchemaIssue[] = [];

/** Values with more parts than this are only told to be invalid: explaining costs the library the square of it. */
const MOST_EXPLAINED = 10_000;

/** Compiles a schema; throws SchemaError for one that cannot be validated against. */
export function compileSchema(schema: SchemaNode, bounds?: SchemaBounds): CompiledSchema {
  const index = indexSchema(schema, bounds);
  let quick: QuickCheck | undefined;
  let prepared: LibrarySchema | undefined;
  return {
    quick: (value) => {
      quick ??= buildQuickCheck(index);
      return quick(value);
    },
    check: async (value) => {
      const library = await loadLibrary();
      prepared ??= librarySchema(index);
      return checkWith(library, prepared, value);
    },
  };
}

let loading: Promise<Library> | undefined;

/** A start that only ever sees plain valid values never pays for the library. */
function loadLibrary(): Promise<Library> {
  loading ??= import('typebox/schema');
  return loading;
}

function checkWith(library: Library, prepared: LibrarySchema, source: unknown): readonly SchemaIssue[] {
  const { schema, context, refill } = prepared;
  try {
    const { value, size } = plainJson(source);
    if (value === undefined) return whole('must be a value that JSON can carry');
    refill(size);
    if (library.Check(context, schema, value)) return VALID;
    if (size > MOST_EXPLAINED) return whole('does not match the schema, and is too large to say where');
    refill(size);
    const issues = toIssues(library.Errors(context, schema, value)[1]);
    return issues.length > 0 ? issues : whole('does not match the schema');
  } catch (error) {
    if (error instanceof ReferenceBudgetError) return whole('takes too long to check against the schema');
    if (error instanceof RangeError) return whole('is nested too deeply to check');
    throw error;
  }
}

function whole(message: string): readonly SchemaIssue[] {
  return [{ path: '', message }];
}
