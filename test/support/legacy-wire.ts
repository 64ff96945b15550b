import assert from 'node:assert/strict';
import { INITIALIZED, initialize } from './legacy-messages.ts';
import type { HeaderChanges, HttpAnswer, HttpPeer } from './http-peer.ts';
import type { Json } from './messages.ts';
import { at } from './messages.ts';
import { SseEvents } from './sse-events.ts';
import type { StdioPeer } from './stdio-peer.ts';

/** What a client says to a question: a result, an error, or nothing at all. */
export type Answerer = (question: unknown) => { result: unknown } | { error: Json } | undefined;

/** A legacy client after its handshake, whatever the transport. */
export interface LegacyWire {
  /** The result of `initialize`. */
  readonly welcome: unknown;
  /** Sends a request, answers what is asked meanwhile, and gives everything up to and including its answer. */
  exchange(message: Json, answer?: Answerer): Promise<readonly unknown[]>;
  /** Sends a request and gives its answer. */
  ask(message: Json, answer?: Answerer): Promise<unknown>;
  /** Sends a notification, or an answer. */
  tell(message: unknown): Promise<void>;
  /** The next message that belongs to no request of the client; HTTP needs `listen` before. */
  unasked(): Promise<unknown>;
  /** Opens the way for messages that belong to no request. */
  listen(): Promise<void>;
}

/** Answers nothing. */
const SILENT: Answerer = () => undefined;

export class StdioWire implements LegacyWire {
  readonly peer: StdioPeer;
  readonly welcome: unknown;

  private constructor(peer: StdioPeer, welcome: unknown) {
    this.peer = peer;
    this.welcome = welcome;
  }

  static async start(peer: StdioPeer, version: string, capabilities: Json = {}): Promise<StdioWire> {
    const answer = await peer.ask(initialize(version, capabilities));
    peer.send(INITIALIZED);
    return new StdioWire(peer, at(answer, 'result'));
  }

  async exchange(message: Json, answer: Answerer = SILENT): Promise<readonly unknown[]> {
    this.peer.send(message);
    const messages: unknown[] = [];
    for (;;) {
      const received = await this.peer.next();
      messages.push(received);
      if (at(received, 'method') === undefined && at(received, 'id') === message['id']) return messages;
      const reply = replyTo(received, answer);
      if (reply !== undefined) this.peer.send(reply);
    }
  }

  async ask(message: Json, answer?: Answerer): Promise<unknown> {
    return (await this.exchange(message, answer)).at(-1);
  }

  tell(message: unknown): Promise<void> {
    this.peer.send(message);
    return Promise.resolve();
  }

  unasked(): Promise<unknown> {
    return this.peer.next();
  }

  async listen(): Promise<void> {
    // `initialized` opened it; a ping that is answered came after it.
    await this.ask({ jsonrpc: '2.0', id: 'listening', method: 'ping' });
  }
}

/** A client's session over HTTP. */
export class HttpSession implements LegacyWire {
  readonly peer: HttpPeer;
  readonly id: string;
  readonly version: string;
  readonly welcome: unknown;
  #feed: SseEvents | undefined;

  constructor(peer: HttpPeer, id: string, version: string, welcome?: unknown) {
    this.peer = peer;
    this.id = id;
    this.version = version;
    this.welcome = welcome;
  }

  static async start(peer: HttpPeer, version: string, capabilities: Json = {}): Promise<HttpSession> {
    const answer = await postLegacy(peer, initialize(version, capabilities));
    assert.equal(answer.status, 200, answer.text);
    const id = answer.headers['mcp-session-id'];
    assert.equal(typeof id, 'string');
    const welcome = at(answer.json, 'result');
    const session = new HttpSession(peer, String(id), String(at(welcome, 'protocolVersion')), welcome);
    assert.equal((await session.post(INITIALIZED)).status, 202);
    return session;
  }

  headers(changes: HeaderChanges = {}): HeaderChanges {
    // The header came with 2025-06-18.
    const named = this.version >= '2025-06-18' ? { 'MCP-Protocol-Version': this.version } : {};
    return { 'Mcp-Session-Id': this.id, ...named, ...changes };
  }

  post(message: unknown, changes: HeaderChanges = {}): Promise<HttpAnswer> {
    return postLegacy(this.peer, message, this.headers(changes));
  }

  /** Posts a message whose answer must be an event stream. */
  async open(message: unknown, changes: HeaderChanges = {}): Promise<SseEvents> {
    const headers = { ...POST_HEADERS, ...this.headers(changes) };
    const { response } = await this.peer.start('POST', headers, JSON.stringify(message));
    return new SseEvents(response);
  }

  /** Opens the notification stream, or resumes a stream. */
  async get(changes: HeaderChanges = {}): Promise<SseEvents> {
    const headers = { Accept: 'text/event-stream', ...this.headers(changes) };
    const { response } = await this.peer.start('GET', headers);
    return new SseEvents(response);
  }

  delete(): Promise<HttpAnswer> {
    return this.peer.send('DELETE', this.headers());
  }

  async exchange(message: Json, answer: Answerer = SILENT): Promise<readonly unknown[]> {
    const headers = { ...POST_HEADERS, ...this.headers() };
    const { response } = await this.peer.start('POST', headers, JSON.stringify(message));
    if (response.headers['content-type'] !== 'text/event-stream') {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      const only: unknown = JSON.parse(text);
      return [only];
    }
    const stream = new SseEvents(response);
    const messages: unknown[] = [];
    for (;;) {
      const received = await stream.message();
      messages.push(received);
      if (at(received, 'method') === undefined && at(received, 'id') === message['id']) {
        assert.equal(await stream.ended, true, 'the stream ends with the answer');
        assert.deepEqual(stream.rest(), []);
        return messages;
      }
      const reply = replyTo(received, answer);
      if (reply !== undefined) await this.tell(reply);
    }
  }

  async ask(message: Json, answer?: Answerer): Promise<unknown> {
    return (await this.exchange(message, answer)).at(-1);
  }

  async tell(message: unknown): Promise<void> {
    const answer = await this.post(message);
    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.text, '');
  }

  async listen(): Promise<void> {
    this.#feed = await this.get();
  }

  unasked(): Promise<unknown> {
    assert.ok(this.#feed !== undefined, 'nobody listens');
    return this.#feed.message();
  }
}

const POST_HEADERS: HeaderChanges = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

/** Posts as a legacy client: with no header that belongs to a later era. */
export function postLegacy(
  peer: HttpPeer,
  message: unknown,
  headers: HeaderChanges = {},
): Promise<HttpAnswer> {
  return peer.send('POST', { ...POST_HEADERS, ...headers }, JSON.stringify(message));
}

function replyTo(received: unknown, answer: Answerer): Json | undefined {
  const id = at(received, 'id');
  if (id === undefined || at(received, 'method') === undefined) return undefined;
  const reply = answer(received);
  return reply === undefined ? undefined : { jsonrpc: '2.0', id, ...reply };
}
