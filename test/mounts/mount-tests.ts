import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ask, events, send } from './mcp-request.ts';
import type { Mount } from './run-mount.ts';

const COUNT = { method: 'tools/call', params: { name: 'count', arguments: { to: 3 } } };
const COUNT_LONG = { method: 'tools/call', params: { name: 'count', arguments: { to: 9_999 } } };

export interface MountTraits {
  /** Whether a client that closes its connection is seen only when the connection is reset. */
  readonly seesOnlyResets?: boolean;
}

/** What every mount must do, whatever it is mounted in. */
export function testMount(name: string, start: () => Promise<Mount>, traits: MountTraits = {}): void {
  describe(`mounted in ${name}`, { timeout: 90_000 }, () => {
    let mount: Mount;
    before(async () => {
      mount = await start();
    });
    after(() => mount.stop());

    test('leaves other routes alone', async () => {
      const response = await fetch(`http://localhost:${mount.port}/health`);
      assert.deepEqual(await response.json(), { ok: true });
    });

    test('lists the tools', async () => {
      const answer = await ask(mount.port, { method: 'tools/list' });
      assert.equal(answer.status, 200);
      assert.equal(answer.type, 'application/json');
      const { result } = JSON.parse(answer.text) as { result: { tools: readonly { name: string }[] } };
      assert.deepEqual(
        result.tools.map((tool) => tool.name),
        ['count'],
      );
    });

    test('answers a call as JSON where nobody asked for progress (HTTP-14)', async () => {
      const answer = await ask(mount.port, COUNT);
      assert.equal(answer.type, 'application/json');
      assert.deepEqual(structured(JSON.parse(answer.text)), { counted: 3 });
    });

    test('streams progress, then the result (PROG-03)', async () => {
      const answer = await ask(mount.port, { ...COUNT, progressToken: 'p' });
      assert.equal(answer.status, 200);
      assert.equal(answer.type, 'text/event-stream');
      const messages = events(answer.text);
      assert.deepEqual(
        messages.slice(0, 3),
        [1, 2, 3].map((progress) => ({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: 'p', progress, total: 3 },
        })),
      );
      assert.equal(messages.length, 4);
      assert.deepEqual(structured(messages[3]), { counted: 3 });
    });

    test('answers to the hosts that it names, and to no other (HTTP-02)', async () => {
      assert.equal((await ask(mount.port, { ...COUNT, host: 'mcp.example.com' })).status, 200);
      const refused = await ask(mount.port, { ...COUNT, host: 'evil.example' });
      assert.equal(refused.status, 403);
      assert.match(refused.text, /evil\.example/);
    });

    test('answers GET with 405', async () => {
      const response = await fetch(`http://localhost:${mount.port}/mcp`);
      assert.equal(response.status, 405);
      assert.equal(response.headers.get('allow'), 'POST');
      assert.match(await response.text(), /POST/);
    });

    test('stops a call whose stream the client leaves (HTTP-22)', async () => {
      const { request, response } = send(mount.port, { ...COUNT_LONG, progressToken: 'p' });
      const stream = await response;
      await new Promise((resolve) => stream.once('data', resolve));
      request.destroy();
      await mount.line(/^stopped counting to 9999/);
    });

    test('stops a call whose client leaves before the answer (HTTP-22)', async () => {
      const { request, response } = send(mount.port, {
        ...COUNT_LONG,
        params: { ...COUNT_LONG.params, arguments: { to: 9_998 } },
      });
      await mount.line(/^counting to 9998/);
      if (traits.seesOnlyResets === true) request.socket?.resetAndDestroy();
      else request.destroy();
      await assert.rejects(response);
      await mount.line(/^stopped counting to 9998/);
    });
  });
}

function structured(message: unknown): unknown {
  return (message as { result?: { structuredContent?: unknown } }).result?.structuredContent;
}
