import { SchemaError } from './schema-problem.ts';
import type { JsonSchema } from './json-schema.ts';

/** The dialects mcpwire validates: the default of MCP and two that are still widely written. */
export type Dialect = '2020-12' | '2019-09' | 'draft-07';

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
]);

/** The dialect of a schema resource: what `$schema` declares, else 2020-12, the default of MCP. */
export function dialectOf(schema: JsonSchema, path: string = ''): Dialect {
  const declared = schema['$schema'];
  if (declared === undefined) return '2020-12';
  if (typeof declared !== 'string') throw new SchemaError('$schema must be a string', path);
  // `https` for draft-07 and a missing or extra empty fragment are common slips that mean the same.
  const uri = declared
    .replace(/#$/, '')
    .replace(/^https?:\/\/json-schema\.org\/draft-07\b/, 'http://json-schema.org/draft-07');
  const dialect = DIALECTS.get(uri);
  if (dialect === undefined) {
    throw new SchemaError(
      `the dialect ${declared} is not supported; supported are 2020-12, 2019-09 and draft-07`,
      `${path}/$schema`,
    );
  }
  return dialect;
}
