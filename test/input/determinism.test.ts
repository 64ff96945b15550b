import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context, InputOptions } from 'mcpwire/server';
import type { Json } from '../support/messages.ts';
import { accept, callTool, converse, field, reportingServer, stateOf, text, wordsOf } from './rounds.ts';

const NAME = { message: 'Name?', schema: field('name') };
const ANN = accept({ name: 'Ann' });
const REPLY = { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' };
const HELLO = { role: 'user', content: { type: 'text', text: 'Hello' } } as const;

/** Runs a handler that is told which run it is in, until it ends. */
async function runs(
  handler: (context: Context, run: number) => Promise<unknown>,
  input: InputOptions = {},
): Promise<{ result: Json; words: string; rounds: readonly Json[] }> {
  const { server, reports } = reportingServer({ graceMs: 50, ...input });
  let run = 0;
  server.tool('t', {}, async (_args, context) => JSON.stringify((await handler(context, ++run)) ?? null));
  const { result, rounds } = await converse(server, 'tools/call', { name: 't' }, (key) =>
    key === 'model' ? REPLY : ANN,
  );
  return { result, words: wordsOf(reports), rounds };
}

const OTHERWISE: readonly (readonly [string, (context: Context, run: number) => Promise<unknown>, RegExp])[] =
  [
    [
      'another message',
      (context, run) => context.elicit('q', { ...NAME, message: `Name ${run}?` }),
      /the message of "q" is not what it was/,
    ],
    [
      'another schema',
      (context, run) => context.elicit('q', { ...NAME, schema: field(`name${run}`) }),
      /the schema of "q" is not what it was/,
    ],
    [
      'another URL',
      (context, run) => context.elicitUrl('q', { message: 'Go', url: `https://a.example/${run}` }),
      /the url of "q" is not what it was/,
    ],
    [
      'another kind of question',
      (context, run) =>
        run === 1
          ? context.elicit('q', NAME)
          : context.elicitUrl('q', { message: 'Name?', url: 'https://a.example' }),
      /the kind of question of "q" is not what it was/,
    ],
    [
      'other messages for the model',
      (context, run) => context.sample('q', { messages: [HELLO], maxTokens: run }),
      /the params of "q" is not what it was/,
    ],
    [
      'another key',
      (context, run) => context.elicit(`q${run}`, NAME),
      /it asks "q2" now, and did not come to elicit "q1" as it did before/,
    ],
    [
      'something new in front',
      async (context, run) => {
        if (run > 1) await context.elicit('new', NAME);
        await context.elicit('q', NAME);
      },
      /it asks "new" now, and did not come to elicit "q" as it did before/,
    ],
  ];

for (const [what, handler, words] of OTHERWISE) {
  test(`a run that asks ${what} fails with an error that names the key and the difference; the caller sees a neutral one`, async () => {
    const { result, words: reported } = await runs(handler);
    assert.equal(result['isError'], true);
    assert.match(text(result), /^The tool failed\./);
    assert.match(reported, /UsageError: the handler is not deterministic/);
    assert.match(reported, words);
  });
}

test('a handler that catches everything cannot go on from an ask that differs from its record', async () => {
  const { result, words } = await runs(async (context, run) => {
    await context.elicit('q', { ...NAME, message: `Name ${run}?` }).catch(() => {});
    return 'went on';
  });
  assert.equal(result['isError'], true);
  assert.match(words, /the message of "q" is not what it was/);
});

test('the same question in the same words is the same, whatever made it', async () => {
  const { result } = await runs(async (context) => {
    // Objects of their own in every run, with their members in the same order.
    await context.elicit('a', { message: ['Na', 'me?'].join(''), schema: field('name') });
    await context.sample('model', { messages: [structuredClone(HELLO)], maxTokens: 5 });
    return 'same';
  });
  assert.equal(text(result), '"same"');
});

test('a run that leaves out an ask and asks nothing new ends as it likes', async () => {
  const { result } = await runs(async (context, run) => {
    if (run === 1) await context.elicit('q', NAME);
    return 'the end';
  });
  assert.equal(text(result), '"the end"');
});

test('a run may leave out a step: it may have been part of another one', async () => {
  const { result } = await runs(async (context, run) => {
    if (run === 1) await context.step('extra', () => 1);
    await context.elicit('q', NAME);
    await context.elicit('r', NAME);
    return 'the end';
  });
  assert.equal(text(result), '"the end"');
});

test('branches that run side by side may come to their asks at different times in every run', async () => {
  const { result } = await runs(
    async (context, run) => {
      const branch = async (name: string, delays: readonly number[]): Promise<string> => {
        await pause(delays[run % delays.length]);
        const first = await context.elicit(`${name} 1`, NAME);
        await pause(delays[(run + 1) % delays.length]);
        const second = await context.elicit(`${name} 2`, NAME);
        return `${name} ${first.action} ${second.action}`;
      };
      return Promise.all([branch('a', [0, 15]), branch('b', [15, 0, 5]), branch('c', [1])]);
    },
    { graceMs: 2000 },
  );
  assert.deepEqual(JSON.parse(text(result)), ['a accept accept', 'b accept accept', 'c accept accept']);
});

test('a slow branch gets 5 seconds by default, and time in which a step runs does not count', async () => {
  const { result } = await runs(
    async (context) => {
      await Promise.all([
        pause(120).then(() => context.elicit('slow', NAME)),
        context.elicit('fast', NAME).then(async () => {
          // In the run in which both are known, what is new is asked while the slow one is still under way.
          await context.step('work', () => pause(200));
          await context.elicit('new', NAME);
        }),
      ]);
      return 'the end';
    },
    { graceMs: 5000 },
  );
  assert.equal(text(result), '"the end"');
});

for (const [what, ask] of [
  ['elicit', (context: Context) => context.elicit('again', NAME)],
  [
    'elicitUrl',
    (context: Context) => context.elicitUrl('again', { message: 'Go', url: 'https://a.example' }),
  ],
  ['roots', (context: Context) => context.roots('again')],
] as const) {
  test(`a key that is used twice is an error, one after the other and side by side: ${what}`, async () => {
    for (const handler of [
      async (context: Context) => {
        await context.elicit('again', NAME);
        await ask(context);
      },
      (context: Context) => Promise.all([context.elicit('again', NAME), ask(context)]),
    ]) {
      const { result, words } = await runs(handler);
      assert.equal(result['isError'], true);
      assert.match(words, /the key "again" is used twice/);
    }
  });
}

test('what is not deterministic in a prompt or a resource is -32603 without details', async () => {
  const { server, reports } = reportingServer({ graceMs: 20 });
  let run = 0;
  server
    .prompt('p', {}, async (_args, context) => (await context.elicit(`q${++run}`, NAME)).action)
    .resource('test://r', { name: 'r' }, async (context) => (await context.elicit(`q${++run}`, NAME)).action);
  for (const [method, params] of [
    ['prompts/get', { name: 'p' }],
    ['resources/read', { uri: 'test://r' }],
  ] as const) {
    await assert.rejects(
      converse(server, method, params, () => ANN),
      /not deterministic/,
    );
  }
  assert.deepEqual(reports, [], 'the transport reports it');
});

test('a state may be sent twice, and both go on from the same place', async () => {
  const { server } = reportingServer();
  server.tool('t', {}, async (_args, context) => {
    const one = await context.elicit('one', NAME);
    return JSON.stringify(one);
  });
  const requestState = stateOf(await callTool(server, 't'));
  const retry = (name: string): Promise<Json> =>
    callTool(server, 't', { inputResponses: { one: accept({ name }) }, requestState });
  const [a, b] = await Promise.all([retry('a'), retry('b')]);
  assert.deepEqual(
    [text(a), text(b)].map((said) => (JSON.parse(said) as Json)['content']),
    [{ name: 'a' }, { name: 'b' }],
  );
});
