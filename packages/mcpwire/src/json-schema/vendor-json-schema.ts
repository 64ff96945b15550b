import type { StandardSchemaV1, StandardSchemaWithJson } from './standard-schema.ts';
import { childPointer } from './json-pointer.ts';
import { SchemaError } from './schema-problem.ts';
import { writesJsonSchema } from './standard-schema.ts';

/** Whether a schema describes what comes in (before defaults and transformations) or what goes out. */
export type Direction = 'input' | 'output';

type Options = { readonly [name: string]: unknown };

const TARGET = 'draft-2020-12';

/** The JSON Schema of a Standard Schema, from its vendor. Throws SchemaError if there is none. */
export function vendorJsonSchema(source: StandardSchemaV1, direction: Direction): unknown {
  if (!writesJsonSchema(source)) throw new SchemaError(adviceFor(source));
  const { vendor } = source['~standard'];
  try {
    return convert(source, direction, vendor === 'arktype' ? { fallback: ARKTYPE_FALLBACK } : undefined);
  } catch (error) {
    const { path, reason } = (vendor === 'zod' ? locateInZod(source, direction) : undefined) ?? {
      path: '',
      reason: error,
    };
    throw new SchemaError(`${vendor} cannot write this as JSON Schema: ${messageOf(reason)}`, path);
  }
}

function convert(
  source: StandardSchemaWithJson,
  direction: Direction,
  options: Options | undefined,
): unknown {
  const settings =
    options === undefined ? { target: TARGET } : { target: TARGET, libraryOptions: { ...options } };
  return source['~standard'].jsonSchema[direction](settings);
}

function adviceFor(source: StandardSchemaV1): string {
  const { vendor } = source['~standard'];
  switch (vendor) {
    case 'zod':
      return isNewZod(source)
        ? 'schemas of zod/mini do not write JSON Schema by themselves; pass z.toJSONSchema(schema), which zod/mini exports'
        : 'this version of zod does not write JSON Schema; use zod 4.2 or later';
    case 'valibot':
      return 'valibot schemas need toStandardJsonSchema(schema) from @valibot/to-json-schema around them';
    default:
      return `this version of ${vendor} does not write JSON Schema; pass a JSON Schema instead`;
  }
}

/** Zod 4.2 and later without JSON Schema is zod/mini: its writer is a function that only the author can import. */
function isNewZod(source: object): boolean {
  const internals: unknown = Reflect.get(source, '_zod');
  const version: unknown = isRecord(internals) ? Reflect.get(internals, 'version') : undefined;
  if (!isRecord(version)) return false;
  const [major, minor] = [Number(Reflect.get(version, 'major')), Number(Reflect.get(version, 'minor'))];
  return major > 4 || (major === 4 && minor >= 2);
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Arktype drops what it cannot write without a word; these make it say so. Predicates may go: they only narrow. */
const ARKTYPE_FALLBACK: Readonly<Record<string, (context: unknown) => never>> = Object.fromEntries(
  ['date', 'domain', 'morph', 'proto', 'symbolKey', 'unit'].map((code) => [
    code,
    () => {
      throw new Error(`it has a part of the kind "${code}"`);
    },
  ]),
);

/** Zod's error does not say where; its converter does when asked to go on past such parts. */
function locateInZod(
  source: StandardSchemaWithJson,
  direction: Direction,
): { path: string; reason: unknown } | undefined {
  let found: { path: string; reason: unknown } | undefined;
  const unrepresentable = (part: { path?: unknown; message?: unknown }): string => {
    const steps: readonly unknown[] = Array.isArray(part.path) ? part.path : [];
    found ??= { path: steps.map(String).reduce(childPointer, ''), reason: part.message };
    return 'any';
  };
  try {
    convert(source, direction, { unrepresentable });
  } catch {
    // The first error is reported either way.
  }
  return found;
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
