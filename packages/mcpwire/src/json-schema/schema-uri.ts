import { SchemaError } from './schema-problem.ts';

/** The base of schemas without an `$id`: a URI that no schema can mean by accident and nobody can fetch. */
export const ROOT_URI = 'mcpwire-schema://root/';

/** Resolves a reference against a base and cuts it at the fragment. */
export function splitUri(reference: string, base: string, path: string): readonly [string, string] {
  // Bases such as `urn:` cannot be resolved against, but their own fragments can.
  const absolute = reference.startsWith('#') ? base + reference : resolve(reference, base, path);
  const hash = absolute.indexOf('#');
  if (hash === -1) return [absolute, ''];
  try {
    return [absolute.slice(0, hash), decodeURIComponent(absolute.slice(hash + 1))];
  } catch {
    throw new SchemaError(`${reference} is not a URI reference`, path);
  }
}

function resolve(reference: string, base: string, path: string): string {
  try {
    return new URL(reference, base).href;
  } catch {
    throw new SchemaError(`${reference} is not a URI reference`, path);
  }
}
