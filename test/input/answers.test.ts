import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context, Server, ServerReport } from 'mcpwire/server';
import * as z from 'zod';
import type { Json } from '../support/messages.ts';
import { at } from '../support/messages.ts';
import {
  accept,
  callTool,
  converse,
  field,
  questionsOf,
  reportingServer,
  stateOf,
  text,
  wordsOf,
} from './rounds.ts';

const NAME = { message: 'Name?', schema: field('name') };
const HELLO = { role: 'user', content: { type: 'text', text: 'Hello' } } as const;

function tool(handler: (context: Context) => unknown): { server: Server; reports: ServerReport[] } {
  const made = reportingServer();
  made.server.tool('t', {}, async (_args, context) => JSON.stringify(await handler(context)));
  return made;
}

test('what is asked together is asked in one round, in the order it was asked [MRTR-05] [MRTR-06]', async () => {
  const { server } = tool((context) =>
    Promise.all([
      context.elicit('who', NAME),
      context.elicitUrl('page', { message: 'Log in', url: 'https://a.example/in' }),
      context.sample('model', { messages: [HELLO], maxTokens: 10 }),
      context.roots(),
    ]),
  );
  const first = await callTool(server, 't');
  assert.deepEqual(Object.entries(questionsOf(first)), [
    [
      'who',
      {
        method: 'elicitation/create',
        params: { mode: 'form', message: 'Name?', requestedSchema: field('name') },
      },
    ],
    [
      'page',
      {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Log in', url: 'https://a.example/in' },
      },
    ],
    ['model', { method: 'sampling/createMessage', params: { messages: [HELLO], maxTokens: 10 } }],
    ['roots', { method: 'roots/list' }],
  ]);
  const message = {
    role: 'assistant',
    content: { type: 'text', text: 'Hi' },
    model: 'm',
    stopReason: 'endTurn',
  };
  const roots = [{ uri: 'file:///a', name: 'a' }];
  const inputResponses = {
    who: accept({ name: 'Ann' }),
    page: { action: 'accept' },
    model: message,
    roots: { roots },
  };
  const result = await callTool(server, 't', { inputResponses, requestState: stateOf(first) });
  assert.deepEqual(JSON.parse(text(result)), [accept({ name: 'Ann' }), { action: 'accept' }, message, roots]);
});

test('a sampling with tools carries them, and the choice, and gives back the uses [SAMP-06]', async () => {
  const params = {
    messages: [HELLO],
    maxTokens: 10,
    systemPrompt: 'Be brief',
    temperature: 0.5,
    stopSequences: ['.'],
    modelPreferences: { hints: [{ name: 'small' }], speedPriority: 1 },
    tools: [{ name: 'weather', inputSchema: { type: 'object' } }],
    toolChoice: { mode: 'required' },
  } as const;
  const { server } = tool((context) => context.sample('model', params));
  const first = await callTool(server, 't');
  assert.deepEqual(at(questionsOf(first), 'model', 'params'), params);
  const use = { type: 'tool_use', id: 'u1', name: 'weather', input: { city: 'Ulm' } };
  const answer = { role: 'assistant', content: [use], model: 'm', stopReason: 'toolUse' };
  const result = await callTool(server, 't', {
    inputResponses: { model: answer },
    requestState: stateOf(first),
  });
  assert.deepEqual(JSON.parse(text(result)), answer);
});

test('a loop of samplings answers every use of a tool [SAMP-12] [SAMP-24]', async () => {
  const { server } = reportingServer();
  server.tool('t', {}, async (_args, context) => {
    const messages: Parameters<Context['sample']>[1]['messages'][number][] = [HELLO];
    for (let turn = 0; turn < 5; turn++) {
      const { role, content } = await context.sample(`turn-${turn}`, {
        messages,
        maxTokens: 10,
        tools: [{ name: 'weather', inputSchema: { type: 'object' } }],
      });
      const blocks = [content].flat();
      messages.push({ role, content });
      const uses = blocks.filter((block) => block.type === 'tool_use');
      if (uses.length === 0) return JSON.stringify(messages);
      messages.push({
        role: 'user',
        content: uses.map(({ id }) => ({
          type: 'tool_result' as const,
          toolUseId: id,
          content: [{ type: 'text' as const, text: 'sunny' }],
        })),
      });
    }
    return 'no end';
  });
  const use = { type: 'tool_use', id: 'u1', name: 'weather', input: {} };
  const { result, rounds } = await converse(server, 'tools/call', { name: 't' }, (key) => ({
    role: 'assistant',
    model: 'm',
    content: key === 'turn-0' ? [use] : { type: 'text', text: 'It is sunny' },
  }));
  assert.equal(rounds.length, 2);
  const said = JSON.parse(text(result)) as Json[];
  assert.deepEqual(at(said, 2, 'content', 0, 'toolUseId'), 'u1');
  assert.deepEqual(at(said, 3, 'content', 'text'), 'It is sunny');
});

