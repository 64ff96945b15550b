import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListenEvent } from 'mcpwire/client';
import { PeerError } from 'mcpwire/client';
import { CONNECTIONS } from '../support/connections.ts';

for (const [way, connecting] of Object.entries(CONNECTIONS)) {
  test(`${way}: lists, calls, reads, prompts and completes`, async (t) => {
    const client = await connecting(t);
    assert.equal(client.serverInfo?.name, 'client-fixture');
    assert.equal(client.era, way.includes('legacy') || way === 'HTTP+SSE' ? 'legacy' : 'modern');
    const names = (await client.tools().all()).map((tool) => tool.name);
    assert.ok(names.includes('add') && names.includes('ask_name'), names.join());
    const sum = await client.call('add', { a: 1, b: 2 });
    assert.deepEqual(sum.structured, { sum: 3 });
    assert.equal(sum.text, '{"sum":3}');
    const failed = await client.call('fail');
    assert.ok(failed.isError);
    assert.equal(failed.text, 'as it should');
    const [content] = (await client.read('test://note')).contents;
    assert.ok(content !== undefined && 'text' in content);
    assert.equal(content.text, 'a note');
    assert.deepEqual(
      (await client.templates().all()).map((each) => each.uriTemplate),
      ['test://item/{id}'],
    );
    const prompt = await client.prompt('greet', { who: 'you' });
    assert.deepEqual(prompt.messages[0]?.content, { type: 'text', text: 'Hello you' });
    const completion = await client.complete(
      { type: 'ref/resource', uri: 'test://item/{id}' },
      { name: 'id', value: 't' },
    );
    assert.deepEqual(completion.values, ['two']);
    const discovered = await client.discover();
    assert.equal(discovered.instructions, 'Be gentle');
    assert.equal(client.pending, 0);
  });

  test(`${way}: an unknown tool and an unknown resource are errors of the peer [TOOL-28] [BASE-21]`, async (t) => {
    const client = await connecting(t);
    for (const asking of [client.call('nothing'), client.read('test://nothing')]) {
      await assert.rejects(asking, (error) => error instanceof PeerError && error.code === -32602);
    }
  });

  test(`${way}: questions of a tool are answered [MRTR-17] [MRTR-18] [MRTR-22]`, async (t) => {
    const asked: unknown[] = [];
    const client = await connecting(t, {
      onElicit: (question, { serverInfo }) => {
        asked.push(question.message, serverInfo?.name);
        return { action: 'accept', content: { name: 'Ada' } };
      },
      onSample: () => ({ role: 'assistant', content: { type: 'text', text: 'Ho' }, model: 'none' }),
      roots: () => [{ uri: 'file:///tmp' }],
    });
    const named = await client.call('ask_name');
    // The default that was left out is filled in (ELIC-15).
    assert.deepEqual(JSON.parse(named.text), { action: 'accept', content: { name: 'Ada', loud: true } });
    assert.deepEqual(asked, ['Your name?', 'client-fixture']);
    assert.deepEqual(JSON.parse((await client.call('ask_model')).text), { type: 'text', text: 'Ho' });
    assert.match((await client.call('ask_roots')).text, /file:\/\/\/tmp/);
  });

  test(`${way}: twenty calls that ask at once get their own answers`, async (t) => {
    let count = 0;
    const client = await connecting(t, {
      onElicit: () => ({ action: 'accept', content: { name: `n${count++}` } }),
    });
    const texts = await Promise.all(
      Array.from({ length: 20 }, async () => (await client.call('ask_name')).text),
    );
    assert.equal(new Set(texts).size, 20);
  });

  test(`${way}: progress and log messages are heard [PROG-02] [LOG-04]`, async (t) => {
    const heard: unknown[] = [];
    const client = await connecting(t, { onLog: ({ level, data }) => heard.push({ level, data }) });
    const result = await client.call(
      'steps',
      { count: 3 },
      { onProgress: ({ progress, total, message }) => heard.push([progress, total, message]) },
    );
    assert.equal(result.text, 'stepped');
    assert.deepEqual(
      heard.map((each) => (Array.isArray(each) ? each.slice(0, 2) : each)),
      [
        [1, 3],
        [2, 3],
        [3, 3],
      ],
    );
    heard.length = 0;
    await client.call('log');
    assert.deepEqual(heard, []);
    await client.call('log', {}, { logLevel: 'info' });
    assert.deepEqual(heard, [{ level: 'info', data: { hello: 'world' } }]);
  });

  test(`${way}: an aborted call ends at once with its reason, and the server hears of it [CANC-01]`, async (t) => {
    const client = await connecting(t);
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const waiting = client.call('wait', {}, { signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await assert.rejects(waiting, (error) => error === reason);
    assert.equal(client.pending, 0);
    assert.deepEqual((await client.call('add', { a: 2, b: 2 })).structured, { sum: 4 });
  });

  test(`${way}: a subscription hears of changes until it is left [SUB-06]`, async (t) => {
    const client = await connecting(t);
    const events: ListenEvent[] = [];
    const subscription = client.listen({ tools: true, resources: ['test://note'] });
    for await (const event of subscription) {
      events.push(event);
      if (event.type === 'acknowledged') await client.call('touch');
      if (event.type === 'resourceUpdated') await client.call('grow', { name: 'grown' });
      if (event.type === 'toolsListChanged') break;
    }
    assert.deepEqual(events, [
      {
        type: 'acknowledged',
        honored: { toolsListChanged: true, resourceSubscriptions: ['test://note'] },
      },
      { type: 'resourceUpdated', uri: 'test://note' },
      { type: 'toolsListChanged' },
    ]);
    const names = (await client.tools().all()).map((tool) => tool.name);
    assert.ok(names.includes('grown'));
    assert.equal(client.pending, 0);
  });

  test(`${way}: closing the client ends what is open with an error that says so`, async (t) => {
    const client = await connecting(t);
    const waiting = client.call('wait');
    const subscription = client.listen({ tools: true });
    const reading = (async () => {
      for await (const event of subscription) if (event.type === 'acknowledged') await client.close();
    })();
    await assert.rejects(waiting, { name: 'ConnectionClosedError' });
    await reading;
    await assert.rejects(client.call('add', { a: 1, b: 1 }), { name: 'ConnectionClosedError' });
    assert.equal(client.pending, 0);
  });
}
