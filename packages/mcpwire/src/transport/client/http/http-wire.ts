import { asError } from '../../../async/as-error.ts';
import { TimeoutError } from '../../../async/with-timeout.ts';
import { withDefaults } from '../../../protocol/bounds.ts';
import type { Cancellation } from '../../../protocol/handler.ts';
import { isHeaderName, isHeaderSafe } from '../../../protocol/header-value.ts';
import { parseText, classify } from '../../../protocol/parse-message.ts';
import { PeerError } from '../../../protocol/protocol-error.ts';
import { DEFAULT_TEXT_BOUNDS } from '../../../protocol/scan-text.ts';
import type { TextBounds } from '../../../protocol/scan-text.ts';
import { UsageError } from '../../../protocol/usage-error.ts';
import { HttpError, MAX_QUOTED } from '../errors.ts';
import type { HttpLinkOptions } from './http-options.ts';
import { mediaType } from './sender.ts';
import type { HttpAnswer, HttpRequest, Sender } from './sender.ts';

const BOUNDS = {
  maxBodyBytes: 32 * 1024 * 1024,
  maxEventBytes: 8 * 1024 * 1024,
  maxRedirects: 5,
  maxPending: 10_000,
  maxReconnects: 5,
  minRetryMs: 500,
  maxRetryMs: 60_000,
};

/** Most bytes of an error's body that are looked at. */
const MOST_ERROR_BYTES = 64 * 1024;
/** How long they may take. */
const ERROR_BODY_MS = 2000;
/** Headers of an answer that say what to do about an error. */
const TELLING = ['content-type', 'location', 'retry-after', 'www-authenticate', 'server'];

/** A request as a link makes it; the wire adds what all of them need. */
export type WireRequest = Omit<HttpRequest, 'url'>;

/** What all links over HTTP do alike: headers of the application, redirects, refusals. */
export class HttpWire {
  readonly bounds: typeof BOUNDS;
  readonly textBounds: TextBounds;
  readonly #sender: Sender;
  readonly #headers: HttpLinkOptions['headers'];
  readonly #fixed: { readonly [name: string]: string } | undefined;
  #url: string;

  constructor(options: HttpLinkOptions) {
    this.bounds = withDefaults(BOUNDS, options);
    this.textBounds = withDefaults(DEFAULT_TEXT_BOUNDS, options.bounds ?? {});
    this.#sender = options.sender;
    this.#headers = options.headers;
    this.#url = options.url;
    if (typeof options.headers === 'object') {
      assertHeaders(options.headers);
      this.#fixed = options.headers;
    }
  }

  get url(): string {
    return this.#url;
  }

