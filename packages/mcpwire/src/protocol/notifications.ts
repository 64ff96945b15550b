import type { LoggingLevel, MetaObject, ProgressToken } from './common-types.ts';

/** A notification on its way out: any method, `params` always present. */
export interface Notification {
  readonly method: string;
  readonly params: { readonly _meta?: MetaObject; readonly [key: string]: unknown };
}

/** basic/patterns/progress. `progress` rises with every notification (PROG-03). */
export interface ProgressNotification extends Notification {
  readonly method: 'notifications/progress';
  readonly params: {
    readonly progressToken: ProgressToken;
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
    readonly _meta?: MetaObject;
    readonly [key: string]: unknown;
  };
}

/** server/utilities/logging. Only for requests that carry a log level (LOG-04). */
export interface LoggingMessageNotification extends Notification {
  readonly method: 'notifications/message';
  readonly params: {
    readonly level: LoggingLevel;
    readonly logger?: string;
    readonly data: unknown;
    readonly _meta?: MetaObject;
    readonly [key: string]: unknown;
  };
}

/** What a `subscriptions/listen` request asks to hear of (basic/patterns/subscriptions, "Notification Filter"). */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
}
