import assert from 'node:assert/strict';
import type { InputOptions, Server, ServerReport } from 'mcpwire/server';
import { createServer } from 'mcpwire/server';
import type { Json } from '../support/messages.ts';
import { at, CLIENT_CAPABILITIES, META } from '../support/messages.ts';

/** Everything that a client may declare. */
export const ABLE: Json = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};

export const SECRET = 'a secret that is used for nothing but tests';

/** A client in the same process: what it can do, and who it is. */
export interface CallOptions {
  readonly capabilities?: Json;
  readonly principal?: string;
  readonly signal?: AbortSignal;
  readonly notify?: (notification: unknown) => void;
}

/** One request, straight into the server: no wire, so that a test can be anybody. */
export async function send(
  server: Server,
  method: string,
  params: Json,
  options: CallOptions = {},
): Promise<Json> {
  const { capabilities = ABLE, principal, signal = new AbortController().signal, notify } = options;
  const _meta = { ...META, [CLIENT_CAPABILITIES]: capabilities } as unknown as Parameters<
    Server['handle']
  >[0]['params']['_meta'];
  const auth = principal === undefined ? {} : { auth: { principal, scopes: [] } };
  const result = await server.handle(
    { method, params: { ...params, _meta } },
    {
      signal,
      caller: { transport: 'in-process', ...auth },
      notify: (notification) => Promise.resolve(notify?.(notification)),
    },
  );
  // As on a wire: what isn't JSON doesn't get through.
  return JSON.parse(JSON.stringify(result)) as Json;
}

export function callTool(
  server: Server,
  name: string,
  params: Json = {},
  options: CallOptions = {},
): Promise<Json> {
  return send(server, 'tools/call', { name, ...params }, options);
}

/** The answers of a client: by key, or made from the request. */
export type Answers = Json | ((key: string, request: unknown) => unknown);

/** What was asked in one round, by key. */
export type Round = Json;

/** Calls again and again, with the answers, until there is a result. The servers take turns. */
export async function converse(
  servers: Server | readonly Server[],
  method: string,
  params: Json,
  answers: Answers,
  options: CallOptions = {},
): Promise<{ readonly result: Json; readonly rounds: readonly Round[] }> {
  const fleet = 'handle' in servers ? [servers] : servers;
  const rounds: Round[] = [];
  let retry: Json = {};
  for (let turn = 0; turn < 40; turn++) {
    const server = fleet[turn % fleet.length];
    assert.ok(server !== undefined);
    const result = await send(server, method, { ...params, ...retry }, options);
    if (result['resultType'] !== 'input_required') return { result, rounds };
    const asked = questionsOf(result);
    rounds.push(asked);
    retry = { inputResponses: answer(asked, answers), requestState: result['requestState'] };
  }
  throw new Error(`no end after ${rounds.length} rounds`);
}

function answer(asked: Round, answers: Answers): Json {
  return Object.fromEntries(
    Object.entries(asked).map(([key, request]) => [
      key,
      typeof answers === 'function' ? answers(key, request) : answers[key],
    ]),
  );
}

/** The questions of a result; fails where it is none. */
export function questionsOf(result: Json): Round {
  assert.equal(result['resultType'], 'input_required', JSON.stringify(result));
  assert.equal(typeof result['requestState'], 'string');
  return result['inputRequests'] as Round;
}

/** Text of a tool's first content block. */
export function text(result: Json): string {
  return String(at(result, 'content', 0, 'text'));
}

/** A user who accepts the form with this content. */
export function accept(content: Json): Json {
  return { action: 'accept', content };
}

/** The state of a first round, to be used or misused. */
export function stateOf(result: Json): string {
  return String(result['requestState']);
}

/** A schema with one field. */
export function field(name: string, type = 'string'): Json {
  return { type: 'object', properties: { [name]: { type } }, required: [name] };
}

/** A server whose reports a test can read. */
export function reportingServer(input: InputOptions = {}): {
  readonly server: Server;
  readonly reports: ServerReport[];
} {
  const reports: ServerReport[] = [];
  const server = createServer(
    { name: 'asking', version: '1.0.0' },
    { input, report: (report) => reports.push(report) },
  );
  return { server, reports };
}

/** What was reported, in words. */
export function wordsOf(reports: readonly ServerReport[]): string {
  return reports
    .map(
      ({ kind, message, error }) =>
        `${kind}: ${message}${error instanceof Error ? ` (${error.name}: ${error.message})` : ''}`,
    )
    .join('\n');
}
