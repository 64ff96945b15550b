import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { McpRequest } from 'mcpwire';
import { docsServer } from '../../examples/docs-server/docs-server.ts';
import type { Folder } from '../../examples/docs-server/folder.ts';

test('a search stops reading when the caller gives up', async () => {
  const read: string[] = [];
  const folder: Folder = {
    list: () => Promise.resolve(['a.md', 'b.md', 'c.md']),
    read(path, signal) {
      signal?.throwIfAborted();
      read.push(path);
      return Promise.resolve('text');
    },
  };
  const controller = new AbortController();
  const answer = await docsServer(folder).handle(SEARCH, {
    signal: controller.signal,
    notify: () => Promise.resolve(controller.abort()),
    caller: { transport: 'test' },
  });
  assert.equal(answer['isError'], true);
  assert.deepEqual(read, ['a.md']);
});

const SEARCH: McpRequest = {
  method: 'tools/call',
  params: {
    name: 'search',
    arguments: { query: 'x' },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      progressToken: 1,
    },
  },
};
