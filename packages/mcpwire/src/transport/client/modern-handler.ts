import { cancellationOf } from '../../async/cancellation.ts';
import { LOGGING_LEVELS } from '../../protocol/common-types.ts';
import type { Cancellation, Exchange, Handler, McpRequest } from '../../protocol/handler.ts';
import { isJsonObject } from '../../protocol/json.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { MetaKey } from '../../protocol/meta-keys.ts';
import { omit } from '../../protocol/revisions/omit.ts';
import type { Result } from '../../protocol/results.ts';
import { reportToConsole, safeReporter } from '../report.ts';
import type { Reporter } from '../report.ts';
import { LISTEN } from '../subscription-tag.ts';
import type { Incoming, Link, LinkRequest } from './link.ts';

/** A modern server at the other end of a link, as a handler. */
export interface ModernServer {
  readonly handle: Handler;
  /** Takes what belongs to no request in particular: see `LinkEvents`. */
  incoming(message: Incoming): void;
}

/** Presents a link to a modern server as a handler: requests go out as they are, tags of subscriptions stay on the wire. */
export function modernServer(link: Link, reporter: Reporter = reportToConsole): ModernServer {
  const report = safeReporter(reporter);
  /** Requests that asked for log messages, which carry no id on a pipe. */
  const logging = new Map<Exchange, string>();
  let hasReported = false;

  const tell = (exchange: Exchange, { method, params }: Incoming): void => {
    exchange
      .notify({ method, params })
      .catch((error: unknown) =>
        report({ kind: 'notify-failed', message: 'nobody took a notification', method, error }),
      );
  };
  const stray = (method: string, why: string): void => {
    if (hasReported) return;
    hasReported = true;
    report({
      kind: 'unexpected-message',
      message: `the server sent ${method}, ${why}; more of it is ignored`,
    });
  };
  const hear = (exchange: Exchange, message: Incoming): void => {
    if (message.kind === 'request') stray(message.method, 'a request, which servers may not send [TRN-03]');
    else tell(exchange, message);
  };
  const listen = async (request: McpRequest, exchange: Exchange): Promise<Result> => {
    const untaggedHear = (_exchange: Exchange, message: Incoming): void => hear(exchange, untagged(message));
    return withoutTag(await link.request(new Outgoing(request, exchange, untaggedHear)));
  };

  return {
    handle(request, exchange) {
      if (request.method === LISTEN) return listen(request, exchange);
      const sent = link.request(new Outgoing(request, exchange, hear)) as Promise<Result>;
      const level = request.params._meta[MetaKey.logLevel];
      if (level === undefined) return sent;
      logging.set(exchange, level);
      return sent.finally(() => logging.delete(exchange));
    },
    incoming(message) {
      if (message.kind === 'request') {
        stray(message.method, 'a request, which servers may not send [TRN-03]');
      } else if (message.method === 'notifications/message') {
        for (const [exchange, level] of logging) {
          if (isAtLeast(message.params['level'], level)) tell(exchange, message);
        }
      } else if (message.method !== 'notifications/progress') {
        // Progress may come late, for a request that has ended.
        stray(message.method, 'which belongs to no open request');
      }
    },
  };
}

/** One request on its way through the link. */
class Outgoing implements LinkRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly cancellation: Cancellation;
  readonly #exchange: Exchange;
  readonly #hear: (exchange: Exchange, message: Incoming) => void;

  constructor(
    { method, params }: McpRequest,
    exchange: Exchange,
    hear: (exchange: Exchange, message: Incoming) => void,
  ) {
    this.method = method;
    this.params = params;
    this.cancellation = cancellationOf(exchange);
    this.#exchange = exchange;
    this.#hear = hear;
  }

  hear(message: Incoming): void {
    this.#hear(this.#exchange, message);
  }
}

function isAtLeast(level: unknown, least: string): boolean {
  const levels: readonly unknown[] = LOGGING_LEVELS;
  return levels.indexOf(level) >= levels.indexOf(least);
}

function untagged(message: Incoming): Incoming {
  const params = withoutTag(message.params);
  return params === message.params ? message : { ...message, params };
}

function withoutTag(holder: JsonObject): JsonObject {
  const { _meta } = holder;
  if (!isJsonObject(_meta) || !(MetaKey.subscriptionId in _meta)) return holder;
  return { ...holder, _meta: omit(_meta, MetaKey.subscriptionId) };
}
