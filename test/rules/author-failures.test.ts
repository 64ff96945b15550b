import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from 'mcpwire/server';
import type { ServerDraft, ServerReport } from 'mcpwire/server';
import { serve } from '../support/http-peer.ts';
import { at, call, request } from '../support/messages.ts';
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
