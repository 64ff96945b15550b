import { onAbort } from '../async/on-abort.ts';
import { asError } from '../async/as-error.ts';
import { TimeoutError } from '../async/with-timeout.ts';
import { isJsonObject } from '../protocol/json.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { Notification, SubscriptionFilter } from '../protocol/notifications.ts';
import { PeerError } from '../protocol/protocol-error.ts';
import { UsageError } from '../protocol/usage-error.ts';
import { HttpError, ProtocolViolationError } from '../transport/client/errors.ts';
import { EventQueue } from './listen-events.ts';
import type { ListenEvent } from './listen-events.ts';
import type { Requester } from './requester.ts';

/** What to hear of. At least one. */
export interface ListenFilter {
  readonly tools?: boolean;
  readonly prompts?: boolean;
  /** `true`: the list; URIs: their contents; both: `{ list: true, uris }`. */
  readonly resources?:
    | boolean
    | readonly string[]
    | { readonly list?: boolean; readonly uris?: readonly string[] };
}

/** An open subscription: read its events with `for await`, and leave the loop or `close` to end it. */
export interface Subscription extends AsyncIterable<ListenEvent> {
  close(): void;
}

/** Longest that an acknowledgement may take. */
const LONGEST_ACK_MS = 60_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** Streams that end this soon count as failures: a server that ends each at once is not asked in a loop. */
const SETTLED_MS = 5000;
/** Failures in a row after which a subscription ends with its error. */
const MOST_FAILURES = 8;

const KINDS = {
  toolsListChanged: 'notifications/tools/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
} as const;

export function toSubscriptionFilter(filter: ListenFilter): SubscriptionFilter {
  const { tools, prompts, resources } = filter;
  const uris = Array.isArray(resources)
    ? (resources as readonly string[])
    : typeof resources === 'object'
      ? (resources as { readonly uris?: readonly string[] }).uris
      : undefined;
  const list =
    resources === true ||
    (isJsonObject(resources) && (resources as { readonly list?: boolean }).list === true);
  return {
    ...(tools === true ? { toolsListChanged: true } : {}),
    ...(prompts === true ? { promptsListChanged: true } : {}),
    ...(list ? { resourcesListChanged: true } : {}),
    ...(uris === undefined || uris.length === 0 ? {} : { resourceSubscriptions: uris }),
  };
}

/**
 * Opens a subscription and keeps it open: a stream that is lost is opened again, after a wait that grows and has some
 * chance in it (CACHE-18), and a `gap` is told. Refusals of the server end it.
 */
export function listen(
  requester: Requester,
  filter: SubscriptionFilter,
  signal: AbortSignal | undefined,
  onEvent: (event: ListenEvent) => void,
): Subscription {
  const queue = new EventQueue(requester.bounds.maxEvents);
  let isRead = false;
  const controller = new AbortController();
  const { closing } = requester;
  const stop = (): void => {
    ignore?.();
    closing.ignore(stop);
    controller.abort(new DOMException('the subscription was closed', 'AbortError'));
    queue.end();
  };
  const ignore = signal === undefined || signal.aborted ? undefined : onAbort(signal, () => stop());
  if (closing.aborted || signal?.aborted === true) stop();
  else closing.onAbort(stop);
  const push = (event: ListenEvent): void => {
    onEvent(event);
    queue.push(event);
  };
  void keepOpen(requester, filter, controller.signal, push).then(
    () => queue.end(),
    (error: unknown) => queue.end(controller.signal.aborted ? undefined : error),
  );
  return {
    close: stop,
    [Symbol.asyncIterator]() {
      if (isRead) {
        throw new UsageError('the events of a subscription are read once: listen again for another reader');
      }
      isRead = true;
      return {
        async next() {
          const value = await queue.next();
          return value === undefined ? OVER : { done: false as const, value };
        },
        return() {
          stop();
          return Promise.resolve(OVER);
        },
      };
    },
  };
}

const OVER = { done: true as const, value: undefined };

