import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { createServer } from '../server/create-server.ts';
import { toNodeHandler } from './to-node-handler.ts';

const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

/** What body parsers leave behind. */
const PARSERS: { readonly [name: string]: (bytes: Buffer) => unknown } = {
  JSON: (bytes): unknown => JSON.parse(bytes.toString()),
  text: (bytes) => bytes.toString(),
  bytes: (bytes) => bytes,
};

for (const [name, parse] of Object.entries(PARSERS)) {
  test(`a body that was parsed to ${name} is taken from request.body`, async (t) => {
    const { response } = await postBehind(t, async (request) => {
      Object.assign(request, { body: parse(await buffer(request)) });
    });
    assert.equal(response.status, 200);
    assert.equal(((await response.json()) as { result: { tools: unknown[] } }).result.tools.length, 1);
  });
}

test('a body that was read and left nowhere is refused, and the log says what to do', async (t) => {
  const { response, reports } = await postBehind(t, async (request) => {
    await buffer(request);
  });
  assert.equal(response.status, 500);
  assert.match(await response.text(), /log says how/);
  assert.equal(reports.length, 1);
  assert.match(reports[0] ?? '', /mount it before body parsers, or set request\.body/);
});

/** Posts to a server behind something that reads the body first. */
async function postBehind(
  t: TestContext,
  read: (request: IncomingMessage) => Promise<void>,
): Promise<{ response: Response; reports: string[] }> {
  const reports: string[] = [];
  const server = createServer({ name: 'test', version: '1.0.0' }).tool('any', {}, () => 'done');
  const handler = toNodeHandler(server, { report: ({ message }) => reports.push(message) });
  const http = createHttpServer((request, response) => {
    void read(request).then(() => handler(request, response));
  });
  t.after(() => http.close());
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const response = await fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/list',
    },
    body: BODY,
  });
  return { response, reports };
}
