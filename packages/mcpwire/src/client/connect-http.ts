import { cancellationOf } from '../async/cancellation.ts';
import { assertBounds } from '../protocol/bounds.ts';
import { UsageError } from '../protocol/usage-error.ts';
import { reportToConsole, safeReporter } from '../transport/report.ts';
import type { HeaderSource, HttpBounds, HttpLinkOptions } from '../transport/client/http/http-options.ts';
import { ModernHttpLink } from '../transport/client/http/modern-http-link.ts';
import type { Sender } from '../transport/client/http/sender.ts';
import type { Client } from './client.ts';
import { connectOver } from './connect-on.ts';
import type { WebConnectOptions } from './connect-options.ts';
import { establishHttp } from './era/establish-http.ts';

/** A server behind a URL. */
export interface UrlTarget {
  readonly url: string | URL;
  /** Sent with every request. */
  readonly headers?: HeaderSource;
}

/** Connects to a server behind a URL, over whichever generation of the HTTP transports it offers. */
export function connectHttp<Tools>(
  target: UrlTarget,
  options: WebConnectOptions & HttpBounds,
  makeSender: () => Sender,
): Promise<Client<Tools>> {
  const url = checkedUrl(target.url);
  assertBounds(options);
  const linkOptions = (): HttpLinkOptions => ({
    ...options,
    url: url.href,
    sender: makeSender(),
    report: safeReporter(options.report ?? reportToConsole),
    ...(target.headers === undefined ? {} : { headers: target.headers }),
  });
  return connectOver(
    `${url.origin}${url.pathname}`,
    (settings, known, signal) =>
      establishHttp(
        url.href,
        {
          modern: () => new ModernHttpLink(linkOptions()),
          async legacy(events) {
            const { LegacyHttpLink } = await import('../transport/client/http/legacy-http-link.ts');
            return new LegacyHttpLink(linkOptions(), events);
          },
          async sse(events) {
            const { SseLink } = await import('../transport/client/http/sse-link.ts');
            return SseLink.open(linkOptions(), events, cancellationOf({ signal }));
          },
        },
        settings,
        known,
        signal,
      ),
    options,
  );
}

function checkedUrl(given: string | URL): URL {
  if (!URL.canParse(given)) throw new UsageError(`${JSON.stringify(given)} is no URL`);
  const url = new URL(given);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`connect takes http: and https: URLs, got ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('a URL may hold no user name and password: send them in a header');
  }
  url.hash = '';
  return url;
}
