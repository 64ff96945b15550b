import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Server } from 'mcpwire/server';
import { createServer } from 'mcpwire/server';
import type { HttpPeer } from '../support/http-peer.ts';
import { serve } from '../support/http-peer.ts';
import { assertError, at, listAt, request } from '../support/messages.ts';
import { WIRES } from '../support/wires.ts';

const name = (index: number): string => `tool_${String(index).padStart(3, '0')}`;

function many(count: number, pageSize?: number): Server {
  const server = createServer({ name: 's', version: '1' }, pageSize === undefined ? {} : { pageSize });
  for (let index = 0; index < count; index++) server.tool(name(index), {}, () => '');
  return server;
}

async function page(peer: HttpPeer, cursor?: unknown): Promise<{ names: unknown[]; next: unknown }> {
  const { json } = await peer.post(request(1, 'tools/list', cursor === undefined ? {} : { cursor }));
  const names = listAt(json, 'result', 'tools').map((tool) => at(tool, 'name'));
  return { names, next: at(json, 'result', 'nextCursor') };
}

test('a list comes in pages of 100, in the order of definition, and the last has no cursor [PAGE-02] [TOOL-07]', async (t) => {
  const peer = await serve(t, many(250));
  const first = await page(peer);
  const second = await page(peer, first.next);
  const third = await page(peer, second.next);
  assert.deepEqual([first.names.length, second.names.length, third.names.length], [100, 100, 50]);
  assert.deepEqual(
    [...first.names, ...second.names, ...third.names],
    Array.from({ length: 250 }, (_, index) => name(index)),
  );
  assert.equal(typeof first.next, 'string');
  assert.equal(third.next, undefined);
  assert.deepEqual(await page(peer, first.next), second, 'a cursor may be used again');
});

test('a list that fills its page exactly has no cursor [PAGE-02]', async (t) => {
  assert.equal((await page(await serve(t, many(100)))).next, undefined);
  assert.notEqual((await page(await serve(t, many(101)))).next, undefined);
});

test('a cursor stays good when entries before it, or after it, are removed [PAGE-02]', async (t) => {
  const server = many(9, 3);
  const peer = await serve(t, server);
  const { next } = await page(peer);
  server.update((draft) => {
    draft.removeTool(name(0));
    draft.removeTool(name(1));
    draft.removeTool(name(4));
    draft.tool('added', {}, () => '');
  });
  const second = await page(peer, next);
  assert.deepEqual(second.names, [name(3), name(5), name(6)]);
  assert.deepEqual((await page(peer, second.next)).names, [name(7), name(8), 'added']);
});

test('a cursor whose own entry is gone is -32602: the client starts again [PAGE-03] [PAGE-08]', async (t) => {
  const server = many(9, 3);
  const peer = await serve(t, server);
  const { next } = await page(peer);
  server.update((draft) => draft.removeTool(name(2)));
  const answer = await peer.post(request(1, 'tools/list', { cursor: next }));
  assert.equal(answer.status, 400);
  assertError(answer.json, 1, -32602, /cursor/);
});

for (const [wire, start] of Object.entries(WIRES)) {
  test(`a cursor that no page gave is -32602 over ${wire} [PAGE-03] [PAGE-08]`, async (t) => {
    const peer = await start(t);
    const cursors = [
      '',
      'nonsense',
      'dG9vbF8wMDI',
      '!!!',
      '\u0000',
      'a'.repeat(100_000),
      5,
      0,
      null,
      {},
      [],
      true,
    ];
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
      for (const cursor of cursors) {
        assertError(await peer.ask(request(1, method, { cursor })), 1, -32602, /cursor/);
      }
    }
  });
}

test('a cursor of one list is none of another [PAGE-08]', async (t) => {
  const server = many(5, 2).prompt('p', {}, () => '');
  const peer = await serve(t, server);
  const { next } = await page(peer);
  assertError((await peer.post(request(1, 'prompts/list', { cursor: next }))).json, 1, -32602);
});

test('pages follow what a caller sees, and its cursors lead to nothing hidden [PAGE-02] [TOOL-32]', async (t) => {
  const server = many(4, 2);
  server.update((draft) => {
    for (let index = 4; index < 8; index++) {
      draft.tool(name(index), { visible: (caller) => caller.header?.('x-admin') === 'yes' }, () => '');
    }
  });
  const peer = await serve(t, server);
  const admin = { 'X-Admin': 'yes' };
  const all: unknown[] = [];
  let cursor: unknown;
  do {
    const { json } = await peer.post(request(1, 'tools/list', cursor === undefined ? {} : { cursor }), admin);
    all.push(...listAt(json, 'result', 'tools').map((tool) => at(tool, 'name')));
    cursor = at(json, 'result', 'nextCursor') ?? undefined;
    if (all.length === 6) {
      // The cursor names an entry that others don't see.
      assertError((await peer.post(request(1, 'tools/list', { cursor }))).json, 1, -32602);
    }
  } while (cursor !== undefined);
  assert.equal(all.length, 8);
  const first = await page(peer);
  assert.deepEqual((await page(peer, first.next)).names, [name(2), name(3)]);
  assert.equal((await page(peer, first.next)).next, undefined);
});
