import type { ServerCapabilities } from './capabilities.ts';

/** One row of the table of methods. */
export interface Method {
  readonly kind: 'request' | 'notification';
  /** Who sends it. */
  readonly from: 'client' | 'server' | 'both';
  /** First revision that has it. */
  readonly since: string;
  /** Last revision that has it; absent where the newest still does. */
  readonly until?: string;
  /** The param that HTTP mirrors into `Mcp-Name` (basic/transports/streamable-http, "Standard Request Headers"). */
  readonly nameParam?: 'name' | 'uri';
  /** Complete results carry `ttlMs` and `cacheScope` (server/utilities/caching). */
  readonly cacheable?: true;
  /** May answer `input_required` (basic/patterns/mrtr, "Supported Requests"). */
  readonly mayAskInput?: true;
  /** The server capability without which the method doesn't exist. */
  readonly capability?: keyof ServerCapabilities;
}

const FIRST = '2024-11-05';
const LAST_LEGACY = '2025-11-25';
const MODERN = '2026-07-28';

/**
 * Every method of every revision: who sends it, when, and what transports and clients must know of it.
 * This is the only place that says so; whoever needs a fact about a method reads it here.
 */
export const METHODS = {
  'server/discover': { kind: 'request', from: 'client', since: MODERN, cacheable: true },
  'tools/list': { kind: 'request', from: 'client', since: FIRST, cacheable: true, capability: 'tools' },
  'tools/call': {
    kind: 'request',
    from: 'client',
    since: FIRST,
    nameParam: 'name',
    mayAskInput: true,
    capability: 'tools',
  },
  'resources/list': {
    kind: 'request',
    from: 'client',
    since: FIRST,
    cacheable: true,
    capability: 'resources',
  },
  'resources/templates/list': {
    kind: 'request',
    from: 'client',
    since: FIRST,
    cacheable: true,
    capability: 'resources',
  },
  'resources/read': {
    kind: 'request',
    from: 'client',
    since: FIRST,
    nameParam: 'uri',
    cacheable: true,
    mayAskInput: true,
    capability: 'resources',
  },
  'prompts/list': { kind: 'request', from: 'client', since: FIRST, cacheable: true, capability: 'prompts' },
  'prompts/get': {
    kind: 'request',
    from: 'client',
    since: FIRST,
    nameParam: 'name',
    mayAskInput: true,
    capability: 'prompts',
  },
  'completion/complete': { kind: 'request', from: 'client', since: FIRST, capability: 'completions' },
  'subscriptions/listen': { kind: 'request', from: 'client', since: MODERN },

  initialize: { kind: 'request', from: 'client', since: FIRST, until: LAST_LEGACY },
  ping: { kind: 'request', from: 'both', since: FIRST, until: LAST_LEGACY },
  'logging/setLevel': {
    kind: 'request',
    from: 'client',
    since: FIRST,
    until: LAST_LEGACY,
    capability: 'logging',
  },
  'resources/subscribe': {
    kind: 'request',
    from: 'client',
    since: FIRST,
    until: LAST_LEGACY,
    capability: 'resources',
  },
  'resources/unsubscribe': {
    kind: 'request',
    from: 'client',
    since: FIRST,
    until: LAST_LEGACY,
    capability: 'resources',
  },
  'tasks/get': { kind: 'request', from: 'both', since: LAST_LEGACY, until: LAST_LEGACY },
  'tasks/result': { kind: 'request', from: 'both', since: LAST_LEGACY, until: LAST_LEGACY },
  'tasks/list': { kind: 'request', from: 'both', since: LAST_LEGACY, until: LAST_LEGACY },
  'tasks/cancel': { kind: 'request', from: 'both', since: LAST_LEGACY, until: LAST_LEGACY },

  // Requests of a legacy server; since 2026-07-28 they travel inside `input_required` results.
  'elicitation/create': { kind: 'request', from: 'server', since: '2025-06-18', until: LAST_LEGACY },
  'sampling/createMessage': { kind: 'request', from: 'server', since: FIRST, until: LAST_LEGACY },
  'roots/list': { kind: 'request', from: 'server', since: FIRST, until: LAST_LEGACY },

  'notifications/cancelled': { kind: 'notification', from: 'both', since: FIRST },
  'notifications/progress': { kind: 'notification', from: 'server', since: FIRST },
  'notifications/message': { kind: 'notification', from: 'server', since: FIRST, capability: 'logging' },
  'notifications/subscriptions/acknowledged': { kind: 'notification', from: 'server', since: MODERN },
  'notifications/tools/list_changed': {
    kind: 'notification',
    from: 'server',
    since: FIRST,
    capability: 'tools',
  },
  'notifications/prompts/list_changed': {
    kind: 'notification',
    from: 'server',
    since: FIRST,
    capability: 'prompts',
  },
  'notifications/resources/list_changed': {
    kind: 'notification',
    from: 'server',
    since: FIRST,
    capability: 'resources',
  },
  'notifications/resources/updated': {
    kind: 'notification',
    from: 'server',
    since: FIRST,
    capability: 'resources',
  },
  'notifications/initialized': { kind: 'notification', from: 'client', since: FIRST, until: LAST_LEGACY },
  'notifications/roots/list_changed': {
    kind: 'notification',
    from: 'client',
    since: FIRST,
    until: LAST_LEGACY,
  },
  'notifications/elicitation/complete': {
    kind: 'notification',
    from: 'server',
    since: LAST_LEGACY,
    until: LAST_LEGACY,
  },
  'notifications/tasks/status': {
    kind: 'notification',
    from: 'both',
    since: LAST_LEGACY,
    until: LAST_LEGACY,
  },
} as const satisfies { readonly [method: string]: Method };

export type MethodName = keyof typeof METHODS;

/** The row of a method of the specification; undefined for any other name. */
export function methodRow(method: string): Method | undefined {
  return Object.hasOwn(METHODS, method) ? METHODS[method as MethodName] : undefined;
}

/** Whether a revision has the method. Revisions are dates, so they compare as text. */
export function isMethodOf(revision: string, method: string): boolean {
  const row = methodRow(method);
  return row !== undefined && row.since <= revision && (row.until === undefined || revision <= row.until);
}
