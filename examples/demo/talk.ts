import { ProtocolError } from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/client';
import type { Connected } from './connect.ts';
import { at } from './json.ts';
import type { Printer } from './print.ts';

const QUERY = 'mcp';
const TIMEOUT = { timeout: 10_000 };

/** What came of a talk. */
export interface Talk {
  readonly requests: number;
  readonly notifications: number;
  /** The results, in order. */
  readonly results: readonly unknown[];
}

/** The whole talk. Throws with a sentence where an answer is not what it should be. */
export async function talk(connected: Connected, print: Printer): Promise<Talk> {
  const { client, narrator } = connected;
  const results: unknown[] = [];
  try {
    results.push(await callTool(client), ...(await readDocument(client)));
    await leaveFolder(client);
    results.push(await fillPrompt(client));
  } finally {
    await connected.stop();
  }
  print.text('', 'The client closes the connection, and the server ends by itself.');
  const { requests, notifications } = narrator;
  return { requests, notifications, results };
}

async function callTool(client: Client): Promise<unknown> {
  const { tools } = await client.listTools({}, TIMEOUT);
  expect(tools[0]?.name === 'search', 'the list of tools has no search');
  const { structuredContent } = await client.callTool(
    { name: 'search', arguments: { query: QUERY, limit: 200 } },
    { ...TIMEOUT, onprogress: () => {} },
  );
  expect(
    typeof at(structuredContent, 'matches', 0, 'file') === 'string',
    `the search found nothing: is there a file with "${QUERY}" in the folder?`,
  );
  return structuredContent;
}

async function readDocument(client: Client): Promise<unknown[]> {
  const { resources } = await client.listResources({}, TIMEOUT);
  const uri = resources[0]?.uri ?? '';
  const { contents } = await client.readResource({ uri }, TIMEOUT);
  expect(typeof at(contents, 0, 'text') === 'string', `${uri} came without text`);
  return [resources, contents];
}

async function leaveFolder(client: Client): Promise<void> {
  const refusal: unknown = await client
    .readResource({ uri: 'docs:///%2e%2e/README.md' }, TIMEOUT)
    .catch((error: unknown) => error);
  expect(
    refusal instanceof ProtocolError && refusal.code === -32602,
    'a file outside of the folder was not refused',
  );
}

async function fillPrompt(client: Client): Promise<unknown> {
  const { completion } = await client.complete(
    { ref: { type: 'ref/prompt', name: 'explain' }, argument: { name: 'file', value: 'm' } },
    TIMEOUT,
  );
  const [file] = completion.values;
  expect(file !== undefined, 'nothing completes a file name that has an "m"');
  const { messages } = await client.getPrompt(
    { name: 'explain', arguments: { file, audience: 'a newcomer' } },
    TIMEOUT,
  );
  expect(messages.length === 2, 'the prompt came without the document');
  return messages;
}

function expect(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}
