import { CallMeta } from './call-meta.ts';
import { encodeValue } from './encoded.ts';
import type { JsonObject } from './json.ts';
import type { Notification } from './notifications.ts';
import type { ErrorObject } from './protocol-error.ts';
import type { RequestId } from './request-id.ts';
import type { Result } from './results.ts';

/** The text of a request. Params are written as they are: what they need to hold is the business of whoever made them. */
export function encodeRequest(id: RequestId, method: string, params: JsonObject): string {
  return `{"jsonrpc":"2.0","id":${encodeId(id)},"method":${JSON.stringify(method)},"params":${encodeParams(params)}}`;
}

function encodeParams(params: JsonObject): string {
  const { _meta } = params;
  const meta = typeof _meta === 'object' && _meta !== null ? CallMeta.textOf(_meta) : undefined;
  if (meta === undefined) return JSON.stringify(params);
  let text = `{"_meta":${meta}`;
  for (const key of Object.keys(params)) {
    const value: unknown = params[key];
    if (key === '_meta' || value === undefined) continue;
    text += `,${JSON.stringify(key)}:${JSON.stringify(value)}`;
  }
  return `${text}}`;
}

/** The text of a success response. Never holds a line break: JSON escapes them (STDIO-02). */
export function encodeResult(id: RequestId, result: Result): string {
  return `{"jsonrpc":"2.0","id":${encodeId(id)},"result":${encodeValue(result)}}`;
}

/** The text of an error response; without `id` where none could be read (BASE-12). */
export function encodeError(id: RequestId | undefined, error: ErrorObject): string {
  const member = id === undefined ? '' : `"id":${encodeId(id)},`;
  return `{"jsonrpc":"2.0",${member}"error":${JSON.stringify(error)}}`;
}

/** The text of a notification: no id (BASE-24). */
export function encodeNotification(notification: Notification): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(notification.method)},"params":${JSON.stringify(notification.params)}}`;
}

function encodeId(id: RequestId): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id);
}
