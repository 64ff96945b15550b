import { IdTable } from '../../../async/id-table.ts';
import { withDefaults } from '../../../protocol/bounds.ts';
import { encodeNotification, encodeRequest } from '../../../protocol/encode-message.ts';
import { isJsonObject } from '../../../protocol/json.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import type { ErrorMessage, NotificationMessage, ResultMessage } from '../../../protocol/message.ts';
import { MetaKey } from '../../../protocol/meta-keys.ts';
import type { Notification } from '../../../protocol/notifications.ts';
import { classify, parseText, readId } from '../../../protocol/parse-message.ts';
import type { InvalidMessage } from '../../../protocol/parse-message.ts';
import { PeerError } from '../../../protocol/protocol-error.ts';
import type { RequestId } from '../../../protocol/request-id.ts';
import { isRequestId } from '../../../protocol/request-id.ts';
import type { TextBounds } from '../../../protocol/scan-text.ts';
import { DEFAULT_TEXT_BOUNDS } from '../../../protocol/scan-text.ts';
import { reportToConsole, safeReporter } from '../../report.ts';
import type { Reporter } from '../../report.ts';
import { LineSplitter } from '../../stdio/line-splitter.ts';
import { ConnectionClosedError, LimitError, ProtocolViolationError } from '../errors.ts';
import type { Incoming, Link, LinkEvents, LinkRequest } from '../link.ts';
import type { LineEnd, LineLinkOptions } from './line-options.ts';
import { Oddities } from './oddities.ts';

interface Pending {
  readonly id: number;
  readonly request: LinkRequest;
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: unknown) => void;
  readonly cancel: () => void;
  /** The progress token that this request goes by on the wire, where it has one. */
  readonly token: RequestId | undefined;
}

/**
 * The client's end of a byte stream that carries one JSON-RPC message per line (basic/transports/stdio): pipes, sockets,
 * TCP. Ids are integers, and one of one type never meets another's: `0` is not `"0"`.
 */
export class LineLink implements Link {
  readonly transport: string;
  readonly oddities: Oddities;
  readonly #end: LineEnd;
  readonly #events: LinkEvents;
  readonly #report: Reporter;
  readonly #maxPending: number;
  readonly #bounds: TextBounds;
  readonly #splitter: LineSplitter;
  readonly #pending = new IdTable<Pending>();
  readonly #tokens = new IdTable<Pending>();
  #nextId = 1;
  #closed: Error | undefined;

