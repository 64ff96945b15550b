import { at, isJson } from './json.ts';
import type { Printer } from './print.ts';
import { answerWords, requestWords } from './words.ts';

/** Later reports of progress look the same. */
const SHOWN_PROGRESS = 2;

/** Hears every message on a wire, in both directions, and tells what it means. */
export class Narrator {
  requests = 0;
  notifications = 0;
  readonly #print: Printer;
  /** Methods of the requests by id: an answer has only the id. */
  readonly #methods = new Map<unknown, unknown>();

  constructor(print: Printer) {
    this.#print = print;
  }

  /** A message of the client; `head` are the lines that go before it. */
  sent(message: unknown, head: readonly string[] = []): void {
    if (!isJson(message)) return;
    const isFirst = this.requests === 0;
    this.requests++;
    this.#methods.set(message['id'], message['method']);
    this.#print.says('client', requestWords(message));
    this.#print.wire(...head);
    this.#print.message(message, { depth: 4, meta: isFirst });
    this.#print.note(
      'meta',
      'Every request says by itself which revision it speaks, who asks, and what that client can do: _meta.',
      'So there is no handshake and no session. From here on _meta is folded.',
    );
    if (head.length === 0) return;
    this.#print.note(
      'headers',
      'The headers repeat what a proxy needs to know to route or count requests without reading bodies.',
      'The server refuses a request whose headers and body disagree.',
    );
  }

  /** A message of the server. */
  received(message: unknown, head: readonly string[] = []): void {
    if (!isJson(message)) return;
    const method = this.#methods.get(message['id']);
    if (message['id'] === undefined) this.notifications++;
    if (Number(at(message, 'params', 'progress')) > SHOWN_PROGRESS) {
      this.#print.again(answerWords(message, method));
      return;
    }
    this.#print.says('server', answerWords(message, method));
    this.#print.wire(...head);
    this.#print.message(message, { depth: 5, meta: method === 'server/discover' });
    if (head.some((line) => line.endsWith('text/event-stream'))) {
      this.#print.note(
        'stream',
        'Not JSON this time but an event stream: there is news before the result, which comes last.',
      );
    }
    if (at(message, 'result', 'ttlMs') !== undefined) {
      this.#print.note(
        'ttl',
        'ttlMs and cacheScope say how long, and by whom, this may be kept: here not at all.',
      );
    }
  }
}
