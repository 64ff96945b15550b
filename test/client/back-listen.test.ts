import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { LegacyServer } from '../../packages/mcpwire/src/legacy/back/connect-legacy.ts';
import { SessionLostError } from '../../packages/mcpwire/src/transport/client/errors.ts';
import { defer } from '../support/defer.ts';
import type { Connected, Options } from '../support/legacy-back.ts';
import { ask, EVERYTHING, ScriptedServer } from '../support/legacy-back.ts';
import type { Json } from '../support/messages.ts';
import { at, SERVER_INFO } from '../support/messages.ts';
import { Queue } from '../support/queue.ts';

/** A subscription and what it hears. */
class Subscription {
  readonly #heard = new Queue<Json>();
  readonly #leaving = new AbortController();
  readonly result: Promise<Json>;

  constructor(server: LegacyServer, notifications: Json) {
    this.result = ask(
      server,
      'subscriptions/listen',
      { notifications },
      { signal: this.#leaving.signal, notify: (notification) => this.#heard.push(notification) },
    );
    this.result.catch(() => {});
  }

  next(): Promise<Json> {
    return this.#heard.next();
  }

  rest(): readonly Json[] {
    return this.#heard.rest();
  }

  /** The acknowledged filter. */
  async acknowledged(): Promise<unknown> {
    const { method, params } = await this.next();
    assert.equal(method, 'notifications/subscriptions/acknowledged');
    return at(params, 'notifications');
  }

  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.result;
  }
}

const start = async (
  t: TestContext,
  options: Options = {},
  capabilities: Json = EVERYTHING,
): Promise<Connected & { peer: ScriptedServer }> => {
  const peer = new ScriptedServer();
  return { peer, ...(await peer.connect(t, options, { capabilities })) };
};

const updated = (uri: string): Json => ({ method: 'notifications/resources/updated', params: { uri } });
const changed = (list: string): Json => ({ method: `notifications/${list}/list_changed`, params: {} });

test('a subscription is acknowledged with what the server tells of, then hears of exactly that [SUB-01] [SUB-02] [SUB-04]', async (t) => {
  const { peer, server } = await start(t);
  const one = new Subscription(server, { toolsListChanged: true, promptsListChanged: false });
  const two = new Subscription(server, { promptsListChanged: true, resourcesListChanged: true });
  assert.deepEqual(await one.acknowledged(), { toolsListChanged: true });
  assert.deepEqual(await two.acknowledged(), { promptsListChanged: true, resourcesListChanged: true });
  for (const list of ['tools', 'prompts', 'resources']) peer.say(`notifications/${list}/list_changed`);
  assert.deepEqual(await one.next(), changed('tools'));
  assert.deepEqual([await two.next(), await two.next()], [changed('prompts'), changed('resources')]);
  await one.leave();
  peer.say('notifications/tools/list_changed');
  assert.deepEqual([...one.rest(), ...two.rest()], []);
  await two.leave();
});

test('what the server does not declare is not promised, and nothing at all ends at once [SUB-04] [SUB-08]', async (t) => {
  const { server } = await start(
    t,
    {},
    { tools: {}, resources: { subscribe: false }, prompts: { listChanged: true } },
  );
  const all = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ['a:b'] };
  const some = new Subscription(server, all);
  assert.deepEqual(await some.acknowledged(), { promptsListChanged: true });
  const none = new Subscription(server, { toolsListChanged: true });
  assert.deepEqual(await none.acknowledged(), {});
  assert.deepEqual(await none.result, {
    resultType: 'complete',
    _meta: { [SERVER_INFO]: { name: 'scripted', version: '9' } },
  });
  await some.leave();
});

test('a filter that is none is refused [SUB-06]', async (t) => {
  const { server } = await start(t, { bounds: { maxWatchedResources: 1 } });
  for (const filter of [undefined, 'all', { resourceSubscriptions: 'a' }, { resourceSubscriptions: [1] }]) {
    await assert.rejects(ask(server, 'subscriptions/listen', { notifications: filter }), { code: -32602 });
  }
  const notifications = { resourceSubscriptions: ['a:1', 'a:2'] };
  await assert.rejects(ask(server, 'subscriptions/listen', { notifications }), /at most 1/);
});

test('a resource is subscribed to once, however many watch it, and unsubscribed from a little after the last', async (t) => {
  const { peer, server } = await start(t, { bounds: { lingerMs: 1 } });
  const one = new Subscription(server, { resourceSubscriptions: ['a:1', 'a:1'] });
  const first = await peer.request('resources/subscribe');
  assert.deepEqual(first['params'], { uri: 'a:1' });
  const two = new Subscription(server, { resourceSubscriptions: ['a:1', 'a:2'] });
  const second = await peer.request('resources/subscribe');
  assert.deepEqual(second['params'], { uri: 'a:2' });
  // What comes before the acknowledgement is told after it.
  peer.say('notifications/resources/updated', { uri: 'a:1' });
  peer.answer(first, {});
  peer.answer(second, {});
  assert.deepEqual(await one.acknowledged(), { resourceSubscriptions: ['a:1'] });
  assert.deepEqual(await one.next(), updated('a:1'));
  assert.deepEqual(await two.acknowledged(), { resourceSubscriptions: ['a:1', 'a:2'] });
  assert.deepEqual(await two.next(), updated('a:1'));
  await one.leave();
  await two.leave();
  const gone = [await peer.request('resources/unsubscribe'), await peer.request('resources/unsubscribe')];
  assert.deepEqual(gone.map(({ params }) => String(at(params, 'uri'))).toSorted(), ['a:1', 'a:2']);
  // Whoever comes meanwhile waits until the one is done before the other is begun.
  const three = new Subscription(server, { resourceSubscriptions: ['a:1'] });
  for (const each of gone) peer.answer(each, {});
  peer.answer(await peer.request('resources/subscribe'), {});
  assert.deepEqual(await three.acknowledged(), { resourceSubscriptions: ['a:1'] });
  await three.leave();
});