  constructor(end: LineEnd, events: LinkEvents, options: LineLinkOptions = {}) {
    this.transport = end.transport;
    this.#end = end;
    this.#events = events;
    this.#report = safeReporter(options.report ?? reportToConsole);
    this.oddities = new Oddities(this.#report);
    this.#maxPending = options.maxPending ?? 10_000;
    this.#bounds = withDefaults(DEFAULT_TEXT_BOUNDS, options.bounds ?? {});
    const maxLineBytes = options.maxLineBytes ?? 16 * 1024 * 1024;
    this.#splitter = new LineSplitter(maxLineBytes, {
      line: (bytes) => this.#line(bytes),
      tooLong: (head) =>
        this.#unreadable(`a line of more than ${maxLineBytes} bytes`, undefined, latin1(head)),
    });
  }

  /** Whether anything waits for an answer. */
  get pending(): number {
    return this.#pending.size;
  }

  /** What was seen of the server that may explain why an answer is missing. */
  hint(): string | undefined {
    const parts = [this.oddities.hint(), this.#end.hint?.()].filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : parts.join('; ');
  }

  request(request: LinkRequest): Promise<JsonObject> {
    const { cancellation } = request;
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    if (cancellation.aborted) return Promise.reject(cancellation.reason);
    if (this.#pending.size >= this.#maxPending) {
      return Promise.reject(new LimitError(`${this.#maxPending} requests wait for their answer already`));
    }
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const { params, token } = this.#withOwnToken(id, request.params);
      // First: it may refuse.
      this.#end.write(encodeRequest(id, request.method, params));
      const cancel = (): void => this.#cancel(id, request);
      const pending: Pending = { id, request, resolve, reject, token, cancel };
      cancellation.onAbort(cancel);
      this.#pending.set(id, pending);
      if (token !== undefined) this.#tokens.set(token, pending);
    });
  }

  notify(notification: Notification): Promise<void> {
    return this.respond(encodeNotification(notification));
  }

  async respond(text: string): Promise<void> {
    if (this.#closed !== undefined) throw this.#closed;
    this.#end.write(text);
  }

  async close(): Promise<void> {
    this.#fail(new ConnectionClosedError('the connection was closed by this side'));
    await this.#end.close();
  }

  /** Bytes of the server, in pieces of any size. */
  receive(chunk: Uint8Array): void {
    if (this.#closed === undefined) this.#splitter.push(chunk);
  }

  /** The server says no more: whatever waits fails with the error. */
  ended(error: Error): void {
    if (this.#closed !== undefined) return;
    this.#splitter.end();
    this.#fail(error);
    this.#events.closed(error);
  }

  #fail(error: Error): void {
    this.#closed ??= error;
    for (const pending of this.#pending.values()) {
      pending.request.cancellation.ignore(pending.cancel);
      pending.reject(error);
    }
    this.#pending.clear();
    this.#tokens.clear();
  }

  /** Tokens are unique among open requests (PROG-02): one that two callers chose is another one on the wire. */
  #withOwnToken(
    id: RequestId,
    params: JsonObject,
  ): { readonly params: JsonObject; readonly token: RequestId | undefined } {
    const meta = params['_meta'];
    const token = isJsonObject(meta) ? meta[MetaKey.progressToken] : undefined;
    if (!isJsonObject(meta) || !isRequestId(token)) return { params, token: undefined };
    if (!this.#tokens.has(token)) return { params, token };
    const own = `${id}`;
    return { params: { ...params, _meta: { ...meta, [MetaKey.progressToken]: own } }, token: own };
  }

  #cancel(id: RequestId, request: LinkRequest): void {
    const pending = this.#take(id);
    if (pending === undefined) return;
    // `initialize` may not be cancelled (2025-11-25, utilities/cancellation).
    if (request.method !== 'initialize') {
      this.#tellCancelled(id, request.cancellation.reason);
    }
    pending.reject(request.cancellation.reason);
  }

  /** A server that reads nothing any more can't be told anything either. */
  #tellCancelled(id: RequestId, reason: unknown): void {
    const params = { requestId: id, reason: reason instanceof Error ? reason.message : 'cancelled' };
    try {
      this.#end.write(encodeNotification({ method: 'notifications/cancelled', params }));
    } catch (error) {
      this.#report({ kind: 'cancel-failed', message: 'the server was not told of a cancellation', error });
    }
  }

  #take(id: RequestId): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending === undefined) return undefined;
    this.#pending.delete(id);
    if (pending.token !== undefined) this.#tokens.delete(pending.token);
    pending.request.cancellation.ignore(pending.cancel);
    return pending;
  }

  #line(bytes: Uint8Array): void {
    const text = this.#end.decode(bytes);
    if (text === undefined) {
      this.#unreadable('a line that is not UTF-8', 'TRN-01', latin1(bytes));
      return;
    }
    const parsed = parseText(text, this.#bounds);
    if (parsed.kind === 'invalid') {
      if (parsed.id !== undefined || looksLikeMessage(text)) {
        this.#unreadable(`a message that can't be read: ${parsed.error.message}`, 'STDIO-01', text);
      } else {
        this.oddities.noise(text);
      }
      return;
    }
    const { value } = parsed;
    // One old revision lets a server send several messages in an array.
    if (Array.isArray(value)) for (const each of value) this.#message(each, text);
    else if (isJsonObject(value)) this.#message(value, text);
    else this.oddities.noise(text);
  }

  #message(value: unknown, text: string): void {
    const message = classify(value);
    switch (message.kind) {
      case 'result':
      case 'error':
        this.#response(message, text);
        return;
      case 'notification':
      case 'request':
        this.#incoming(message);
        return;
      case 'invalid':
        this.#invalid(message, value, text);
    }
  }

  #response(message: ResultMessage | ErrorMessage, text: string): void {
    const id = message.id ?? this.#onlyId();
    const pending = id === undefined ? undefined : this.#take(id);
    if (pending === undefined) {
      this.#unexpected(id, text);
    } else if (message.kind === 'result') {
      pending.resolve(message.result);
    } else {
      pending.reject(new PeerError(message.error));
    }
  }

  /** Some servers leave the id out of their errors: where one request waits it is the one that is meant. */
  #onlyId(): RequestId | undefined {
    const [only] = this.#pending.size === 1 ? this.#pending.values() : [];
    return only?.id;
  }

  #incoming(message: Incoming): void {
    if (message.kind === 'notification' && this.#hear(message)) return;
    this.#events.incoming(message);
  }

  /** Gives a notification to the request that it surely belongs to. */
  #hear(message: NotificationMessage): boolean {
    if (message.method === 'notifications/progress') {
      const token = message.params['progressToken'];
      const pending = isRequestId(token) ? this.#tokens.get(token) : undefined;
      pending?.request.hear(withCallersToken(message, pending.request));
      return pending !== undefined;
    }
    const meta = message.params['_meta'];
    const subscription = isJsonObject(meta) ? meta[MetaKey.subscriptionId] : undefined;
    const pending = isRequestId(subscription) ? this.#pending.get(subscription) : undefined;
    pending?.request.hear(message);
    return pending !== undefined;
  }

  #invalid(message: InvalidMessage, value: unknown, text: string): void {
    // Programs log JSON too.
    if (!isJsonObject(value) || !('jsonrpc' in value || 'method' in value || 'result' in value)) {
      this.oddities.noise(text);
      return;
    }
    const id = message.id ?? (isRequestId(value['id']) ? value['id'] : undefined);
    this.#unreadable(`no message: ${message.error.message}`, 'BASE-02', text, id);
  }

  /** Something that was meant as a message: whoever waits for it must not wait for ever. */
  #unreadable(what: string, rule: string | undefined, text: string, id = readId(text)): void {
    const error = new ProtocolViolationError(`the server sent ${what}`, rule, text);
    const pending = id === undefined ? undefined : this.#take(id);
    if (pending === undefined) {
      this.#report({ kind: 'bad-message', message: error.message });
    } else {
      pending.reject(error);
    }
  }

  #unexpected(id: RequestId | undefined, text: string): void {
    // An answer may be on its way when its request is cancelled (CANC-13).
    if (typeof id === 'number' && id >= 1 && id < this.#nextId) return;
    this.oddities.stray(text);
  }
}

function withCallersToken(message: NotificationMessage, request: LinkRequest): NotificationMessage {
  const meta = request.params['_meta'];
  const progressToken = isJsonObject(meta) ? meta[MetaKey.progressToken] : undefined;
  return progressToken === message.params['progressToken']
    ? message
    : { ...message, params: { ...message.params, progressToken } };
}

function looksLikeMessage(text: string): boolean {
  return text.startsWith('{') && text.includes('"jsonrpc"');
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, 1024));
}
