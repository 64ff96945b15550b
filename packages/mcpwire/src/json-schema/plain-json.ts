/** A value as JSON would carry it, and how many values it holds. */
export interface PlainJson {
  readonly value: unknown;
  readonly size: number;
}

/**
 * Copies a value the way JSON would carry it: no undefined members, no class instances, null for holes and
 * for numbers JSON has no word for. Objects of the copy inherit nothing, so that a validator which asks
 * `key in object` cannot mistake `toString` for a member. A root that JSON cannot carry becomes undefined.
 */
export function plainJson(source: unknown): PlainJson {
  let size = 0;

  function copy(value: unknown): unknown {
    size += 1;
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) ? value : null;
      case 'object':
        break;
      default:
        return undefined;
    }
    if (value === null) return null;
    if (Array.isArray(value)) return Array.from(value, (item: unknown) => copy(item) ?? null);
    return copyObject(value);
  }

  function copyObject(value: object): unknown {
    if (!isPlainObject(value) && 'toJSON' in value && typeof value.toJSON === 'function') {
      return copy((value as { toJSON(): unknown }).toJSON());
    }
    const members = Object.create(null) as Record<string, unknown>;
    for (const [key, item] of Object.entries(value)) {
      const member = copy(item);
      if (member !== undefined) members[key] = member;
    }
    return members;
  }

  return { value: copy(source), size };
}

/** True for objects as JSON.parse makes them; class instances may turn into anything on the wire. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
