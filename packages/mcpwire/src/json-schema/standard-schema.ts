// What of the Standard Schema specification (standardschema.dev) is read here: an interface, of which no package is needed.

/** A schema of any library that follows Standard Schema, version 1. */
export interface StandardSchemaV1 {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  };
}

/** The outcome of a validation: a value, or issues. */
export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

interface StandardJsonSchemaV1 {
  readonly '~standard': {
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => object;
      readonly output: (options: { readonly target: string }) => object;
    };
  };
}

/** A Standard Schema whose vendor also writes JSON Schema. */
export type StandardSchemaWithJson = StandardSchemaV1 & StandardJsonSchemaV1;

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
