import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { after, before, describe, test } from 'node:test';
import { headersFor, HttpPeer } from '../support/http-peer.ts';
import { at, call, listAt, request } from '../support/messages.ts';
import { headerLines, openConnection, rawPost } from '../support/raw-http.ts';
import type { Mount } from './run-mount.ts';

export interface MountTraits {
  /** Whether a client that closes its connection is seen only when the connection is reset. */
  readonly seesOnlyResets?: boolean;
}

/** What every mount must do, whatever it is mounted in. */
export function testMount(name: string, start: () => Promise<Mount>, traits: MountTraits = {}): void {
  // Next builds first.
  describe(`mounted in ${name}`, { timeout: 90_000 }, () => {
    let mount: Mount;
    let peer: HttpPeer;
    before(async () => {
      mount = await start();
      peer = new HttpPeer(mount.port);
    });
    after(() => mount.stop());

    test('leaves other routes alone', async () => {
      const answer = await new HttpPeer(mount.port, '/health').send('GET', {});
      assert.deepEqual(answer.json, { ok: true });
    });

    test('lists the tools', async () => {
      const answer = await peer.post(request(1, 'tools/list'));
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['content-type'], 'application/json');
      assert.equal(listAt(answer.json, 'result', 'tools').length, 1);
      assert.equal(at(answer.json, 'result', 'tools', 0, 'name'), 'count');
    });

    test('answers a call as JSON where nobody asked for progress', async () => {
      const answer = await peer.post(call(1, 'count', { to: 3 }));
      assert.equal(answer.headers['content-type'], 'application/json');
      assert.deepEqual(at(answer.json, 'result', 'structuredContent'), { counted: 3 });
    });

    test('streams progress, then the result', async () => {
      const stream = await peer.open(call(1, 'count', { to: 3 }, { progressToken: 'p' }));
      for (const progress of [1, 2, 3]) {
        assert.deepEqual(await stream.next(), {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: 'p', progress, total: 3 },
        });
      }
      assert.deepEqual(at(await stream.next(), 'result', 'structuredContent'), { counted: 3 });
      assert.equal(await stream.ended, true);
    });

    test('answers to the hosts that it names, and to no other', async () => {
      const message = request(1, 'tools/list');
      assert.equal((await peer.post(message, { Host: 'mcp.example.com' })).status, 200);
      const refused = await peer.post(message, { Host: 'evil.example' });
      assert.equal(refused.status, 403);
      assert.match(refused.text, /evil\.example/);
    });

    test('serves clients of older revisions, from their handshake to their farewell', async () => {
      const client = new Client({ name: 'mount-test', version: '1.0.0' });
      const url = new URL(`http://127.0.0.1:${mount.port}/mcp`);
      const transport = new StreamableHTTPClientTransport(url);
      await client.connect(transport);
      assert.equal(client.getNegotiatedProtocolVersion(), '2025-11-25');
      const progress: number[] = [];
      const result = await client.callTool(
        { name: 'count', arguments: { to: 3 } },
        { onprogress: (report) => progress.push(report.progress) },
      );
      assert.deepEqual(result.structuredContent, { counted: 3 });
      assert.deepEqual(progress, [1, 2, 3]);
      await transport.terminateSession();
      await client.close();
    });

    test('[HTTP-22] stops a call whose stream the client leaves', async () => {
      const stream = await peer.open(call(1, 'count', { to: 9999 }, { progressToken: 'p' }));
      await stream.next();
      stream.close();
      await mount.line(/^stopped counting to 9999/);
    });

    test('stops a call whose client leaves before the answer', async () => {
      const message = call(1, 'count', { to: 9998 });
      const connection = await openConnection(mount.port);
      const headers = { Host: `localhost:${mount.port}`, ...headersFor(message) };
      connection.write(rawPost(headerLines(headers), JSON.stringify(message)));
      await mount.line(/^counting to 9998/);
      const closed = once(connection.socket, 'close');
      if (traits.seesOnlyResets === true) connection.socket.resetAndDestroy();
      else connection.close();
      await closed;
      await mount.line(/^stopped counting to 9998/);
    });
  });
}
