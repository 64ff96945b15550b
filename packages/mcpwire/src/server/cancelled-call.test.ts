import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import type { McpRequest } from '../protocol/handler.ts';
import { toFetchHandler } from '../fetch/to-fetch-handler.ts';
import { createServer } from './create-server.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

test('a tool that stops when its caller gives up is no failure to report', async () => {
  const kinds: string[] = [];
  const server = createServer(
    { name: 'test', version: '1.0.0' },
    { report: (report) => kinds.push(report.kind) },
  ).tool('stop', {}, (_args, { signal }) => {
    signal.throwIfAborted();
  });
  const call: McpRequest = { method: 'tools/call', params: { name: 'stop', _meta: META } };
  const exchange = { notify: () => Promise.resolve(), caller: { transport: 'test' } };
  await server.handle(call, { ...exchange, signal: AbortSignal.abort() });
  assert.deepEqual(kinds, []);
});

test('a reader that stops when its HTTP client leaves is no failure to report', async () => {
  const kinds: string[] = [];
  const events = new EventEmitter();
  const started = once(events, 'started');
  const stopped = once(events, 'stopped');
  const server = createServer({ name: 'test', version: '1.0.0' }).resource(
    'test://slow',
    {},
    async ({ signal }) => {
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
        events.emit('started');
      });
      events.emit('stopped');
      throw signal.reason;
    },
  );
  const handler = toFetchHandler(server, { report: (report) => kinds.push(report.kind) });
  const client = new AbortController();
  void handler(
    new Request('http://localhost/mcp', {
      method: 'POST',
      signal: client.signal,
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'resources/read',
        'mcp-name': 'test://slow',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'resources/read',
        params: { uri: 'test://slow', _meta: META },
      }),
    }),
  );
  await started;
  client.abort();
  await stopped;
  await handler.close();
  assert.deepEqual(kinds, []);
});
