import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';

/** The content of an accepted form with the defaults of the fields that were left out (ELIC-15). */
export function withDefaults(requestedSchema: unknown, content: JsonObject): JsonObject {
  const properties = isJsonObject(requestedSchema) ? requestedSchema['properties'] : undefined;
  if (!isJsonObject(properties)) return content;
  const defaults = Object.entries(properties).flatMap(([name, field]) =>
    isJsonObject(field) && field['default'] !== undefined && !Object.hasOwn(content, name)
      ? [[name, field['default']] as const]
      : [],
  );
  return defaults.length === 0 ? content : { ...content, ...Object.fromEntries(defaults) };
}
