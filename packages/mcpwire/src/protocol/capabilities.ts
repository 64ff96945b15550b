import { isJsonObject } from './json.ts';

/** Settings of one capability; an empty object means "supported, nothing more to say". */
export type Settings = { readonly [key: string]: unknown };

/** Capabilities that a client declares on every request (schema: ClientCapabilities). */
export interface ClientCapabilities {
  readonly elicitation?: { readonly form?: Settings; readonly url?: Settings };
  readonly sampling?: { readonly context?: Settings; readonly tools?: Settings };
  readonly roots?: Settings;
  readonly extensions?: { readonly [identifier: string]: Settings };
  readonly experimental?: { readonly [name: string]: Settings };
}

/** Capabilities that a server derives from its definition (schema: ServerCapabilities). */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean };
  readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean };
  readonly prompts?: { readonly listChanged?: boolean };
  readonly completions?: Settings;
  readonly logging?: Settings;
  readonly extensions?: { readonly [identifier: string]: Settings };
  readonly experimental?: { readonly [name: string]: Settings };
}

/**
 * The part of `required` that `declared` lacks, or undefined when nothing is missing.
 * Only the presence of objects counts: settings are the business of whoever defined them.
 *
 * An empty `elicitation` object means form mode (ELIC-08).
 */
export function missingFrom(
  declared: ClientCapabilities,
  required: ClientCapabilities,
): ClientCapabilities | undefined {
  return missing(withFormMode(declared), required as Settings);
}

function withFormMode(declared: ClientCapabilities): ClientCapabilities {
  const elicitation = declared.elicitation;
  if (!isJsonObject(elicitation) || elicitation.form !== undefined || elicitation.url !== undefined) {
    return declared;
  }
  return { ...declared, elicitation: { form: {} } };
}

function missing(declared: unknown, required: Settings): Settings | undefined {
  const lacking: { [key: string]: unknown } = {};
  for (const key of Object.keys(required)) {
    const need = required[key];
    if (!isJsonObject(need)) continue;
    const have = isJsonObject(declared) && Object.hasOwn(declared, key) ? declared[key] : undefined;
    if (!isJsonObject(have)) {
      lacking[key] = need;
      continue;
    }
    const inner = missing(have, need);
    if (inner !== undefined) lacking[key] = inner;
  }
  return Object.keys(lacking).length === 0 ? undefined : lacking;
}
