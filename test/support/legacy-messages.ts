import type { Json } from './messages.ts';

export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Everything that a client can be asked. */
export const ASKABLE: Json = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

export function initialize(version: unknown, capabilities: Json = {}, id: unknown = 'init'): Json {
  const clientInfo = { name: 'test', version: '1' };
  return legacy(id, 'initialize', { protocolVersion: version, capabilities, clientInfo });
}

/** A request as clients of the legacy era write them. */
export function legacy(id: unknown, method: string, params?: Json): Json {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}

export function legacyCall(id: unknown, name: string, args?: Json, meta?: Json): Json {
  return legacy(id, 'tools/call', {
    name,
    ...(args === undefined ? {} : { arguments: args }),
    ...(meta === undefined ? {} : { _meta: meta }),
  });
}

export function notification(method: string, params?: Json): Json {
  return { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) };
}

export function cancelled(requestId: unknown): Json {
  return notification('notifications/cancelled', { requestId, reason: 'changed my mind' });
}

export const INITIALIZED = notification('notifications/initialized');

/** A question as a tool returns it: `ask` of the fixture asks its arguments. */
export function form(message = 'Name?', properties: Json = { name: { type: 'string' } }): Json {
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties } },
  };
}

export function url(address = 'https://example.com/pay'): Json {
  return { method: 'elicitation/create', params: { mode: 'url', message: 'Pay', url: address } };
}

export function sample(text = 'Hello?'): Json {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens: 10 } };
}

export const ROOTS: Json = { method: 'roots/list' };
