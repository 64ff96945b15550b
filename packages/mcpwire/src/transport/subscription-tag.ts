import { MetaKey } from '../protocol/meta-keys.ts';
import type { Notification } from '../protocol/notifications.ts';
import type { RequestId } from '../protocol/request-id.ts';
import type { Result } from '../protocol/results.ts';

/** The method whose messages carry the id of its request as their subscription id. */
export const LISTEN = 'subscriptions/listen';

/** The notification with the subscription's id, keeping the id's type (SUB-05, BASE-62). */
export function tagNotification(notification: Notification, id: RequestId): Notification {
  const { method, params } = notification;
  return { method, params: { ...params, _meta: { ...params._meta, [MetaKey.subscriptionId]: id } } };
}

/** The closing result of a subscription, tagged like everything before it (SUB-08). */
export function tagResult(result: Result, id: RequestId): Result {
  return { ...result, _meta: { ...result._meta, [MetaKey.subscriptionId]: id } };
}
