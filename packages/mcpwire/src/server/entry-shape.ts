import type { JsonObject } from '../protocol/json.ts';
import { isJsonObject, jsonType } from '../protocol/json.ts';
import { checkMetaKeys } from '../protocol/meta-keys.ts';
import { jsonCopy, notJson } from './input/json-data.ts';

/** What is wrong in an entry of a list, and where. */
export interface Wrong {
  /** JSON Pointer into the entry. */
  readonly path: string;
  readonly message: string;
}

/** The types of the members: what they must be, and how that is told. */
const KINDS = {
  text: ['a string', (value: unknown) => typeof value === 'string'],
  /** As text, and never left out. */
  'needed text': ['a string', (value: unknown) => typeof value === 'string'],
  flag: ['true or false', (value: unknown) => typeof value === 'boolean'],
  bytes: ['an integer ≥ 0', (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0],
  share: ['a number from 0 to 1', (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1],
  role: ['"user" or "assistant"', (value: unknown) => value === 'user' || value === 'assistant'],
  theme: ['"light" or "dark"', (value: unknown) => value === 'light' || value === 'dark'],
  time: [
    'an ISO 8601 time such as 2025-01-12T15:00:58Z',
    (value: unknown) =>
      typeof value === 'string' &&
      /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
      !Number.isNaN(Date.parse(value)),
  ],
} as const;

/** One type, a list of one, or an object of some: further members may be anything that JSON can hold. */
type Shape = keyof typeof KINDS | '_meta' | readonly [Shape] | Members;
interface Members {
  readonly [member: string]: Shape;
}

const ICONS = [{ src: 'needed text', mimeType: 'text', sizes: ['text'], theme: 'theme' }] as const;
const ANNOTATIONS = { audience: ['role'], priority: 'share', lastModified: 'time' } as const;

/** The members that each kind of entry may have besides its key and its schemas (schema, "Tool" and the others). */
export const TOOL = {
  title: 'text',
  description: 'text',
  icons: ICONS,
  annotations: {
    title: 'text',
    readOnlyHint: 'flag',
    destructiveHint: 'flag',
    idempotentHint: 'flag',
    openWorldHint: 'flag',
  },
  _meta: '_meta',
} as const;
export const TEMPLATE = {
  name: 'text',
  title: 'text',
  description: 'text',
  mimeType: 'text',
  icons: ICONS,
  annotations: ANNOTATIONS,
  _meta: '_meta',
} as const;
// Written out: bundlers keep a table that is spread from another one, even where nobody uses it.
export const RESOURCE = {
  name: 'text',
  title: 'text',
  description: 'text',
  mimeType: 'text',
  size: 'bytes',
  icons: ICONS,
  annotations: ANNOTATIONS,
  _meta: '_meta',
} as const;
export const PROMPT = { title: 'text', description: 'text', icons: ICONS, _meta: '_meta' } as const;
export const INFO = { title: 'text', description: 'text', websiteUrl: 'text', icons: ICONS } as const;
/** What a content block of any kind may have. */
export const ANNOTATED = { annotations: ANNOTATIONS } as const;

/** The first member that is not what its entry may hold; a member that is undefined is not there. */
export function wrongMember(members: Members, entry: JsonObject, path = ''): Wrong | undefined {
  for (const [member, shape] of Object.entries(members)) {
    const value = entry[member];
    if (value === undefined && shape !== 'needed text') continue;
    const wrong = wrongValue(shape, value, `${path}/${member}`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function wrongValue(shape: Shape, value: unknown, path: string): Wrong | undefined {
  if (isList(shape)) {
    if (!Array.isArray(value)) return mustBe('an array', value, path);
    for (const [index, item] of value.entries()) {
      const wrong = wrongValue(shape[0], item, `${path}/${index}`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
  if (typeof shape === 'string' && shape !== '_meta') {
    const [what, test] = KINDS[shape];
    return test(value) ? undefined : mustBe(what, value, path);
  }
  if (!isJsonObject(value)) return mustBe('an object', value, path);
  const badKey = shape === '_meta' ? checkMetaKeys(value) : undefined;
  if (badKey !== undefined) return { path, message: badKey };
  const wrong = shape === '_meta' ? undefined : wrongMember(shape, value, path);
  const problem = wrong === undefined ? notJson(value) : undefined;
  return problem === undefined ? wrong : { path, message: `must be JSON: ${problem}` };
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function mustBe(what: string, value: unknown, path: string): Wrong {
  return { path, message: `must be ${what}, got ${jsonType(value)}` };
}

/** Copies those members, so that no list changes with an object that its author still holds. */
export function copyMembers<O extends object, K extends keyof O>(
  members: { readonly [member in K]: unknown },
  entry: O,
): Pick<O, K> {
  const copy: { [member: string]: unknown } = {};
  for (const member of Object.keys(members)) {
    const value: unknown = Reflect.get(entry, member);
    if (value !== undefined) copy[member] = jsonCopy(value);
  }
  return copy as Pick<O, K>;
}
