/** A JSON object from the wire. */
export interface Json {
  readonly [member: string]: unknown;
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path; undefined where the path leads nowhere. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Json)[step];
  }
  return found;
}
