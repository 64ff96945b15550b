import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';

/** A Standard Schema whose vendor also writes JSON Schema. */
export type StandardSchemaWithJson = StandardSchemaV1 & StandardJSONSchemaV1;

/** True for schemas of zod, valibot, arktype and all others that follow Standard Schema. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  // Some vendors make their schemas callable.
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  if (!('~standard' in value)) return false;
  const standard = value['~standard'];
  if (typeof standard !== 'object' || standard === null) return false;
  return (
    'version' in standard &&
    standard.version === 1 &&
    'validate' in standard &&
    typeof standard.validate === 'function'
  );
}

/** True if the schema can also say itself as JSON Schema. */
export function writesJsonSchema(schema: StandardSchemaV1): schema is StandardSchemaWithJson {
  const standard: object = schema['~standard'];
  return 'jsonSchema' in standard && typeof standard.jsonSchema === 'object' && standard.jsonSchema !== null;
}
