import { jsonType } from '../protocol/json.ts';
import { isReservedMetaKey } from '../protocol/meta-keys.ts';
import { METHODS } from '../protocol/methods.ts';

/** Whether one of the specification's own names begins so: a later revision may give any name below them a meaning. */
function isFirstPart(first: string): boolean {
  return Object.keys(METHODS).some((method) => method.split('/')[0] === first);
}

/** Why nobody may define a method of this name, or undefined. */
export function reservedMethod(name: unknown): string | undefined {
  if (typeof name !== 'string') return `the name must be a string, got ${jsonType(name)}`;
  if (name.startsWith('rpc.')) return 'names that begin with "rpc." are reserved by JSON-RPC';
  const slash = name.indexOf('/');
  const first = slash === -1 ? name : name.slice(0, slash);
  if (first === 'notifications') return 'a notification is no method: nobody answers it';
  if (isFirstPart(first)) return `"${first}" belongs to the specification`;
  if (isReservedMetaKey(name)) return `the prefix "${first}" is reserved for the protocol`;
  if (slash < 1 || slash === name.length - 1) return 'the name needs a prefix and a part behind it';
  return undefined;
}
