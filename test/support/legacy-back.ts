import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type {
  ConnectLegacyOptions,
  LegacyServer,
} from '../../packages/mcpwire/src/legacy/back/connect-legacy.ts';
import { connectLegacy } from '../../packages/mcpwire/src/legacy/back/connect-legacy.ts';
import type { LinkMaker } from '../../packages/mcpwire/src/legacy/back/upstream.ts';
import type { ClientCapabilities } from '../../packages/mcpwire/src/protocol/capabilities.ts';
import type { Params } from '../../packages/mcpwire/src/protocol/handler.ts';
import type { Report } from '../../packages/mcpwire/src/transport/report.ts';
import { MessageLink } from './message-link.ts';
import type { Json } from './messages.ts';
import { at, CLIENT_CAPABILITIES, META } from './messages.ts';
import { Queue } from './queue.ts';

/** Everything that a client may declare. */
export const ABLE: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};

export const CLIENT = { name: 'test', version: '1' };

export interface AskOptions {
  readonly capabilities?: ClientCapabilities;
  readonly meta?: Json;
  readonly principal?: string;
  readonly signal?: AbortSignal;
  readonly notify?: (notification: Json) => void | Promise<void>;
}

/** One modern request, straight into the handler. */
export async function ask(
  { handle }: LegacyServer,
  method: string,
  params: Json = {},
  options: AskOptions = {},
): Promise<Json> {
  const { capabilities = ABLE, meta, principal, signal = new AbortController().signal, notify } = options;
  const _meta = { ...META, [CLIENT_CAPABILITIES]: capabilities, ...meta } as unknown as Params['_meta'];
  const result = await handle(
    { method, params: { ...params, _meta } },
    {
      signal,
      caller: {
        transport: 'in-process',
        ...(principal === undefined ? {} : { auth: { principal, scopes: [] } }),
      },
      notify: async (notification) => {
        await notify?.({ ...notification });
      },
    },
  );
  // As on a wire: what isn't JSON doesn't get through.
  return JSON.parse(JSON.stringify(result)) as Json;
}

export function callTool(
  server: LegacyServer,
  name: string,
  args: Json = {},
  options: AskOptions = {},
): Promise<Json> {
  return ask(server, 'tools/call', { name, arguments: args }, options);
}

/** What an `input_required` result asks, as pairs of key and question. */
export function questionsOf(result: unknown): readonly (readonly [string, Json])[] {
  assert.equal(at(result, 'resultType'), 'input_required', JSON.stringify(result));
  return Object.entries(at(result, 'inputRequests') as { [key: string]: Json });
}

/** Answers what is asked until there is another result. */
export async function drive(
  server: LegacyServer,
  method: string,
  params: Json,
  answer: (question: Json) => Json,
  options: AskOptions = {},
): Promise<Json> {
  let result = await ask(server, method, params, options);
  while (result['resultType'] === 'input_required') {
    const inputResponses = Object.fromEntries(
      questionsOf(result).map(([key, question]) => [key, answer(question)]),
    );
    const { requestState } = result;
    result = await ask(server, method, { ...params, inputResponses, requestState }, options);
  }
  return result;
}

export interface Connected {
  readonly server: LegacyServer;
  readonly reports: readonly Report[];
}

export type Options = Partial<ConnectLegacyOptions>;

export async function connectTo(t: TestContext, maker: LinkMaker, options: Options = {}): Promise<Connected> {
  const reports: Report[] = [];
  // As the socket or the pipe of a real link would: timers in the background don't keep a process.
  const alive = setInterval(() => {}, 60_000);
  t.after(() => clearInterval(alive));
  const server = await connectLegacy(maker, {
    clientCapabilities: ABLE,
    clientInfo: CLIENT,
    report: (report) => reports.push(report),
    ...options,
  });
  t.after(() => server.close());
  return { server, reports };
}

/** A server that does what the test says. */
export class ScriptedServer {
  readonly #received = new Queue<Json>();
  #link: MessageLink | undefined;

  readonly maker: LinkMaker = (events) => {
    this.#link = new MessageLink(events, (message) => this.#received.push(message));
    return this.#link;
  };

  get link(): MessageLink {
    assert.ok(this.#link !== undefined);
    return this.#link;
  }

  /** The next message of the client. */
  next(): Promise<Json> {
    return this.#received.next();
  }

  /** What came and was not read. */
  rest(): readonly Json[] {
    return this.#received.rest();
  }

  /** The next message, which is a request of this method. */
  async request(method: string): Promise<Json> {
    const message = await this.next();
    assert.equal(message['method'], method, JSON.stringify(message));
    return message;
  }

  send(message: Json, on?: Json): void {
    this.link.receive({ jsonrpc: '2.0', ...message }, on?.['id']);
  }

  /** A notification, or with an id a request. */
  say(method: string, params: Json = {}, id?: unknown, on?: Json): void {
    this.send({ method, params, ...(id === undefined ? {} : { id }) }, on);
  }

  answer({ id }: Json, result: Json): void {
    this.send({ id, result });
  }

  refuse({ id }: Json, code: number, message = 'no', data?: unknown): void {
    this.send({ id, error: { code, message, ...(data === undefined ? {} : { data }) } });
  }

  /** Takes part in a handshake; gives the `initialize` request. */
  async shakeHands(result: Json = {}): Promise<Json> {
    const initialize = await this.request('initialize');
    this.answer(initialize, {
      protocolVersion: '2025-11-25',
      capabilities: EVERYTHING,
      serverInfo: { name: 'scripted', version: '9' },
      ...result,
    });
    await this.request('notifications/initialized');
    return initialize;
  }

  /** A connection to this server. */
  async connect(t: TestContext, options: Options = {}, result: Json = {}): Promise<Connected> {
    const connecting = connectTo(t, this.maker, options);
    await this.shakeHands(result);
    return connecting;
  }
}

export const EVERYTHING: Json = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
};
