import { compileSchema } from '../../json-schema/compile-schema.ts';
import type { CompiledSchema } from '../../json-schema/compile-schema.ts';
import type { SchemaBounds } from '../../json-schema/schema-bounds.ts';
import type { SchemaIssue } from '../../json-schema/schema-issue.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { patternCost } from './safe-patterns.ts';

/** Most steps of regular expressions for one value: a fraction of a second. */
const MOST_STEPS = 2_000_000;

/**
 * Compiles a schema that a server sent; throws where it can't be used or could hang this side. Values with more text than
 * its patterns can be tried on in a moment count as valid, and `tooLong` hears of it.
 */
export function compileOutput(
  schema: JsonObject,
  bounds: SchemaBounds | undefined,
  tooLong: () => void,
): CompiledSchema {
  const { unsafe, perCharacter } = patternCost(schema);
  if (unsafe !== undefined) {
    throw new Error(
      `a pattern in its output schema may take for ever: ${JSON.stringify(unsafe.slice(0, 200))}`,
    );
  }
  const compiled = compileSchema(schema, bounds);
  if (perCharacter === 0) return compiled;
  const most = MOST_STEPS / perCharacter;
  const isTooLong = (value: unknown): boolean => {
    if (charactersOf(value, most) <= most) return false;
    tooLong();
    return true;
  };
  return {
    quick: (value) => isTooLong(value) || compiled.quick(value),
    check: (value) => (isTooLong(value) ? Promise.resolve([]) : compiled.check(value)),
  };
}

/** What is wrong with the content of a form that a server sent; nothing where the form itself can't be used. */
export async function formIssues(schema: JsonObject, content: JsonObject): Promise<readonly SchemaIssue[]> {
  let compiled: CompiledSchema;
  try {
    compiled = compileOutput(schema, undefined, () => {});
  } catch {
    return []; // the server's own check will have to do
  }
  return compiled.check(content);
}

/** Characters of all texts in a value, names of members among them; stops counting beyond `most`. */
function charactersOf(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let characters = 0;
  for (const [name, part] of Object.entries(value)) {
    characters += name.length + charactersOf(part, most);
    if (characters > most) break;
  }
  return characters;
}
