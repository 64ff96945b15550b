import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from 'mcpwire/server';
import type { Context, ServerDraft, ServerReport } from 'mcpwire/server';
import { serve } from '../support/http-peer.ts';
import { at, call, LOG_LEVEL, request, textOf } from '../support/messages.ts';
import { startStdio } from '../support/stdio-peer.ts';

test('a visible() that throws hides its own tool, says so, and leaves the others listed', async (t) => {
  const reports: ServerReport[] = [];
  const server = createServer({ name: 's', version: '1' }, { report: (report) => reports.push(report) })
    .tool('good', {}, () => 'good')
    .tool(
      'bad',
      {
        visible: () => {
          throw new Error('no such user');
        },
      },
      () => 'bad',
    );
  const peer = await serve(t, server);
  const { json } = await peer.post(request(1, 'tools/list'));
  const tools = at(json, 'result', 'tools');
  assert.ok(Array.isArray(tools));
  assert.deepEqual(
    tools.map((tool) => at(tool, 'name')),
    ['good'],
  );
  assert.match(String(reports[0]?.message), /tool "bad" is hidden/);
});

test('a report function that throws harms nobody', async (t) => {
  const report = (): never => {
    throw new Error('the log is full');
  };
  const server = createServer({ name: 's', version: '1' }, { report }).tool('fails', {}, () => {
    throw new Error('secret');
  });
  const peer = await serve(t, server, { report });
  assert.equal(at((await peer.post(call(1, 'fails'))).json, 'result', 'isError'), true);
  assert.equal(at((await peer.post(call(2, 'fails'))).json, 'result', 'isError'), true);
});

test('a draft can not be changed once update() has returned, and update() does not wait', () => {
  const server = createServer({ name: 's', version: '1' });
  let kept: ServerDraft | undefined;
  server.update((draft) => {
    kept = draft;
  });
  assert.throws(() => kept?.tool('late', {}, () => ''), /this draft is done/);
  const promising = (draft: ServerDraft): void =>
    Promise.resolve(draft.tool('later', {}, () => '')) as unknown as void;
  assert.throws(() => server.update(promising), /done when it returns/);
  assert.equal(server.capabilities.tools, undefined, 'nothing of it was taken over');
});

test('on stdio an answer leaves apart from the notifications before it', async (t) => {
  const peer = startStdio(t);
  const answer = await peer.exchange(call(1, 'progress', { values: [1, 2, 3] }, { progressToken: 'p' }));
  assert.equal(answer.length, 4);
  assert.equal(at(answer[3], 'id'), 1);
});

test('a notification that fails and that nobody awaits harms nothing, and is told once for each call', async (t) => {
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  const reports: ServerReport[] = [];
  const server = createServer({ name: 's', version: '1' }, { report: (report) => reports.push(report) });
  const strays: { readonly [name: string]: (context: Context) => Promise<void> } = {
    nan: (context) => context.progress(Number.NaN),
    total: (context) => context.progress(1, Infinity),
    bigint: (context) => context.log('info', 1n),
    cycle: (context) => context.log('info', cyclic),
  };
  for (const [name, stray] of Object.entries(strays)) {
    server.tool(name, {}, (_args, context) => {
      void stray(context);
      void stray(context);
      return 'ok';
    });
  }
  const peer = await serve(t, server);
  for (const name of Object.keys(strays)) {
    const answers = await peer.exchange(call(1, name, {}, { progressToken: 1, [LOG_LEVEL]: 'debug' }));
    assert.equal(textOf(answers.at(-1)), 'ok', name);
  }
  assert.deepEqual(
    reports.map((report) => report.message),
    ['progress() failed', 'progress() failed', 'log() failed', 'log() failed'],
  );
});

test('a handler that never awaits its notifications can not fill the memory of a slow connection', async (t) => {
  const reports: ServerReport[] = [];
  const server = createServer({ name: 's', version: '1' }, { report: (report) => reports.push(report) }).tool(
    'flood',
    {},
    async (_args, context) => {
      const sent = Array.from({ length: 5000 }, (_, step) =>
        context.progress(step, undefined, 'x'.repeat(1000)),
      );
      const failed = await Promise.allSettled(sent);
      return String(failed.filter(({ status }) => status === 'rejected').length);
    },
  );
  const peer = await serve(t, server);
  const answers = await peer.exchange(call(1, 'flood', {}, { progressToken: 1 }));
  assert.equal(answers.length - 1 + Number(textOf(answers.at(-1))), 5000);
  assert.equal(textOf(answers.at(-1)), '4000');
  assert.match(String(reports[0]?.error), /await progress\(\) and log\(\)/);
});

test('a lazy thenable, as query builders make them, begins its work once for each call', async (t) => {
  let begun = 0;
  const query = {
    // oxlint-disable-next-line no-thenable -- what is tested
    then: (resolve: (value: string) => void) => {
      begun++;
      setImmediate(() => resolve('rows'));
    },
  } as unknown as Promise<string>;
  const peer = await serve(
    t,
    createServer({ name: 's', version: '1' }).tool('query', {}, () => query),
  );
  assert.equal(textOf((await peer.post(call(1, 'query'))).json), 'rows');
  assert.equal(begun, 1);
});
