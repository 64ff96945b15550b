import assert from 'node:assert/strict';

/** A JSON object that was read off a wire: nothing is known of its members. */
export interface Json {
  readonly [member: string]: unknown;
}

export const VERSION = '2026-07-28';
export const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
export const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
export const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';
export const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** The `_meta` of a good request. */
export const META: Json = { [PROTOCOL_VERSION]: VERSION, [CLIENT_CAPABILITIES]: {} };

/** A good request: `meta` adds to its `_meta` or, with undefined, takes away from it. */
export function request(id: unknown, method: string, params: Json = {}, meta: Json = {}): Json {
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...META, ...meta } } };
}

/** A good `tools/call`. */
export function call(id: unknown, name: string, args: Json = {}, meta: Json = {}): Json {
  return request(id, 'tools/call', { name, arguments: args }, meta);
}

/** The value that a path of members and indexes leads to; undefined where it leads nowhere. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Json)[step];
  }
  return found;
}

/** The array at a path; fails where there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  assert.ok(Array.isArray(found), `no array at ${path.join('.')} of ${JSON.stringify(value)}`);
  return found;
}

/** Text of the first content block of a tool's result. */
export function textOf(answer: unknown): string {
  return String(at(answer, 'result', 'content', 0, 'text'));
}

/** Checks an error response: its id, its code, and that it is nothing but an error. */
export function assertError(answer: unknown, id: unknown, code: number, message?: RegExp): void {
  assert.equal(at(answer, 'error', 'code'), code, JSON.stringify(answer));
  assert.strictEqual(at(answer, 'id'), id, JSON.stringify(answer));
  assert.equal(at(answer, 'jsonrpc'), '2.0');
  assert.equal(at(answer, 'result'), undefined);
  if (id === undefined) assert.ok(!('id' in (answer as Json)), 'an unreadable id is left out');
  if (message !== undefined) assert.match(String(at(answer, 'error', 'message')), message);
}
