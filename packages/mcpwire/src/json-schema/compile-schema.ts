import { indexSchema } from './index-schema.ts';
import { toIssues } from './issues.ts';
import type { SchemaNode } from './json-schema.ts';
import type { LibraryError } from './library-error.ts';
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
  readonly settings: {
    Get(): { readonly maxErrors: number };
    Set(settings: { readonly maxErrors: number }): void;
  };
  Check(context: object, schema: SchemaNode, value: unknown): boolean;
  Errors(context: object, schema: SchemaNode, value: unknown): readonly [boolean, readonly LibraryError[]];
}

const VALID: readonly SchemaIssue[] = [];

/** More would not help whoever has to mend the value. */
const MOST_ISSUES = 20;
const MOST_ERRORS = 200;

/** Values with more parts than this are only told to be invalid: explaining costs the library the square of it. */
const MOST_EXPLAINED = 10_000;

/**
 * Compiles a schema, which must not change afterwards; throws SchemaError for one that cannot be validated
 * against. What quick checks and the library need of it is prepared when first asked for.
 */
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
  loading ??= Promise.all([import('typebox/schema'), import('typebox/system')]).then(
    ([{ Check, Errors }, { Settings }]) => ({ Check, Errors, settings: Settings }),
  );
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
    const issues = toIssues(allErrors(library, prepared, value));
    return issues.length > 0 ? issues.slice(0, MOST_ISSUES) : whole('does not match the schema');
  } catch (error) {
    if (error instanceof ReferenceBudgetError) return whole('takes too long to check against the schema');
    if (error instanceof RangeError) return whole('is nested too deeply to check');
    throw error;
  }
}

/**
 * The library stops at eight errors, which would cut alternatives off from the parent that sums them up. Its
 * setting is one for the whole process, so it is put back at once: other users of the library must not notice.
 */
function allErrors(
  library: Library,
  { schema, context }: LibrarySchema,
  value: unknown,
): readonly LibraryError[] {
  const { maxErrors } = library.settings.Get();
  library.settings.Set({ maxErrors: MOST_ERRORS });
  try {
    return library.Errors(context, schema, value)[1];
  } finally {
    library.settings.Set({ maxErrors });
  }
}

function whole(message: string): readonly SchemaIssue[] {
  return [{ path: '', message }];
}
