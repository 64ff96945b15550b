import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CacheHint, Server } from 'mcpwire/server';
import { createServer } from 'mcpwire/server';
import { serve } from '../support/http-peer.ts';
import type { HttpPeer } from '../support/http-peer.ts';
import { at, call, CLIENT_CAPABILITIES, request } from '../support/messages.ts';
import { WIRES } from '../support/wires.ts';

const CACHEABLE = [
  request(1, 'server/discover'),
  request(2, 'tools/list'),
  request(3, 'prompts/list'),
  request(4, 'resources/list'),
  request(5, 'resources/templates/list'),
  request(6, 'resources/read', { uri: 'test://text' }),
  request(7, 'resources/read', { uri: 'test://item/1' }),
];

for (const [wire, start] of Object.entries(WIRES)) {
  test(`every cacheable result says for how long and for whom over ${wire}: stale at once and private by default [CACHE-01] [CACHE-02] [CACHE-03] [CACHE-04] [CACHE-05] [CACHE-06] [CACHE-14] [CACHE-15]`, async (t) => {
    const peer = await start(t);
    for (const message of CACHEABLE) {
      const answer = await peer.ask(message);
      assert.strictEqual(at(answer, 'result', 'ttlMs'), 0);
      assert.equal(at(answer, 'result', 'cacheScope'), 'private');
    }
  });

  test(`a question carries no caching hints over ${wire} [CACHE-07]`, async (t) => {
    const peer = await start(t);
    const able = { [CLIENT_CAPABILITIES]: { roots: {} } };
    const questions = [
      request(1, 'resources/read', { uri: 'test://asks' }, able),
      request(2, 'prompts/get', { name: 'asks' }, able),
      call(3, 'ask', { requestState: 's', ttlMs: 5, cacheScope: 'public' }, able),
    ];
    for (const message of questions) {
      const answer = await peer.ask(message);
      assert.equal(at(answer, 'result', 'resultType'), 'input_required');
      assert.equal(at(answer, 'result', 'ttlMs'), undefined);
      assert.equal(at(answer, 'result', 'cacheScope'), undefined);
    }
  });
}

const INFO = { name: 's', version: '1' };
const PUBLIC: CacheHint = { ttlMs: 60_000, scope: 'public' };

async function hint(peer: HttpPeer, method: string, params: object = {}): Promise<unknown> {
  const { json } = await peer.post(request(1, method, { ...params }));
  return [at(json, 'result', 'ttlMs'), at(json, 'result', 'cacheScope')];
}

test('hints are what the author says, for the lists and for each resource [CACHE-14] [CACHE-15]', async (t) => {
  const server = createServer(INFO, { cache: { ttlMs: 1000 } })
    .resource('a:plain', {}, () => '')
    .resource('a:cached', { cache: PUBLIC }, () => '');
  const peer = await serve(t, server);
  assert.deepEqual(await hint(peer, 'server/discover'), [1000, 'private']);
  assert.deepEqual(await hint(peer, 'resources/list'), [1000, 'private']);
  assert.deepEqual(await hint(peer, 'resources/read', { uri: 'a:plain' }), [0, 'private']);
  assert.deepEqual(await hint(peer, 'resources/read', { uri: 'a:cached' }), [60_000, 'public']);
});

test('a time to live that is no integer of milliseconds, or a scope that nobody knows, is refused where it is said [CACHE-14] [CACHE-15]', () => {
  for (const ttlMs of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    assert.throws(() => createServer(INFO, { cache: { ttlMs } }), RangeError);
    assert.throws(() => createServer(INFO).resource('a:b', { cache: { ttlMs } }, () => ''), RangeError);
  }
  const scope = 'shared' as 'public';
  assert.throws(() => createServer(INFO, { cache: { ttlMs: 1, scope } }), RangeError);
});

/** A server with three tools and resources, some for admins only. */
function mixed(visible: boolean): Server {
  const options = visible ? { visible: () => true } : {};
  return createServer(INFO, { cache: PUBLIC, pageSize: 1 })
    .tool('a', {}, () => '')
    .tool('b', options, () => '')
    .tool('c', {}, () => '')
    .resource('a:a', { cache: PUBLIC, ...options }, () => 'x')
    .resource('a:b', {}, () => '');
}

async function scopes(peer: HttpPeer, method: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  let cursor: unknown;
  do {
    const { json } = await peer.post(request(1, method, cursor === undefined ? {} : { cursor }));
    found.push(at(json, 'result', 'cacheScope'));
    cursor = at(json, 'result', 'nextCursor');
  } while (cursor !== undefined);
  return found;
}

test('all pages of a list have one scope [CACHE-24]', async (t) => {
  const peer = await serve(t, mixed(false));
  assert.deepEqual(await scopes(peer, 'tools/list'), ['public', 'public', 'public']);
  assert.deepEqual(await scopes(peer, 'resources/list'), ['public', 'public']);
});

test('a list or a resource that not everyone sees is private, whatever was said: a shared cache would show it to all [CACHE-24] [CACHE-26] [CACHE-27]', async (t) => {
  const peer = await serve(t, mixed(true));
  assert.deepEqual(await scopes(peer, 'tools/list'), ['private', 'private', 'private']);
  assert.deepEqual(await scopes(peer, 'resources/list'), ['private', 'private']);
  assert.deepEqual(await hint(peer, 'resources/read', { uri: 'a:a' }), [60_000, 'private']);
});