for (const action of ['decline', 'cancel']) {
  test(`a ${action} is a value, and is remembered: it is never asked again [ELIC-28] [ELIC-29]`, async () => {
    const seen: unknown[] = [];
    const { server } = tool(async (context) => {
      seen.push(await context.elicit('form', NAME));
      seen.push(await context.elicitUrl('page', { message: 'Go', url: 'https://a.example/' }));
      await context.elicit('last', NAME);
      return 'done';
    });
    const { rounds } = await converse(server, 'tools/call', { name: 't' }, (key) =>
      key === 'last' ? accept({ name: 'x' }) : { action, content: { name: 'of no use' } },
    );
    assert.deepEqual(
      rounds.map((round) => Object.keys(round)),
      [['form'], ['page'], ['last']],
    );
    assert.deepEqual(seen.at(-1), { action });
    for (const value of seen) assert.deepEqual(value, { action });
  });
}

const BAD: readonly (readonly [string, unknown, RegExp])[] = [
  ['form', accept({}), /name/],
  ['form', accept({ name: 5 }), /name/],
  ['form', { action: 'accept' }, /name/],
  ['form', { action: 'accept', content: 'x' }, /./],
  ['form', { action: 'maybe' }, /no action/],
  ['form', 'yes', /no action/],
  ['form', null, /no action/],
  ['page', { action: 1 }, /no action/],
];

