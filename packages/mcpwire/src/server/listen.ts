import { onAbort } from '../async/on-abort.ts';
import type { MetaObject } from '../protocol/common-types.ts';
import type { Exchange, Params } from '../protocol/handler.ts';
import { isJsonObject, jsonType } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { Notification, SubscriptionFilter } from '../protocol/notifications.ts';
import { invalidParams } from '../protocol/protocol-error.ts';
import type { Result } from '../protocol/results.ts';
import type { ChangeBus, ChangeEvent } from '../scale/change-bus.ts';

export interface ListenSupport {
  readonly tools: boolean;
  readonly prompts: boolean;
  readonly resources: boolean;
  /** Most resources that one subscription may watch. */
  readonly maxWatchedResources: number;
}

/** Where changes are heard of, and when the server closes. */
export interface ListenParts {
  readonly bus: ChangeBus;
  readonly closing: AbortSignal;
}

/**
 * Answers `subscriptions/listen` (basic/patterns/subscriptions): acknowledges what it will tell of, then tells of it
 * until the caller leaves or the server closes. Where nothing of the filter is honoured, it ends at once.
 *
 * Events that come while the caller still takes the one before are merged: a slow reader costs one entry per list and
 * per watched resource, never a growing queue.
 */
export async function listen(
  params: Params,
  exchange: Exchange,
  support: ListenSupport,
  { bus, closing }: ListenParts,
  meta: MetaObject,
): Promise<Result> {
  const honoured = honour(readFilter(params['notifications'], support.maxWatchedResources), support);
  const acknowledge = (): Promise<void> =>
    exchange.notify({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: honoured },
    });
  if (Object.keys(honoured).length === 0) await acknowledge();
  else await tell(honoured, acknowledge, exchange, bus, closing);
  return { resultType: 'complete', _meta: meta };
}

function tell(
  honoured: SubscriptionFilter,
  acknowledge: () => Promise<void>,
  exchange: Exchange,
  bus: ChangeBus,
  closing: AbortSignal,
): Promise<void> {
  const wanted = wantedKeys(honoured);
  const pending = new Map<string, Notification>();
  // Events are collected from the start, and sent once the acknowledgement is out (SUB-03).
  let sending = true;

  const send = async (): Promise<void> => {
    sending = true;
    for (const [key, notification] of pending) {
      pending.delete(key);
      await exchange.notify(notification);
    }
    sending = false;
  };

  return new Promise<void>((resolve, reject) => {
    const unsubscribe = bus.subscribe((event) => {
      const key = keyOf(event);
      if (!wanted.has(key)) return;
      pending.set(key, toNotification(event));
      if (!sending) send().catch(fail);
    });
    const leave = (): void => {
      unsubscribe();
      exchange.signal.removeEventListener('abort', end);
      ignoreClosing();
    };
    const end = (): void => {
      leave();
      resolve();
    };
    const fail = (error: unknown): void => {
      leave();
      reject(error);
    };
    exchange.signal.addEventListener('abort', end);
    const ignoreClosing = onAbort(closing, end);
    acknowledge()
      .then(() => (exchange.signal.aborted || closing.aborted ? end() : send()))
      .catch(fail);
  });
}

function wantedKeys(filter: SubscriptionFilter): ReadonlySet<string> {
  const wanted = new Set<string>(
    filter.resourceSubscriptions?.map((uri) => keyOf({ type: 'resource', uri })),
  );
  if (filter.toolsListChanged === true) wanted.add('tools');
  if (filter.promptsListChanged === true) wanted.add('prompts');
  if (filter.resourcesListChanged === true) wanted.add('resources');
  return wanted;
}

function keyOf(event: ChangeEvent): string {
  return event.type === 'resource' ? `resource ${event.uri}` : event.type;
}

function toNotification(event: ChangeEvent): Notification {
  return event.type === 'resource'
    ? { method: 'notifications/resources/updated', params: { uri: event.uri } }
    : { method: `notifications/${event.type}/list_changed`, params: {} };
}

const FLAGS = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const;

function readFilter(filter: unknown, maxResources: number): SubscriptionFilter & JsonObject {
  if (!isJsonObject(filter)) {
    throw invalidParams(`params.notifications must be an object, got ${jsonType(filter)}`);
  }
  for (const flag of FLAGS) {
    const value = filter[flag];
    if (value !== undefined && typeof value !== 'boolean') {
      throw invalidParams(`params.notifications.${flag} must be a boolean, got ${jsonType(value)}`);
    }
  }
  const uris = filter['resourceSubscriptions'];
  if (uris === undefined) return filter;
  if (!Array.isArray(uris) || uris.some((uri) => typeof uri !== 'string')) {
    throw invalidParams('params.notifications.resourceSubscriptions must be an array of URIs');
  }
  if (uris.length > maxResources) {
    throw invalidParams(`params.notifications.resourceSubscriptions holds at most ${maxResources} URIs`);
  }
  return filter;
}

/** The part of the filter that this server can tell of (SUB-04). */
function honour(filter: SubscriptionFilter, support: ListenSupport): SubscriptionFilter {
  const uris = filter.resourceSubscriptions;
  return {
    ...(filter.toolsListChanged === true && support.tools ? { toolsListChanged: true } : {}),
    ...(filter.promptsListChanged === true && support.prompts ? { promptsListChanged: true } : {}),
    ...(filter.resourcesListChanged === true && support.resources ? { resourcesListChanged: true } : {}),
    ...(uris !== undefined && uris.length > 0 && support.resources ? { resourceSubscriptions: uris } : {}),
  };
}
