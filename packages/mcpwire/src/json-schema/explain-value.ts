import { Check, Errors } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { toIssues } from './issues.ts';
import type { LibraryError } from './library-error.ts';
import { librarySchema, ReferenceBudgetError } from './library-schema.ts';
import type { LibrarySchema } from './library-schema.ts';
import { plainJson } from './plain-json.ts';
import type { SchemaIndex } from './schema-index.ts';
import type { SchemaIssue } from './schema-issue.ts';

// Everything here is loaded together with the library, when the first value needs it.

const VALID: readonly SchemaIssue[] = [];

/** More would not help whoever has to mend the value. */
const MOST_ISSUES = 20;
const MOST_ERRORS = 200;

/** Values with more parts than this are only told to be invalid: explaining costs the library the square of it. */
const MOST_EXPLAINED = 10_000;

/** Prepares the library for a schema; what comes back says what is wrong with a value, nothing where it is valid. */
export function explainerOf(index: SchemaIndex): (value: unknown) => readonly SchemaIssue[] {
  const prepared = librarySchema(index);
  return (value) => checkWith(prepared, value);
}

function checkWith(prepared: LibrarySchema, source: unknown): readonly SchemaIssue[] {
  const { schema, context, refill } = prepared;
  try {
    const { value, size } = plainJson(source);
    if (value === undefined) return whole('must be a value that JSON can carry');
    refill(size);
    if (Check(context, schema, value)) return VALID;
    if (size > MOST_EXPLAINED) return whole('does not match the schema, and is too large to say where');
    refill(size);
    const issues = toIssues(allErrors(prepared, value));
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
function allErrors({ schema, context }: LibrarySchema, value: unknown): readonly LibraryError[] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: MOST_ERRORS });
  try {
    return Errors(context, schema, value)[1];
  } finally {
    Settings.Set({ maxErrors });
  }
}

function whole(message: string): readonly SchemaIssue[] {
  return [{ path: '', message }];
}