test('an answer that is no good is asked again, with the reason, and the handler never sees it [MRTR-23] [ELIC-47]', async () => {
  for (const [key, bad, reason] of BAD) {
    let seen = 0;
    const { server } = tool(async (context) => {
      if (key === 'form') await context.elicit('form', NAME);
      else await context.elicitUrl('page', { message: 'Name?', url: 'https://a.example/' });
      seen++;
      return 'done';
    });
    const first = await callTool(server, 't');
    const again = await callTool(server, 't', {
      inputResponses: { [key]: bad },
      requestState: stateOf(first),
    });
    const message = String(at(questionsOf(again), key, 'params', 'message'));
    assert.match(message, /^Name\?\n\n\(The answer before could not be used: /);
    assert.match(message, reason);
    assert.equal(seen, 0);
    const good = { [key]: accept({ name: 'Ann' }) };
    await callTool(server, 't', { inputResponses: good, requestState: stateOf(again) });
    assert.equal(seen, 1);
  }
});

test('a message or a root that is none is asked again [SAMP-22]', async () => {
  const line = { type: 'text', text: 'x' };
  const good = { role: 'assistant', content: line, model: 'm' };
  const messages = [
    'x',
    { ...good, role: 'system' },
    { ...good, model: 5 },
    { ...good, content: 'x' },
    { ...good, content: {} },
    { ...good, content: [] },
    { ...good, stopReason: 5 },
    { ...good, content: [line, { type: 'text' }] },
    { ...good, content: { type: 'image', data: '!', mimeType: 'image/png' } },
  ];
  const { server } = tool((context) => context.sample('q', { messages: [HELLO], maxTokens: 1 }));
  for (const q of messages) questionsOf(await callTool(server, 't', { inputResponses: { q } }));
  const { server: other } = tool((context) => context.roots('q'));
  const lists = [{}, [5], [{ name: 'a' }], [{ uri: 'nonsense' }], [{ uri: 'file:///a', name: 7 }]];
  for (const q of [[], {}, ...lists.map((roots) => ({ roots }))]) {
    questionsOf(await callTool(other, 't', { inputResponses: { q } }));
  }
});

test('asking again ends: after three bad answers the call is -32602 with the reason, by default', async () => {
  for (const maxRefusals of [undefined, 1, 5]) {
    const { server } = reportingServer(maxRefusals === undefined ? {} : { maxRefusals });
    server.tool('t', {}, async (_args, context) => JSON.stringify(await context.elicit('form', NAME)));
    let asked = 0;
    await assert.rejects(
      converse(server, 'tools/call', { name: 't' }, () => {
        asked++;
        return accept({ name: 5 });
      }),
      { code: -32602, message: /the answer to "form" is no good: name/ },
    );
    assert.equal(asked, maxRefusals ?? 3);
  }
});

test('a handler that catches its last bad answer cannot answer in its place', async () => {
  const { server } = reportingServer();
  server.tool('t', {}, async (_args, context) => {
    await context.elicit('form', NAME).catch(() => {});
    return 'went on';
  });
  await assert.rejects(
    converse(server, 'tools/call', { name: 't' }, () => accept({ name: 5 })),
    { code: -32602, message: /the answer to "form" is no good: name/ },
  );
});

test('answers that are missing are asked for again, the others are kept [MRTR-26]', async () => {
  const { server } = tool((context) =>
    Promise.all(['a', 'b', 'c'].map((key) => context.elicit(key, { ...NAME, message: key }))),
  );
  const first = await callTool(server, 't');
  const second = await callTool(server, 't', {
    inputResponses: { b: accept({ name: 'B' }) },
    requestState: stateOf(first),
  });
  assert.deepEqual(Object.keys(questionsOf(second)), ['a', 'c']);
  const third = await callTool(server, 't', { requestState: stateOf(second) });
  assert.deepEqual(Object.keys(questionsOf(third)), ['a', 'c']);
  const last = await callTool(server, 't', {
    inputResponses: { a: { action: 'decline' }, c: accept({ name: 'C' }) },
    requestState: stateOf(third),
  });
  assert.deepEqual(JSON.parse(text(last)), [
    { action: 'decline' },
    accept({ name: 'B' }),
    accept({ name: 'C' }),
  ]);
});

test('an answer that takes long to check is part of its round, good or bad', async () => {
  const schema = z.object({
    name: z.string().refine(async (name) => {
      await pause(20);
      return name !== 'bad';
    }, 'is bad'),
  });
  const { server } = tool((context) =>
    Promise.all([context.elicit('slow', { message: 'Name?', schema }), context.elicit('other', NAME)]),
  );
  const first = await callTool(server, 't');
  const bad = await callTool(server, 't', {
    inputResponses: { slow: accept({ name: 'bad' }) },
    requestState: stateOf(first),
  });
  assert.deepEqual(Object.keys(questionsOf(bad)).toSorted(), ['other', 'slow']);
  const good = await callTool(server, 't', {
    inputResponses: { slow: accept({ name: 'good' }) },
    requestState: stateOf(bad),
  });
  assert.deepEqual(Object.keys(questionsOf(good)), ['other']);
  const last = await callTool(server, 't', {
    inputResponses: { other: accept({ name: 'x' }) },
    requestState: stateOf(good),
  });
  assert.equal(last['resultType'], 'complete');
});

test('answers to what was never asked are ignored, whatever they are called [MRTR-25]', async () => {
  const { server } = tool((context) => context.elicit('form', NAME));
  const first = await callTool(server, 't');
  const odd = JSON.parse(
    '{"__proto__":{"form":1},"constructor":5,"step quote":{"price":0},"other":{"action":"accept"}}',
  ) as Json;
  const second = await callTool(server, 't', { inputResponses: odd, requestState: stateOf(first) });
  assert.deepEqual(Object.keys(questionsOf(second)), ['form']);
  const last = await callTool(server, 't', {
    inputResponses: { ...odd, form: accept({ name: 'Ann' }) },
    requestState: stateOf(second),
  });
  assert.deepEqual(JSON.parse(text(last)), accept({ name: 'Ann' }));
});

test('an answer can not stand in for the result of a step', async () => {
  let quotes = 0;
  const { server } = tool(async (context) => {
    const price = await context.step('quote', () => ++quotes + 41);
    await context.elicit('form', NAME);
    return price;
  });
  const inputResponses = { quote: 0, 'step quote': 0, form: accept({ name: 'Ann' }) };
  assert.equal(text(await callTool(server, 't', { inputResponses })), '42');
});

test('answers may come with the first request already: they are checked like any other', async () => {
  const { server } = tool((context) => context.elicit('form', NAME));
  const good = await callTool(server, 't', { inputResponses: { form: accept({ name: 'Ann' }) } });
  assert.deepEqual(JSON.parse(text(good)), accept({ name: 'Ann' }));
  const bad = await callTool(server, 't', { inputResponses: { form: accept({ name: 5 }) } });
  assert.match(String(at(questionsOf(bad), 'form', 'params', 'message')), /could not be used/);
});

test('a handler may change what it got: the record does not change with it', async () => {
  const seen: string[] = [];
  const { server } = tool(async (context) => {
    const roots = (await context.roots()) as unknown[];
    seen.push(JSON.stringify(roots));
    roots.length = 0;
    await context.elicit('one', NAME);
    await context.elicit('two', NAME);
    return 'done';
  });
  await converse(server, 'tools/call', { name: 't' }, (key) =>
    key === 'roots' ? { roots: [{ uri: 'file:///a' }] } : accept({ name: 'x' }),
  );
  assert.deepEqual(new Set(seen), new Set(['[{"uri":"file:///a"}]']));
});

test('what is wrong with a question is found before it is asked [ELIC-11] [ELIC-17]', async () => {
  const wrong: readonly (readonly [(context: Context) => Promise<unknown>, RegExp])[] = [
    [
      (context) => context.elicitUrl('q', { message: 'Go', url: 'nowhere' }),
      /"q" can't be asked: params\.url/,
    ],
    [
      (context) => context.elicit('q', { schema: field('a') } as never),
      /"q" can't be asked: params\.message/,
    ],
    [(context) => context.sample('q', { messages: [] } as never), /"q" can't be asked: params\.maxTokens/],
    [
      (context) =>
        context.sample('q', {
          maxTokens: 1,
          messages: [{ role: 'system', content: HELLO.content }],
        } as never),
      /"q" can't be asked: params\.messages\[0\]\.role/,
    ],
  ];
  for (const [ask, words] of wrong) {
    const { server, reports } = tool(ask);
    assert.equal((await callTool(server, 't'))['isError'], true);
    assert.match(wordsOf(reports), words);
  }
});
