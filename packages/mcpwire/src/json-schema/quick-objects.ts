import { isJsonObject } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { isPlainObject } from './plain-json.ts';
import { LEAVE_TO_LIBRARY, anyJson, limit } from './quick-values.ts';
import type { QuickCheck } from './quick-values.ts';

interface Member {
  readonly name: string;
  /** False for members that are only required; those still count as additional ones. */
  readonly declared: boolean;
  readonly required: boolean;
  readonly check: QuickCheck;
}

type Build = (schema: unknown) => QuickCheck;

/** Objects: `properties`, `required`, `additionalProperties`, `minProperties`, `maxProperties`. */
export function quickObject(schema: JsonSchema, build: Build): QuickCheck {
  const names = schema['propertyNames'];
  // Names are strings anyway, which is all that generated schemas of records say.
  const namesFree = names === undefined || names === true || isOnlyStringType(names);
  if (!namesFree) return LEAVE_TO_LIBRARY;
  const members = membersOf(schema, build);
  const rest = schema['additionalProperties'];
  const free = rest === undefined || rest === true;
  const least = limit(schema, 'minProperties', 0);
  const most = limit(schema, 'maxProperties', Infinity);
  if (free && least === 0 && most === Infinity) return (value) => countMembers(value, members) >= 0;
  if (rest === false && members.some((member) => !member.declared)) return LEAVE_TO_LIBRARY;
  if (free || rest === false) {
    return (value) => {
      const known = countMembers(value, members);
      if (known < 0) return false;
      const all = countKeys(value);
      return all >= 0 && all >= least && all <= most && (free || all === known);
    };
  }
  return withRest(members, build(rest), least, most);
}

function isOnlyStringType(schema: unknown): boolean {
  return isJsonObject(schema) && schema['type'] === 'string' && Object.keys(schema).length === 1;
}

function membersOf(schema: JsonSchema, build: Build): readonly Member[] {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set<unknown>(Array.isArray(schema['required']) ? schema['required'] : []);
  const members: Member[] = Object.keys(properties).map((name) => ({
    name,
    declared: true,
    required: required.has(name),
    check: build(properties[name]),
  }));
  for (const name of required) {
    if (typeof name === 'string' && !Object.hasOwn(properties, name)) {
      members.push({ name, declared: false, required: true, check: anyJson });
    }
  }
  return members;
}

/** How many of the members the object has; -1 if one is missing or does not surely conform. */
function countMembers(value: unknown, members: readonly Member[]): number {
  if (!isJsonObject(value) || !isPlainObject(value)) return -1;
  let count = 0;
  for (let index = 0; index < members.length; index += 1) {
    const member = members[index];
    if (member === undefined) return -1;
    // Own members only: every object answers to `constructor`.
    if (Object.hasOwn(value, member.name)) {
      if (!member.check(value[member.name])) return -1;
      count += 1;
    } else if (member.required) return -1;
  }
  return count;
}

/** How many members the object has; -1 if one of them would be dropped on the wire. */
function countKeys(value: unknown): number {
  if (!isJsonObject(value)) return -1;
  let count = 0;
  // Unlike Object.keys this allocates nothing. Inherited keys are no concern: the object is a plain one.
  for (const key in value) {
    if (!anyJson(value[key])) return -1;
    count += 1;
  }
  return count;
}

function withRest(members: readonly Member[], rest: QuickCheck, least: number, most: number): QuickCheck {
  const known = new Set(members.filter((member) => member.declared).map((member) => member.name));
  return (value) => {
    if (countMembers(value, members) < 0 || !isJsonObject(value)) return false;
    let count = 0;
    for (const key in value) {
      count += 1;
      if (!known.has(key) && !rest(value[key])) return false;
    }
    return count >= least && count <= most;
  };
}
