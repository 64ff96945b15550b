/** The pointer one step further down (RFC 6901 escapes `~` and `/`). */
export function childPointer(pointer: string, key: string | number): string {
  const step = String(key);
  return `${pointer}/${/[~/]/.test(step) ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step}`;
}

/** The value a pointer leads to, or undefined where it leads nowhere. */
export function followPointer(root: unknown, pointer: string): unknown {
  let at = root;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    // Own properties only: `/constructor` must not leave the document.
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}
