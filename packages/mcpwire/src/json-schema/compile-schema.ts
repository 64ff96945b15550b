import { indexSchema } from './index-schema.ts';
import type { SchemaNode } from './json-schema.ts';
import { buildQuickCheck } from './quick-check.ts';
import type { QuickCheck } from './quick-values.ts';
import type { SchemaBounds } from './schema-bounds.ts';
import type { SchemaIndex } from './schema-index.ts';
import type { SchemaIssue } from './schema-issue.ts';

/** A schema ready to check values. */
export interface CompiledSchema {
  /** True only if the value surely conforms; false means: ask `check`. */
  quick(value: unknown): boolean;
  /** What is wrong with the value; empty if it is valid. */
  check(value: unknown): Promise<readonly SchemaIssue[]>;
}

/**
 * Compiles a schema, which must not change afterwards; throws SchemaError for one that cannot be validated
 * against. What quick checks and the library need of it is prepared when first asked for, and nothing is kept until
 * then: most of a server's tools are never called, and a start that only sees plain valid values needs no library.
 */
export function compileSchema(schema: SchemaNode, bounds?: SchemaBounds): CompiledSchema {
  indexSchema(schema, bounds);
  let known: SchemaIndex | undefined;
  const index = (): SchemaIndex => (known ??= indexSchema(schema, bounds));
  let quick: QuickCheck | undefined;
  let explain: ((value: unknown) => readonly SchemaIssue[]) | undefined;
  return {
    quick: (value) => {
      quick ??= buildQuickCheck(index());
      return quick(value);
    },
    check: async (value) => {
      explain ??= (await import('./explain-value.ts')).explainerOf(index());
      return explain(value);
    },
  };
}
