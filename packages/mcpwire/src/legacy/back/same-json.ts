import { isJsonObject } from '../../protocol/json.ts';

/** Whether two JSON values are the same, whatever the order of their members. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((part: unknown, at) => isSameJson(part, other[at]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const names = Object.keys(one).filter((name) => one[name] !== undefined);
  return (
    names.length === Object.keys(other).filter((name) => other[name] !== undefined).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
  );
}
