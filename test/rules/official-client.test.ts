import assert from 'node:assert/strict';
import process from 'node:process';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { rulesServer } from '../fixtures/rules-server.ts';
import { serve } from '../support/http-peer.ts';
import { at, VERSION } from '../support/messages.ts';

type Connect = (t: TestContext, client: Client) => Promise<void>;

const TRANSPORTS: { readonly [name: string]: Connect } = {
  async stdio(_t, client) {
    const file = fileURLToPath(new URL('../fixtures/run-rules-stdio.js', import.meta.url));
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [file], stderr: 'ignore' }),
    );
  },
  async http(t, client) {
    const peer = await serve(t, rulesServer());
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${peer.port}/mcp`)));
  },
};

for (const [name, connect] of Object.entries(TRANSPORTS)) {
  test(`the official client does its whole round over ${name} [BASE-01] [TRN-02] [VER-05] [HTTP-01]`, async (t) => {
    const client = new Client(
      { name: 'peer', version: '1' },
      { versionNegotiation: { mode: { pin: VERSION } }, capabilities: { roots: {} } },
    );
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home' }] }));
    await connect(t, client);
    t.after(() => client.close());

    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === 'echo'));
    const echoed = await client.callTool({ name: 'echo', arguments: { text: 'é世界😀\n' } });
    assert.equal(at(echoed, 'content', 0, 'text'), 'é世界😀\n');
    const measured = await client.callTool({ name: 'measure', arguments: {} });
    assert.deepEqual(measured.structuredContent, { length: 7 });
    const failed = await client.callTool({ name: 'throws_tool_error', arguments: {} });
    assert.equal(failed.isError, true);

    const told: unknown[] = [];
    const halfway = await client.callTool(
      { name: 'halfway', arguments: { key: 'a' } },
      {
        onprogress: (progress) => {
          told.push(progress);
          void client.callTool({ name: 'open_gate', arguments: { key: 'a' } });
        },
      },
    );
    assert.equal(at(halfway, 'content', 0, 'text'), 'there');
    assert.deepEqual(told, [{ progress: 1, total: 2, message: 'halfway' }]);

    const { contents } = await client.readResource({ uri: 'test://item/1' });
    assert.equal(at(contents, 0, 'text'), 'item 1');
    await assert.rejects(client.readResource({ uri: 'test://nowhere' }), { code: -32602 });
    const { messages } = await client.getPrompt({ name: 'greet', arguments: { name: 'Ann' } });
    assert.equal(at(messages, 0, 'content', 'text'), 'Greet Ann');
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'name', value: 'A' },
    });
    assert.equal(completion.values.length, 100);

    const asked = await client.callTool({
      name: 'ask',
      arguments: { inputRequests: { where: { method: 'roots/list' } } },
    });
    assert.match(String(at(asked, 'content', 0, 'text')), /^answered .*file:\/\/\/home/);
  });
}