  /** The answer to a request, redirects within the origin followed. */
  send(request: WireRequest, url = this.#url): Promise<HttpAnswer> {
    const { cancellation } = request;
    if (typeof this.#headers === 'function') {
      return unlessAborted(this.#applicationHeaders(this.#headers), cancellation).then((own) =>
        this.#follow(request, url, { ...own, ...request.headers }),
      );
    }
    return this.#follow(
      request,
      url,
      this.#fixed === undefined ? request.headers : { ...this.#fixed, ...request.headers },
    );
  }

  #follow(
    request: WireRequest,
    url: string,
    headers: WireRequest['headers'],
    redirects = 0,
  ): Promise<HttpAnswer> {
    const { method, body, cancellation, isApart } = request;
    if (cancellation.aborted) return Promise.reject(asError(cancellation.reason));
    return this.#sender
      .send({
        method,
        url,
        headers,
        cancellation,
        ...(body === undefined ? {} : { body }),
        ...(isApart === undefined ? {} : { isApart }),
      })
      .then((answer) => {
        if (answer.status < 300 || answer.status >= 400 || answer.status === 304) return answer;
        const to = this.#redirected(answer, url, method, redirects);
        if (url === this.#url && answer.status === 308) this.#url = to;
        return this.#follow(request, to, headers, redirects + 1);
      });
  }

  /** The error that a refused request ends with: the server's own where its body holds one. */
  async refusal(answer: HttpAnswer, method: string): Promise<PeerError | HttpError> {
    let body: string;
    try {
      body = await withinTime(answer.text(MOST_ERROR_BYTES), ERROR_BODY_MS);
    } catch {
      body = ''; // too long, too slow, or cut off: its status says enough
      answer.discard();
    }
    if (body.trimStart().startsWith('{')) {
      const parsed = parseText(body, this.textBounds);
      const message = parsed.kind === 'value' ? classify(parsed.value) : parsed;
      if (message.kind === 'error') return new PeerError(message.error, answer.status);
    }
    return new HttpError(
      `${this.#url} answered ${method} with HTTP ${answer.status}${adviceFor(answer)}${quote(body)}`,
      answer.status,
      headersOf(answer),
      body,
    );
  }

  async #applicationHeaders(
    make: () => WireRequest['headers'] | Promise<WireRequest['headers']>,
  ): Promise<WireRequest['headers']> {
    const headers = await make();
    assertHeaders(headers);
    return headers;
  }

  #redirected(answer: HttpAnswer, from: string, method: string, redirects: number): string {
    answer.discard();
    const location = answer.header('location');
    const refuse = (why: string): HttpError =>
      new HttpError(
        `${from} answered with HTTP ${answer.status}, a redirect${location === undefined ? '' : ` to ${location}`}, ${why}`,
        answer.status,
        headersOf(answer),
      );
    if (location === undefined || !URL.canParse(location, from)) throw refuse('which leads nowhere');
    const to = new URL(location, from);
    // What is sent, credentials among it, is meant for this origin and no other.
    if (to.origin !== new URL(from).origin) {
      throw refuse('which leads to another origin: connect to that URL if it is meant');
    }
    if (method !== 'GET' && answer.status !== 307 && answer.status !== 308) {
      throw refuse('which would turn the POST into a GET: connect to that URL if it is meant');
    }
    if (redirects >= this.bounds.maxRedirects) throw refuse(`after ${redirects} others (maxRedirects)`);
    return to.href;
  }
}

/** Throws where a header of the application can't be sent as it is. */
function assertHeaders(headers: { readonly [name: string]: string }): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderName(name) || typeof value !== 'string' || !isHeaderSafe(value)) {
      throw new UsageError(
        `the header ${JSON.stringify(name)} can't be sent: a name is a token, a value visible ASCII`,
      );
    }
  }
}

function headersOf(answer: HttpAnswer): { readonly [name: string]: string } {
  return Object.fromEntries(
    TELLING.flatMap((name) => {
      const value = answer.header(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function adviceFor(answer: HttpAnswer): string {
  switch (answer.status) {
    case 401:
      return ': it wants authorization';
    case 403:
      return ': it does not allow this';
    case 404:
    case 405:
      return ': there may be no MCP endpoint at this URL';
    case 406:
    case 415:
      return ': it does not take the media types of MCP';
    case 429:
      return ': too many requests';
    default:
      return mediaType(answer) === 'text/html' ? ' and a web page' : '';
  }
}

function quote(body: string): string {
  const text = body.trim();
  return text === '' ? '' : `: ${JSON.stringify(text.slice(0, Math.min(MAX_QUOTED, 200)))}`;
}

/** The work, or the reason of the cancellation: what the application does may take for ever. */
function unlessAborted<T>(work: Promise<T>, cancellation: Cancellation): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(asError(cancellation.reason));
    if (cancellation.aborted) leave();
    else cancellation.onAbort(leave);
    work.finally(() => cancellation.ignore(leave)).then(resolve, reject);
  });
}

function withinTime(work: Promise<string>, ms: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeoutError(`not there within ${ms} ms`)), ms);
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

/** A cancellation that never comes: for what is bounded by itself. */
export const NEVER: Cancellation = {
  aborted: false,
  reason: undefined,
  onAbort() {},
  ignore() {},
};
