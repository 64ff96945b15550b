import assert from 'node:assert/strict';
import process from 'node:process';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SuspendedError } from 'mcpwire/server';
import { defer } from '../support/defer.ts';
import { serve } from '../support/http-peer.ts';
import { at, call, CLIENT_CAPABILITIES } from '../support/messages.ts';
import {
  ABLE,
  accept,
  callTool,
  converse,
  field,
  questionsOf,
  reportingServer,
  text,
  wordsOf,
} from './rounds.ts';

const NAME = { message: 'Name?', schema: field('name') };

/** Fails the test where a promise was rejected and nobody listened. */
function noUnhandled(t: TestContext): void {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): unknown => unhandled.push(reason);
  process.on('unhandledRejection', note);
  t.after(async () => {
    await pause(0);
    process.off('unhandledRejection', note);
    assert.deepEqual(unhandled, []);
  });
}

test('a suspended handler hears of it: its ask rejects, its signal aborts with the same reason, its finally blocks run', async (t) => {
  noUnhandled(t);
  const ended = defer<unknown>();
  const { server, reports } = reportingServer();
  server.tool('ask', {}, async (_args, context) => {
    const { signal } = context;
    let rejection: unknown;
    try {
      return JSON.stringify(await context.elicit('name', NAME));
    } catch (error) {
      rejection = error;
      throw error;
    } finally {
      if (rejection !== undefined) ended.resolve({ rejection, reason: signal.reason as unknown });
    }
  });
  questionsOf(await callTool(server, 'ask'));
  const { rejection, reason } = (await ended.promise) as { rejection: unknown; reason: unknown };
  assert.ok(rejection instanceof SuspendedError);
  assert.equal(reason, rejection);
  assert.match(rejection.message, /suspended for input/);
  assert.deepEqual(reports, [], 'this is how it should be: nothing to tell');
});

test('the signal is linked whether it is looked at before or after the suspension', async () => {
  const seen = defer<unknown>();
  const { server } = reportingServer();
  server.tool('ask', {}, async (_args, context) => {
    try {
      await context.elicit('name', NAME);
    } finally {
      seen.resolve(context.signal.reason);
    }
  });
  await callTool(server, 'ask');
  assert.ok((await seen.promise) instanceof SuspendedError);
});

test('a handler that catches everything can neither swallow the suspension nor answer in its place, and is reported once', async (t) => {
  noUnhandled(t);
  const went = defer<void>();
  let effects = 0;
  const { server, reports } = reportingServer();
  server.tool('ask', {}, async (_args, context) => {
    try {
      await context.elicit('name', NAME);
    } catch {
      // What must not be done: it goes on as if nothing had been.
    }
    for (let round = 0; round < 3; round++) {
      await context.elicit(`again-${round}`, NAME).catch(() => {});
      await context.step(`step-${round}`, () => effects++).catch(() => {});
    }
    setTimeout(() => went.resolve(), 5);
    return 'my own answer';
  });
  const questions = questionsOf(await callTool(server, 'ask'));
  assert.deepEqual(Object.keys(questions), ['name']);
  await went.promise;
  assert.equal(effects, 0, 'a step after the suspension does not run');
  assert.equal(reports.length, 1, wordsOf(reports));
  assert.match(wordsOf(reports), /suspension-caught.*ask/);
});

test('a handler that fails with an error of its own after the suspension is ignored as well', async (t) => {
  noUnhandled(t);
  const { server, reports } = reportingServer();
  server.tool('ask', {}, async (_args, context) => {
    try {
      return JSON.stringify(await context.elicit('name', NAME));
    } catch {
      throw new Error('something else');
    }
  });
  questionsOf(await callTool(server, 'ask'));
  while (reports.length === 0) await pause(1);
  assert.equal(reports.length, 1);
  assert.match(wordsOf(reports), /suspension-caught.*something else/);
});

test('asks that are started together and awaited one after the other reject in silence', async (t) => {
  noUnhandled(t);
  const { server } = reportingServer();
  server.tool('ask', {}, async (_args, context) => {
    const first = context.elicit('first', NAME);
    const second = context.elicit('second', NAME);
    const failing = context.step('failing', () => Promise.reject(new Error('no')));
    const one = await first;
    const two = await second;
    await failing;
    return `${one.action} ${two.action}`;
  });
  assert.deepEqual(Object.keys(questionsOf(await callTool(server, 'ask'))), ['first', 'second']);
});

test('an ask that nobody waits for changes nothing: what the handler returned is the result', async (t) => {
  noUnhandled(t);
  const { server, reports } = reportingServer({ maxStateLength: 1 });
  server
    .tool('async', {}, async (_args, context) => {
      void context.elicit('name', NAME);
      return 'done';
    })
    .tool('sync', {}, (_args, context) => {
      void context.elicit('name', NAME);
      return 'done';
    })
    .tool('throws', {}, (_args, context) => {
      void context.elicit('name', NAME);
      throw new Error('at once');
    });
  assert.equal(text(await callTool(server, 'async')), 'done');
  assert.equal(text(await callTool(server, 'sync')), 'done');
  assert.equal((await callTool(server, 'throws'))['isError'], true);
  await pause(20);
  assert.deepEqual(
    reports.map(({ kind }) => kind),
    ['tool-failed'],
    wordsOf(reports),
  );
});