async function keepOpen(
  requester: Requester,
  filter: SubscriptionFilter,
  signal: AbortSignal,
  push: (event: ListenEvent) => void,
): Promise<void> {
  let failures = 0;
  let wasOpen = false;
  let honored: SubscriptionFilter = {};
  while (!signal.aborted && !requester.isClosed) {
    const opened = Date.now();
    let isOpen = false;
    let error: unknown;
    // A server that never acknowledges would leave this side deaf without a word.
    const attempt = new AbortController();
    const due = setTimeout(
      () => attempt.abort(new TimeoutError('subscriptions/listen: no acknowledgement in time')),
      Math.min(requester.bounds.timeoutMs, LONGEST_ACK_MS),
    );
    try {
      await requester.leg(
        'subscriptions/listen',
        { notifications: filter },
        {
          signal: AbortSignal.any([signal, attempt.signal]),
          timeoutMs: Infinity,
          maxTotalMs: Infinity,
          onOther: (notification) => {
            const event = eventOf(notification, filter, requester);
            if (event === undefined) return;
            if (event.type === 'acknowledged') {
              isOpen = true;
              clearTimeout(due);
              if (wasOpen) push({ type: 'gap' });
              wasOpen = true;
              ({ honored } = event);
            }
            push(event);
          },
        },
      );
    } catch (caught) {
      error = caught;
      if (isRefusal(error)) throw error;
    } finally {
      clearTimeout(due);
    }
    if (signal.aborted || requester.isClosed) return;
    // Ended in good order, with nothing to tell: asking again would end the same.
    if (error === undefined && isOpen && Object.keys(honored).length === 0) return;
    failures = isOpen && Date.now() - opened >= SETTLED_MS ? 0 : failures + 1;
    if (failures >= MOST_FAILURES) {
      const often = `the server ended the subscription ${failures} times in a row`;
      throw error === undefined ? new ProtocolViolationError(often, undefined, '') : asError(error);
    }
    await wait(delay(failures), signal);
  }
}

/** Whether asking again would be answered the same. */
function isRefusal(error: unknown): boolean {
  if (error instanceof PeerError) return error.status === undefined || error.status < 500;
  return error instanceof HttpError && error.status < 500 && error.status !== 429 && error.status !== 408;
}

function eventOf(
  { method, params }: Notification,
  requested: SubscriptionFilter,
  requester: Requester,
): ListenEvent | undefined {
  switch (method) {
    case 'notifications/subscriptions/acknowledged': {
      const { notifications } = params;
      const honored = isJsonObject(notifications) ? (notifications as SubscriptionFilter) : {};
      reportUnhonored(requested, honored, requester);
      return { type: 'acknowledged', honored };
    }
    case KINDS.toolsListChanged:
      return { type: 'toolsListChanged' };
    case KINDS.promptsListChanged:
      return { type: 'promptsListChanged' };
    case KINDS.resourcesListChanged:
      return { type: 'resourcesListChanged' };
    case 'notifications/resources/updated':
      return typeof params['uri'] === 'string' ? { type: 'resourceUpdated', uri: params['uri'] } : undefined;
    default:
      return undefined;
  }
}

/** What the server won't tell, though it was asked to (SUB-06). */
function reportUnhonored(
  requested: SubscriptionFilter,
  honored: SubscriptionFilter,
  requester: Requester,
): void {
  const lacking = Object.entries(requested).filter(([kind, value]) => {
    const given: unknown = (honored as JsonObject)[kind];
    if (!Array.isArray(value)) return given !== true;
    return !Array.isArray(given) || value.some((uri: unknown) => !given.includes(uri));
  });
  if (lacking.length === 0) return;
  requester.report({
    kind: 'not-subscribed',
    method: 'subscriptions/listen',
    message: `the server does not tell of ${lacking.map(([kind]) => kind).join(', ')}, or not of all of it`,
  });
}

function delay(failures: number): number {
  const most = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1));
  return most / 2 + Math.random() * (most / 2);
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
