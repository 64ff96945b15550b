/** A JSON Schema document, or one of its object subschemas. */
export type JsonSchema = { readonly [key: string]: unknown };

/** Anything that may stand where a schema is expected. */
export type SchemaNode = JsonSchema | boolean;

/** True for JSON objects: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for what may stand where a schema is expected; says nothing about its keywords. */
export function isSchemaNode(value: unknown): value is SchemaNode {
  return typeof value === 'boolean' || isJsonObject(value);
}
