import type { Dialect } from './dialect.ts';
import type { JsonSchema, SchemaNode } from './json-schema.ts';
import type { SchemaBounds } from './schema-bounds.ts';

/** Where a subschema stands. */
export interface Place {
  /** JSON Pointer from the root of the document. */
  readonly path: string;
  /** The URI that relative references in it resolve against. */
  readonly base: string;
  readonly depth: number;
}

/** What one walk over a schema document finds out; every later step reads this instead of walking again. */
export interface SchemaIndex {
  readonly root: SchemaNode;
  readonly dialect: Dialect;
  readonly bounds: Required<SchemaBounds>;
  readonly places: Map<JsonSchema, Place>;
  /** URI without fragment → the schema that has it as its `$id`. */
  readonly resources: Map<string, JsonSchema>;
  /** URI with a plain-name fragment → the schema with that anchor. */
  readonly anchors: Map<string, JsonSchema>;
  readonly dynamicAnchors: Map<string, JsonSchema[]>;
  readonly references: Reference[];
  /** The schema that the `$ref` (or the first step of the `$dynamicRef`) of a schema leads to. */
  readonly targets: Map<JsonSchema, SchemaNode[]>;
  /** True if some reference can only be resolved while a value is checked. */
  dynamic: boolean;
}

/** A reference as it stands in the schema. */
export interface Reference {
  readonly schema: JsonSchema;
  readonly keyword: string;
  readonly reference: string;
  readonly place: Place;
}
