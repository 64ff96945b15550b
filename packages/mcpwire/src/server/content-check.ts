import { isBase64 } from '../protocol/base64.ts';
import { isJsonObject, jsonType } from '../protocol/json.ts';
import type { ContentBlock } from '../protocol/content.ts';
import { ANNOTATED, RESOURCE, wrongMember } from './entry-shape.ts';
import { isUri } from './uri.ts';

type Check = (value: unknown) => string | undefined;

const TEXT: Check = (value) =>
  typeof value === 'string' ? undefined : `must be a string, got ${jsonType(value)}`;
const BASE64: Check = (value) =>
  typeof value === 'string' && isBase64(value)
    ? undefined
    : 'must be Base64 with padding and without line breaks';
const MIME: Check = (value) =>
  typeof value === 'string' && /^[\w.+-]+\/[\w.+-]+(?:\s*;.*)?$/.test(value)
    ? undefined
    : 'must be a MIME type such as image/png';
const URI: Check = (value) => (typeof value === 'string' && isUri(value) ? undefined : 'must be a URI');
const CONTENTS: Check = (value) => checkResourceContents(value);

/** The members that each kind of content block must have (server/tools, "Tool Result"). */
const REQUIRED: { readonly [type: string]: { readonly [member: string]: Check } } = {
  text: { text: TEXT },
  image: { data: BASE64, mimeType: MIME },
  audio: { data: BASE64, mimeType: MIME },
  resource_link: { uri: URI, name: TEXT },
  resource: { resource: CONTENTS },
};

/** Whether the value claims to be a content block: its `type` is one of theirs. */
export function isContentBlock(value: unknown): value is ContentBlock {
  return isJsonObject(value) && typeof value['type'] === 'string' && Object.hasOwn(REQUIRED, value['type']);
}

/** What is wrong with a content block, or undefined. */
export function checkContentBlock(value: unknown): string | undefined {
  if (!isContentBlock(value)) {
    return `must be a content block with a type of ${Object.keys(REQUIRED).join(', ')}`;
  }
  return checkMembers(value, REQUIRED[value.type] ?? {}) ?? checkOptional(value);
}

/** Most blocks have none of these. */
function checkOptional(block: ContentBlock): string | undefined {
  const wrong =
    block.type === 'resource_link' ? wrongMember(RESOURCE, { ...block, _meta: undefined }) : undefined;
  const { annotations, _meta } = block;
  const bad = wrong ?? (annotations === undefined ? undefined : wrongMember(ANNOTATED, { annotations }));
  if (bad !== undefined) return `${bad.path.replaceAll('/', '.')} ${bad.message}`;
  if (_meta === undefined || isJsonObject(_meta)) return undefined;
  return `._meta must be an object, got ${jsonType(_meta)}`;
}

/** What is wrong with the contents of a resource, or undefined. */
export function checkResourceContents(value: unknown): string | undefined {
  if (!isJsonObject(value)) return `must be an object, got ${jsonType(value)}`;
  if ((value['text'] === undefined) === (value['blob'] === undefined)) return 'must have either text or blob';
  return checkMembers(value, {
    uri: URI,
    ...(value['text'] === undefined ? { blob: BASE64 } : { text: TEXT }),
    ...(value['mimeType'] === undefined ? {} : { mimeType: MIME }),
  });
}

function checkMembers(value: object, required: { readonly [member: string]: Check }): string | undefined {
  for (const member of Object.keys(required)) {
    const problem = required[member]?.((value as { readonly [key: string]: unknown })[member]);
    if (problem !== undefined) return `.${member} ${problem}`;
  }
  return undefined;
}