test('an ask after the handler has returned rejects', async (t) => {
  noUnhandled(t);
  const late = defer<unknown>();
  const { server } = reportingServer();
  server.tool('ask', {}, async (_args, context) => {
    await context.step('one', () => 1);
    setTimeout(() => {
      context.elicit('late', NAME).catch((error: unknown) => late.resolve(error));
    }, 1);
    return 'done';
  });
  assert.equal(text(await callTool(server, 'ask')), 'done');
  assert.match(String(await late.promise), /over/);
});

test('what a suspended handler still notifies is not sent', async (t) => {
  const told = defer<void>();
  const { server } = reportingServer();
  server.tool('ask', {}, async (_args, context) => {
    try {
      await context.elicit('name', NAME);
    } finally {
      await context.log('error', 'after the end');
      told.resolve();
    }
  });
  const peer = await serve(t, server);
  const meta = { [CLIENT_CAPABILITIES]: ABLE, 'io.modelcontextprotocol/logLevel': 'debug' };
  const messages = await peer.exchange(call(1, 'ask', {}, meta));
  await told.promise;
  assert.equal(messages.length, 1);
  assert.equal(at(messages[0], 'result', 'resultType'), 'input_required');
});

test('a caller who gives up while a question waits for a step frees the handler', async (t) => {
  noUnhandled(t);
  const controller = new AbortController();
  const reached = defer<void>();
  const freed = defer<unknown>();
  const { server } = reportingServer();
  server.tool('ask', {}, async (_args, context) => {
    void context.step('endless', () => {
      reached.resolve();
      return new Promise(() => {});
    });
    try {
      await context.elicit('name', NAME);
    } catch (error) {
      freed.resolve(error);
      throw error;
    }
  });
  const calling = callTool(server, 'ask', {}, { signal: controller.signal });
  await reached.promise;
  const reason = new Error('the caller left');
  controller.abort(reason);
  assert.equal(await freed.promise, reason);
  assert.equal((await calling)['isError'], true);
});

test('a question that waits for a step that never ends is bounded by the time of the handler', async (t) => {
  noUnhandled(t);
  const freed = defer<unknown>();
  const { server, reports } = reportingServer();
  server.tool('ask', { timeoutMs: 50 }, async (_args, context) => {
    void context.step('endless', () => new Promise(() => {}));
    try {
      await context.elicit('name', NAME);
    } catch (error) {
      freed.resolve(error);
      throw error;
    }
  });
  const result = await callTool(server, 'ask');
  assert.equal(result['isError'], true);
  assert.match(wordsOf(reports), /took too long/);
  assert.match(String(await freed.promise), /TimeoutError/);
});

test('a suspended call is not timed: the time of a handler ends with its question', async () => {
  const { server, reports } = reportingServer();
  server.tool('ask', { timeoutMs: 20 }, async (_args, context) => {
    await context.elicit('name', NAME).catch(() => {});
    await pause(60);
  });
  questionsOf(await callTool(server, 'ask'));
  await pause(100);
  assert.ok(!wordsOf(reports).includes('took too long'), wordsOf(reports));
});

test('an abandoned call holds nothing: the heap stays flat over 2,000 of them [MRTR-16]', async (t) => {
  noUnhandled(t);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { server } = reportingServer();
  let running = 0;
  server.tool('ask', {}, async (_args, context) => {
    running++;
    try {
      const ballast = Array.from({ length: 1000 }, () => running);
      await context.step('ballast', () => ballast.slice(0, 10));
      const answers = await Promise.all([context.elicit('a', NAME), context.elicit('b', NAME)]);
      return JSON.stringify({ answers, ballast });
    } finally {
      running--;
    }
  });
  const rounds = async (count: number): Promise<number> => {
    for (let round = 0; round < count; round++) await callTool(server, 'ask');
    await pause(10);
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await rounds(500);
  const after = await rounds(2000);
  assert.equal(running, 0);
  const perCall = (after - before) / 2000;
  assert.ok(perCall < 500, `${Math.round(perCall)} bytes stay for each call`);
});

test('a call that was suspended many times ends as if it had never been', async () => {
  const { server } = reportingServer();
  server.tool('ask', {}, async (_args, context) => {
    const answers: string[] = [];
    for (let index = 0; index < 12; index++) {
      const answer = await context.elicit(`q${index}`, NAME);
      answers.push(answer.action === 'accept' ? String(answer.content['name']) : answer.action);
    }
    return answers.join(' ');
  });
  const { result, rounds } = await converse(server, 'tools/call', { name: 'ask' }, (key) =>
    accept({ name: key }),
  );
  assert.equal(text(result), Array.from({ length: 12 }, (_, index) => `q${index}`).join(' '));
  assert.equal(rounds.length, 12);
});
