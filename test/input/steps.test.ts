import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from 'mcpwire/server';
import type { Json } from '../support/messages.ts';
import { accept, callTool, converse, field, questionsOf, reportingServer, text, wordsOf } from './rounds.ts';

const NAME = { message: 'Name?', schema: field('name') };
const ANN = accept({ name: 'Ann' });

/** Runs a tool to its end, with the same answer to everything. */
async function run(
  handler: (context: Context) => Promise<string>,
  answers: (key: string) => unknown = () => ANN,
): Promise<{ result: Json; rounds: number; words: string }> {
  const { server, reports } = reportingServer();
  server.tool('t', {}, (_args, context) => handler(context));
  const { result, rounds } = await converse(server, 'tools/call', { name: 't' }, answers);
  return { result, rounds: rounds.length, words: wordsOf(reports) };
}

test('a step runs once in the whole call; what stands outside of one runs in every round', async () => {
  let inside = 0;
  let outside = 0;
  const { result } = await run(async (context) => {
    outside++;
    const price = await context.step('quote', () => ({ price: ++inside }));
    await context.elicit('one', NAME);
    await context.elicit('two', NAME);
    return JSON.stringify(price);
  });
  assert.equal(text(result), '{"price":1}');
  assert.equal(inside, 1);
  assert.equal(outside, 3);
});

test('what a step returned is the same in every round: JSON, and a copy that the handler may change', async () => {
  const value = { list: [1, 'two', null, true], nested: { deep: [{}] }, __proto__: null };
  const seen: string[] = [];
  await run(async (context) => {
    const got = await context.step('value', () => ({ ...value, gone: undefined }));
    seen.push(JSON.stringify(got), String('gone' in got));
    (got.list as unknown[]).push('changed');
    await context.elicit('one', NAME);
    await context.elicit('two', NAME);
    return 'done';
  });
  const expected = [JSON.stringify(value), 'false'];
  assert.deepEqual(seen, [...expected, ...expected, ...expected]);
});

test('a step may return nothing, and null, 0, false and an empty text are results as good as any', async () => {
  for (const value of [undefined, null, 0, false, '']) {
    let runs = 0;
    const seen: unknown[] = [];
    await run(async (context) => {
      seen.push(
        await context.step('nothing', () => {
          runs++;
          return value;
        }),
      );
      await context.elicit('one', NAME);
      return 'done';
    });
    assert.equal(runs, 1, String(value));
    assert.deepEqual(seen, [value, value]);
  }
});

class Money {
  readonly amount = 1;
}

test('a result that is no JSON is an error that names the step and the place, at once and not in a later round', async () => {
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [new Date(0), /Date/],
    [{ at: { when: new Date(0) } }, /\/at\/when.*Date/],
    [new Map(), /Map/],
    [[new Money()], /\/0.*Money/],
    [Number.NaN, /NaN/],
    [{ n: Infinity }, /\/n.*Infinity/],
    [1n, /bigint/],
    [() => 1, /function/],
    [Symbol('s'), /symbol/],
    [[undefined], /\/0/],
    [cyclic, /deep|circular/],
  ];
  for (const [value, place] of wrong) {
    const { server, reports } = reportingServer();
    server.tool('t', {}, async (_args, context) => {
      await context.step('quote', () => value);
      await context.elicit('one', NAME);
    });
    const result = await callTool(server, 't');
    assert.equal(result['isError'], true);
    assert.doesNotMatch(text(result), /quote/, 'details stay here');
    assert.match(wordsOf(reports), /UsageError: the result of step "quote"/);
    assert.match(wordsOf(reports), place);
  }
});

test('a step that throws has no result: the handler gets its error, and a later round runs it again', async () => {
  let runs = 0;
  const { result } = await run(async (context) => {
    const first = await context
      .step('flaky', () => {
        runs++;
        throw new RangeError('not yet');
      })
      .catch((error: unknown) => (error instanceof RangeError ? error.message : 'another error'));
    await context.elicit('one', NAME);
    return first;
  });
  assert.equal(text(result), 'not yet');
  assert.equal(runs, 2);
});

test('a failure that is returned as a value is remembered like any other', async () => {
  let runs = 0;
  const { result } = await run(async (context) => {
    const paid = await context.step('pay', () => ({ ok: false, attempt: ++runs }));
    if (!paid.ok) await context.elicit('other card', NAME);
    return JSON.stringify(paid);
  });
  assert.equal(text(result), '{"ok":false,"attempt":1}');
});

