import type { TextBounds } from '../../../protocol/scan-text.ts';
import type { Reporter } from '../../report.ts';
import type { Sender } from './sender.ts';

/** Headers of every request: fixed, or made anew each time. */
export type HeaderSource =
  | { readonly [name: string]: string }
  | (() => { readonly [name: string]: string } | Promise<{ readonly [name: string]: string }>);

/** Bounds of an HTTP link. Every one has a default and can be changed. */
export interface HttpBounds {
  /** Most bytes of a JSON answer. Default 32 MiB. */
  readonly maxBodyBytes?: number;
  /** Most bytes of one server-sent event. Default 8 MiB. */
  readonly maxEventBytes?: number;
  /** Most redirects in a row, all within the origin. Default 5. */
  readonly maxRedirects?: number;
  /** Most requests that wait for their answer. Default 10,000; one more fails with a `LimitError`. */
  readonly maxPending?: number;
  /** Most times in a row that a lost stream is come back to. Default 5. Legacy alone. */
  readonly maxReconnects?: number;
  /** Shortest and longest wait before coming back to a stream, whatever the server says. Defaults 500 and 60,000 ms. */
  readonly minRetryMs?: number;
  readonly maxRetryMs?: number;
  /** Bounds of one message's text. */
  readonly bounds?: Partial<TextBounds>;
}

/** What a link over HTTP is made of. */
export interface HttpLinkOptions extends HttpBounds {
  readonly url: string;
  readonly sender: Sender;
  readonly headers?: HeaderSource;
  readonly report: Reporter;
}
