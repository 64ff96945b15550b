import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { at } from '../support/messages.ts';

const ORDER = '.build/examples/order-server.js';

/** The part of the example that the README shows. */
test("the README's question is part of the example that the tests below run", () => {
  const [, snippet = ''] = /## Ask the user.*?```ts\n(.*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];
  const lines = snippet.split('\n').filter((line) => line.trim() !== '');
  assert.ok(lines.length > 5);
  const example = readFileSync('examples/order-server.ts', 'utf8').replaceAll(/^ +/gm, '');
  assert.ok(
    example.includes(lines.map((line) => line.trim()).join('\n')),
    'the README and the example differ',
  );
});

async function connect(
  t: TestContext,
  mode: 'legacy' | { pin: string },
  confirm: boolean,
): Promise<{ client: Client; asked: string[]; payments: () => number }> {
  const client = new Client(
    { name: 'example-test', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities: { elicitation: {} } },
  );
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: params.message.startsWith('Pay ') ? { confirm } : { stars: 5 } };
  });
  const transport = new StdioClientTransport({ command: process.execPath, args: [ORDER], stderr: 'pipe' });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += String(chunk);
  });
  await client.connect(transport);
  t.after(() => client.close());
  return {
    client,
    asked,
    payments: () => said.split('\n').filter((line) => line.startsWith('paid ')).length,
  };
}

for (const mode of [{ pin: '2026-07-28' }, 'legacy'] as const) {
  const revision = mode === 'legacy' ? '2025-11-25' : mode.pin;

  test(`the order example asks, pays once and asks again, revision ${revision}`, async (t) => {
    const { client, asked, payments } = await connect(t, mode, true);
    const result = await client.callTool({ name: 'place_order', arguments: { item: 'tea', quantity: 3 } });
    assert.equal(at(result, 'structuredContent', 'paid'), 12, JSON.stringify(result));
    assert.deepEqual(asked, ['Pay 12?', 'Paid 12. How was it?']);
    assert.equal(payments(), 1);
  });

  test(`the order example takes no for an answer, revision ${revision}`, async (t) => {
    const { client, asked, payments } = await connect(t, mode, false);
    const result = await client.callTool({ name: 'place_order', arguments: { item: 'tea', quantity: 3 } });
    assert.equal(result.isError, true);
    assert.equal(at(result, 'content', 0, 'text'), 'The user declined');
    assert.deepEqual(asked, ['Pay 12?']);
    assert.equal(payments(), 0);
  });
}
