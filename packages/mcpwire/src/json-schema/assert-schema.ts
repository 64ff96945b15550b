import type { SchemaNode } from './json-schema.ts';
import type { SchemaBounds } from './schema-bounds.ts';
import { indexSchema } from './index-schema.ts';

/**
 * Refuses a schema that cannot be validated against: an unsupported dialect, a keyword with a value of the
 * wrong shape, a reference that does not resolve inside the document, a size beyond the bounds.
 * Needs no library, so that defining a tool stays cheap. Throws SchemaError.
 */
export function assertSchema(schema: SchemaNode, bounds?: SchemaBounds): void {
  indexSchema(schema, bounds);
}