test('a step that runs beside an ask is finished before the question goes out, and its result travels along', async () => {
  let runs = 0;
  const { result, rounds } = await run(async (context) => {
    const [slow, answer] = await Promise.all([
      context.step('slow', async () => {
        await pause(30);
        return ++runs;
      }),
      context.elicit('one', NAME),
    ]);
    return `${slow} ${answer.action}`;
  });
  assert.equal(text(result), '1 accept');
  assert.equal(runs, 1);
  assert.equal(rounds, 1);
});

test('asks that a branch comes to after its step are part of the same round', async () => {
  const { rounds } = await run(async (context) => {
    await Promise.all([
      context.elicit('at once', NAME),
      context.step('slow', () => pause(20)).then(() => context.elicit('after the step', NAME)),
    ]);
    return 'done';
  });
  assert.equal(rounds, 1);
});

test('a step and an ask may have the same name; two steps may not', async () => {
  const { result } = await run(async (context) => {
    await context.step('same', () => 1);
    await context.elicit('same', NAME);
    return 'done';
  });
  assert.equal(text(result), 'done');
  const { server, reports } = reportingServer();
  server.tool('t', {}, async (_args, context) => {
    await context.step('same', () => 1);
    await context.step('same', () => 2);
  });
  assert.equal((await callTool(server, 't'))['isError'], true);
  assert.match(wordsOf(reports), /"same" is used twice/);
});

test('a step may have steps inside: the outer result stands for all of them', async () => {
  let inner = 0;
  const { result } = await run(async (context) => {
    const sum = await context.step('outer', async () => {
      await pause(1);
      return 1 + (await context.step('inner', () => ++inner));
    });
    await context.elicit('one', NAME);
    await context.elicit('two', NAME);
    return String(sum);
  });
  assert.equal(text(result), '2');
  assert.equal(inner, 1);
});

test('an ask inside a step is an error that says so, instead of a call that never ends', async () => {
  const { server, reports } = reportingServer();
  server.tool('t', { timeoutMs: 2000 }, async (_args, context) => {
    await context.step('warm up', () => 1);
    await context.step('charge', () => context.elicit('one', NAME));
  });
  assert.equal((await callTool(server, 't'))['isError'], true);
  assert.match(wordsOf(reports), /"one" is asked inside step "charge"/);
});

test('a step whose question waits long is named in a report: it may be one that asks', async () => {
  const { server, reports } = reportingServer();
  server.tool('t', { timeoutMs: 150 }, async (_args, context) => {
    await context.step('charge', async () => {
      await pause(1);
      await context.elicit('one', NAME);
    });
  });
  assert.equal((await callTool(server, 't'))['isError'], true);
  assert.match(wordsOf(reports), /"one".*"charge"/);
});

test('a handler that never asks may use steps: they run, and that is all', async () => {
  const { server } = reportingServer();
  server.tool('t', {}, async (_args, context) => context.step('one', async () => 'result'));
  assert.equal(text(await callTool(server, 't', {}, { capabilities: {} })), 'result');
});

test('names are texts of 1 to 128 characters, whatever they spell', async () => {
  const odd = ['__proto__', 'constructor', 'toString', '0', 'a b', 'ä\u0000\u{1f600}', 'x'.repeat(128)];
  const { server } = reportingServer();
  server.tool('t', {}, async (_args, context) => {
    const results: unknown[] = [];
    for (const name of odd) results.push(await context.step(name, () => name));
    for (const name of odd) {
      const answer = await context.elicit(name, NAME);
      results.push(answer.action === 'accept' ? answer.content['name'] : undefined);
    }
    return JSON.stringify(results);
  });
  const { result } = await converse(server, 'tools/call', { name: 't' }, (key) => accept({ name: key }));
  assert.deepEqual(JSON.parse(text(result)), [...odd, ...odd]);
  for (const name of ['', 'x'.repeat(129), 5, undefined]) {
    const { server: other, reports } = reportingServer();
    other.tool('t', {}, async (_args, context) => {
      await context.elicit(name as string, NAME);
    });
    assert.equal((await callTool(other, 't'))['isError'], true);
    assert.match(wordsOf(reports), /a key is a string of 1 to 128 characters/);
  }
});

test('the question of a first round names what is asked, and holds the results of steps out of sight', async () => {
  const { server } = reportingServer();
  server.tool('t', {}, async (_args, context) => {
    await context.step('secret', () => 'the purchase price');
    await context.elicit('one', NAME);
  });
  const result = await callTool(server, 't');
  assert.deepEqual(Object.keys(questionsOf(result)), ['one']);
  assert.doesNotMatch(JSON.stringify(result), /purchase/);
});
