import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Handler } from 'mcpwire';
import { ProtocolError } from 'mcpwire';
import { createServer } from 'mcpwire/server';
import type { Server, ServerReport } from 'mcpwire/server';
import { NONSENSE_TOOLS } from '../fixtures/bad-tools.ts';
import { defer } from '../support/defer.ts';
import { serve } from '../support/http-peer.ts';
import { assertError, at, call, request, textOf } from '../support/messages.ts';
import { WIRES } from '../support/wires.ts';

/** Tools whose mistake only shows when the answer is written: nothing but an error is left to send. */
const UNWRITABLE = ['returns_cycle_in_meta', 'returns_bigint_in_block'];

for (const [wire, start] of Object.entries(WIRES)) {
  test(`a tool that fails gives a result that says so and keeps its secrets over ${wire}, its neighbours go on [TOOL-29] [BASE-13]`, async (t) => {
    const peer = await start(t);
    for (const name of ['throws', 'throws_later', 'throws_nothing', 'output_cycle', 'output_bigint']) {
      const answer = await peer.ask(call(1, name));
      assert.equal(at(answer, 'result', 'isError'), true, name);
      assert.match(textOf(answer), /^The tool failed\. .* reference [0-9a-f-]{36}\.$/);
      assert.doesNotMatch(JSON.stringify(answer), /hunter2/);
      assert.equal(textOf(await peer.ask(call(2, 'echo', { text: 'x' }))), 'x');
    }
    const own = await peer.ask(call(1, 'throws_tool_error'));
    assert.equal(textOf(own), 'no tea left');
    assert.equal(at(own, 'result', 'isError'), true);
  });

  test(`a tool that returns nonsense gives a failure over ${wire}, and none of the nonsense [TOOL-29] [BASE-07]`, async (t) => {
    const peer = await start(t);
    for (const name of NONSENSE_TOOLS) {
      const answer = await peer.ask(call(1, name));
      if (UNWRITABLE.includes(name)) assertError(answer, 1, -32603, /^Internal error$/);
      else assert.equal(at(answer, 'result', 'isError'), true, `${name}: ${JSON.stringify(answer)}`);
      assert.equal(textOf(await peer.ask(call(2, 'echo', { text: 'x' }))), 'x');
    }
  });

  test(`an error with data that can't be written is -32603 over ${wire}, and the process goes on [BASE-13]`, async (t) => {
    const peer = await start(t);
    assertError(await peer.ask(call(1, 'throws_unwritable_error')), 1, -32603, /^Internal error$/);
    assert.equal(textOf(await peer.ask(call(2, 'echo', { text: 'x' }))), 'x');
  });

  test(`a tool that hangs is given up when its time is over, over ${wire}, whatever it does about its signal [CANC-09]`, async (t) => {
    const peer = await start(t);
    const answer = await peer.ask(call(1, 'hang'));
    assert.equal(at(answer, 'result', 'isError'), true);
    assert.match(textOf(answer), /^The tool took too long\. /);
  });
}

const INFO = { name: 's', version: '1' };

test("the details of a failure are in the server's log, under the reference that the caller got", async (t) => {
  const reports: ServerReport[] = [];
  const server = createServer(INFO, { report: (report) => reports.push(report) }).tool('t', {}, () => {
    throw new Error('the disk is full');
  });
  const peer = await serve(t, server);
  const { json } = await peer.post(call(1, 't'));
  assert.equal(reports.length, 1);
  assert.equal(reports[0]?.kind, 'tool-failed');
  assert.equal(at(reports[0], 'error', 'message'), 'the disk is full');
  assert.ok(textOf(json).includes(String(reports[0]?.reference)));
});

test('prompts, resources and completions that hang are -32603 when their time is over', async (t) => {
  const hang = (): Promise<never> => new Promise(() => {});
  const server = createServer(INFO, { timeoutMs: 20, report: () => {} })
    .prompt(
      'p',
      { args: { type: 'object', properties: { a: { type: 'string' } } }, complete: { a: hang } },
      hang,
    )
    .resource('a:b', {}, hang)
    .resourceTemplate('a:x/{y}', { list: hang }, hang);
  const peer = await serve(t, server);
  const ref = { type: 'ref/prompt', name: 'p' };
  const messages = [
    request(1, 'prompts/get', { name: 'p' }),
    request(1, 'resources/read', { uri: 'a:b' }),
    request(1, 'resources/read', { uri: 'a:x/y' }),
    request(1, 'resources/list'),
    request(1, 'completion/complete', { ref, argument: { name: 'a', value: '' } }),
  ];
  for (const message of messages) {
    const answer = await peer.post(message);
    assert.equal(answer.status, 500);
    assertError(answer.json, 1, -32603, /^Internal error$/);
  }
});

test('progress gives a slow tool more time, and its signal is aborted when the time is over', async (t) => {
  const aborted = defer<unknown>();
  const server = createServer(INFO, { timeoutMs: 400, report: () => {} }).tool(
    't',
    {},
    async (_args, context) => {
      context.signal.addEventListener('abort', () => aborted.resolve(context.signal.reason));
      for (let step = 1; step <= 4; step++) {
        await new Promise((resolve) => setTimeout(resolve, 150));
        await context.progress(step);
      }
      return new Promise<string>(() => {});
    },
  );
  const peer = await serve(t, server);
  const messages = await peer.exchange(call(1, 't', {}, { progressToken: 1 }));
  assert.equal(messages.length, 5);
  assert.match(textOf(messages.at(-1)), /took too long/);
  assert.equal(((await aborted.promise) as Error).name, 'TimeoutError');
});

/** A handler of somebody's own, with the mistakes that the types can't see. */
const HANDLERS: readonly (readonly [string, Handler])[] = [
  [
    'throws at once',
    () => {
      throw new Error('the password is hunter2');
    },
  ],
  ['rejects with nothing', () => Promise.reject(undefined)], // oxlint-disable-line prefer-promise-reject-errors
  ['gives a list', () => Promise.resolve([] as unknown as object as never)],
  ['gives a function', () => Promise.resolve((() => {}) as unknown as object as never)],
  ['gives its result at once', () => 5 as unknown as object as never],
  ['gives nothing', () => Promise.resolve(undefined as unknown as object as never)],
];

for (const [what, handle] of HANDLERS) {
  test(`a handler of one's own that ${what} is -32603, and the process goes on [BASE-13]`, async (t) => {
    const own: Handler = (message, exchange) =>
      message.method === 'x' ? handle(message, exchange) : Promise.resolve({ resultType: 'complete' });
    const peer = await serve(t, { handle: own } as Server);
    const answer = await peer.post(request(1, 'x'));
    assert.equal(answer.status, 500);
    assertError(answer.json, 1, -32603, /^Internal error$/);
    assert.equal((await peer.post(request(2, 'y'))).status, 200);
  });
}

test('middleware may answer by itself, with an error or with what then gets a resultType and a name [BASE-08] [BASE-59]', async (t) => {
  const server = createServer(INFO).use((next) => (message, exchange) => {
    if (message.method === 'example.com/own') return Promise.resolve({ own: true });
    if (message.method === 'example.com/no') throw new ProtocolError(1, 'no');
    return next(message, exchange);
  });
  const peer = await serve(t, server);
  const own = await peer.post(request(1, 'example.com/own'));
  assert.deepEqual(at(own.json, 'result'), {
    own: true,
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': INFO },
  });
  assertError((await peer.post(request(1, 'example.com/no'))).json, 1, 1, /^no$/);
});