test('whoever comes back in time finds its resources still subscribed to', async (t) => {
  const { peer, server } = await start(t);
  const one = new Subscription(server, { resourceSubscriptions: ['a:1'] });
  peer.answer(await peer.request('resources/subscribe'), {});
  await one.acknowledged();
  await one.leave();
  const two = new Subscription(server, { resourceSubscriptions: ['a:1'] });
  assert.deepEqual(await two.acknowledged(), { resourceSubscriptions: ['a:1'] });
  assert.deepEqual(peer.rest(), []);
  await two.leave();
});

test('a resource whose subscription is refused, or not answered, is left out and reported [SUB-04]', async (t) => {
  const { peer, server, reports } = await start(t, { bounds: { ownRequestMs: 10 } });
  const one = new Subscription(server, {
    toolsListChanged: true,
    resourceSubscriptions: ['a:1', 'a:2', 'a:3'],
  });
  peer.answer(await peer.request('resources/subscribe'), {});
  peer.refuse(await peer.request('resources/subscribe'), -32602);
  await peer.request('resources/subscribe');
  assert.deepEqual(await one.acknowledged(), { toolsListChanged: true, resourceSubscriptions: ['a:1'] });
  assert.deepEqual(
    reports.map(({ kind }) => kind),
    ['subscribe-refused'],
  );
  for (const uri of ['a:3', 'a:2', 'a:1']) peer.say('notifications/resources/updated', { uri });
  assert.deepEqual(await one.next(), updated('a:1'));
  await one.leave();
});

test('a slow reader hears of each change once, not of every one', async (t) => {
  const { peer, server } = await start(t);
  const gate = defer<undefined>();
  const heard: unknown[] = [];
  const leaving = new AbortController();
  const done = defer<undefined>();
  const listening = ask(
    server,
    'subscriptions/listen',
    { notifications: { toolsListChanged: true, promptsListChanged: true } },
    {
      signal: leaving.signal,
      notify: async ({ method }) => {
        heard.push(method);
        if (heard.length === 1) await gate.promise;
        if (heard.length === 3) done.resolve(undefined);
      },
    },
  );
  for (let count = 0; count < 100; count++) {
    peer.say('notifications/tools/list_changed');
    peer.say('notifications/prompts/list_changed');
  }
  gate.resolve(undefined);
  await done.promise;
  leaving.abort();
  await listening;
  assert.deepEqual(heard.slice(1), [
    'notifications/tools/list_changed',
    'notifications/prompts/list_changed',
  ]);
});

test('after a lost session everything is subscribed to again and may have changed', async (t) => {
  const { peer, server } = await start(t);
  const one = new Subscription(server, { toolsListChanged: true, resourceSubscriptions: ['a:1'] });
  peer.answer(await peer.request('resources/subscribe'), {});
  await one.acknowledged();
  const listing = ask(server, 'tools/list');
  peer.link.fail((await peer.request('tools/list'))['id'], new SessionLostError('404'));
  await peer.shakeHands();
  const sent = [await peer.next(), await peer.next()];
  for (const message of sent) {
    peer.answer(message, message['method'] === 'tools/list' ? { tools: [] } : {});
  }
  assert.deepEqual(sent.map(({ method }) => String(method)).toSorted(), [
    'resources/subscribe',
    'tools/list',
  ]);
  await listing;
  assert.deepEqual([await one.next(), await one.next()], [changed('tools'), updated('a:1')]);
  await one.leave();
});

test('subscriptions end with their result when the connection ends, by whichever side [SUB-08]', async (t) => {
  for (const how of ['close', 'break'] as const) {
    const { peer, server } = await start(t);
    const one = new Subscription(server, { toolsListChanged: true });
    await one.acknowledged();
    if (how === 'close') await server.close();
    else peer.link.break(new Error('gone'));
    assert.equal((await one.result)['resultType'], 'complete');
  }
});

test('subscriptions are bounded, and one whose reader fails ends with that', async (t) => {
  const { peer, server } = await start(t, { bounds: { maxListens: 1 } });
  const failing = ask(
    server,
    'subscriptions/listen',
    { notifications: { toolsListChanged: true } },
    {
      notify: ({ method }) => {
        if (method === 'notifications/tools/list_changed') throw new Error('the reader is gone');
      },
    },
  );
  const refused = new Subscription(server, { toolsListChanged: true });
  await assert.rejects(refused.result, /at most 1/);
  peer.say('notifications/tools/list_changed');
  await assert.rejects(failing, /the reader is gone/);
});
