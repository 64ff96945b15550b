import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputOptions, Server, ServerReport } from 'mcpwire/server';
import { createServer, MemoryMarkStore } from 'mcpwire/server';
import type { Json } from '../support/messages.ts';
import type { CallOptions } from './rounds.ts';
import {
  accept,
  callTool,
  converse,
  field,
  questionsOf,
  reportingServer,
  SECRET,
  send,
  stateOf,
  text,
  wordsOf,
} from './rounds.ts';

const NAME = { message: 'Name?', schema: field('name') };
const ANN = { name: accept({ name: 'Ann' }) };
const ANY = { type: 'object' };

/** Two tools, a prompt and resources that all ask the same. */
function asking(input: InputOptions = {}): { server: Server; reports: ServerReport[] } {
  const made = reportingServer(input);
  made.server
    .tool('order', { input: ANY }, async (_args, context) => {
      const price = await context.step('quote', () => 42);
      const answer = await context.elicit('name', NAME);
      return `${answer.action} ${price}`;
    })
    .tool('other', { input: ANY }, async (_args, context) => (await context.elicit('name', NAME)).action)
    .prompt('order', {}, async (_args, context) => (await context.elicit('name', NAME)).action)
    .resourceTemplate(
      'test://{id}',
      { name: 'r' },
      async (_variables, context) => (await context.elicit('name', NAME)).action,
    );
  return made;
}

const REFUSED = { code: -32602, message: 'requestState is not valid for this request: start the call again' };
const ARGS = { item: 'tea', count: 2, more: { a: 1, b: [1, 2] } };

/** One case of misuse: what is sent instead of the right retry. */
interface Misuse {
  readonly what: string;
  readonly method?: string;
  readonly params?: Json;
  readonly state?: (state: string) => string;
  readonly options?: CallOptions;
}

const ALICE: CallOptions = { principal: 'alice' };
const RETRY = { name: 'order', arguments: ARGS };

/** Each region of the value with each bit of some of its bytes turned over, and each way to cut it. */
function tampered(length: number): readonly Misuse[] {
  const cases: Misuse[] = [];
  const regions: { [name: string]: readonly number[] } = {
    format: [0],
    'key id': [1, 2, 3, 4],
    nonce: [5, 10, 16],
    'sealed record': [17, 18, Math.floor(length / 2), length - 20],
    tag: [length - 16, length - 8, length - 1],
  };
  for (const [region, bytes] of Object.entries(regions)) {
    for (const at of bytes) {
      for (let bit = 0; bit < 8; bit++) {
        cases.push({
          what: `bit ${bit} of byte ${at} (${region}) turned over`,
          state: (state) => {
            const changed = Buffer.from(state, 'base64url');
            changed[at] = (changed[at] ?? 0) ^ (1 << bit);
            return changed.toString('base64url');
          },
        });
      }
    }
  }
  for (const keep of [0, 1, 2, 16, 17, 18, 33, 34, 50, length - 17, length - 16, length - 2, length - 1]) {
    cases.push({
      what: `cut after ${keep} bytes`,
      state: (state) => Buffer.from(state, 'base64url').subarray(0, keep).toString('base64url'),
    });
    cases.push({
      what: `cut to its last ${keep} bytes`,
      state: (state) =>
        Buffer.from(state, 'base64url')
          .subarray(length - keep)
          .toString('base64url'),
    });
  }
  for (let at = 0; at < 20; at++) {
    cases.push({
      what: `another character at ${at} twentieths`,
      state: (state) => {
        const index = Math.floor((state.length * at) / 20);
        return `${state.slice(0, index)}${state[index] === 'A' ? 'B' : 'A'}${state.slice(index + 1)}`;
      },
    });
  }
  return cases;
}

const TEXTS: readonly Misuse[] = [
  { what: 'no Base64', state: () => 'not sealed at all!' },
  { what: 'JSON', state: () => '{"entries":[]}' },
  { what: 'an empty text', state: () => '' },
  { what: 'the other Base64 alphabet', state: (state) => `${state}+/` },
  { what: 'padding', state: (state) => `${state}=` },
  { what: 'white space before', state: (state) => ` ${state}` },
  { what: 'white space after', state: (state) => `${state}\n` },
  { what: 'twice the value', state: (state) => state + state },
  { what: 'capital letters', state: (state) => state.toUpperCase() },
  { what: 'a byte more', state: (state) => `${state}AAAA` },
  { what: 'a megabyte', state: () => 'A'.repeat(1_000_000) },
  { what: 'a value of nothing but zeros', state: (state) => 'A'.repeat(state.length) },
];

const ELSEWHERE: readonly Misuse[] = [
  ...[
    { ...ARGS, item: 'coffee' },
    { ...ARGS, count: 3 },
    { ...ARGS, count: '2' },
    { ...ARGS, more: { a: 1, b: [2, 1] } },
    { ...ARGS, more: { a: 1, b: [1, 2], c: null } },
    { item: 'tea', count: 2 },
    { ...ARGS, __extra: true },
    {},
  ].map((changed) => ({
    what: `arguments ${JSON.stringify(changed)}`,
    params: { name: 'order', arguments: changed },
  })),
  { what: 'another tool', params: { name: 'other', arguments: ARGS } },
  { what: 'a prompt of the same name', method: 'prompts/get', params: { name: 'order' } },
  { what: 'a resource', method: 'resources/read', params: { uri: 'test://order' } },
  ...['bob', 'Alice', 'alice ', '5:alice', ''].map((principal) => ({
    what: `principal ${JSON.stringify(principal)}`,
    options: { principal },
  })),
  { what: 'nobody', options: {} },
];

test('200 ways to misuse a requestState are all refused alike, with the reason in the report alone [MRTR-07] [MRTR-08] [MRTR-09] [MRTR-10] [MRTR-12] [MRTR-27] [ELIC-20] [ELIC-21] [ELIC-30]', async () => {
  const { server, reports } = asking();
  const state = stateOf(await callTool(server, 'order', { arguments: ARGS }, ALICE));
  const length = Buffer.from(state, 'base64url').length;
  const swapped: readonly Misuse[] = [
    ['another call', stateOf(await callTool(server, 'order', { arguments: { item: 'x' } }, ALICE))],
    ["another tool's call", stateOf(await callTool(server, 'other', { arguments: ARGS }, ALICE))],
    [
      "another one's call",
      stateOf(await callTool(server, 'order', { arguments: ARGS }, { principal: 'bob' })),
    ],
    ["nobody's call", stateOf(await callTool(server, 'order', { arguments: ARGS }))],
    ['a prompt', stateOf(await send(server, 'prompts/get', { name: 'order' }, ALICE))],
    ['a resource', stateOf(await send(server, 'resources/read', { uri: 'test://order' }, ALICE))],
    ['another server', stateOf(await callTool(asking().server, 'order', { arguments: ARGS }, ALICE))],
    [
      "another server's secrets",
      stateOf(await callTool(asking({ secrets: [SECRET] }).server, 'order', { arguments: ARGS }, ALICE)),
    ],
  ].map(([what, other]) => ({ what: `the state of ${what}`, state: () => String(other) }));
  const parts: readonly Misuse[] = swapped.slice(0, 4).flatMap(({ what, state: other }) =>
    [5, 17, 40].map((at) => ({
      what: `the first ${at} bytes of ${what}`,
      state: (own: string) =>
        Buffer.concat([
          Buffer.from(other?.('') ?? '', 'base64url').subarray(0, at),
          Buffer.from(own, 'base64url').subarray(at),
        ]).toString('base64url'),
    })),
  );
  // The key's id alone is the same in every value of a server: that part swapped changes nothing.
  const cases = [...tampered(length), ...TEXTS, ...ELSEWHERE, ...swapped, ...parts].filter(
    (misuse) => misuse.state?.(state) !== state,
  );
  assert.ok(cases.length >= 200, `${cases.length} cases`);
  for (const { what, method = 'tools/call', params = RETRY, state: change, options = ALICE } of cases) {
    reports.length = 0;
    const requestState = change === undefined ? state : change(state);
    const misused = send(server, method, { ...params, inputResponses: ANN, requestState }, options);
    await assert.rejects(misused, REFUSED, what);
    assert.equal(reports.length, 1, what);
    assert.equal(reports[0]?.kind, 'request-state-refused');
    assert.match(reports[0].message, /: it |: no secret/, what);
  }
  const right = await callTool(
    server,
    'order',
    { arguments: ARGS, inputResponses: ANN, requestState: state },
    ALICE,
  );
  assert.equal(text(right), 'accept 42', 'untouched it is as good as before');
});

test('a handler that catches everything can not go on from a state that was refused [MRTR-09]', async () => {
  const { server, reports } = reportingServer();
  server.tool('t', {}, async (_args, context) => {
    try {
      return (await context.elicit('name', NAME)).action;
    } catch {
      return 'went on';
    }
  });
  await assert.rejects(callTool(server, 't', { inputResponses: ANN, requestState: 'x' }), REFUSED);
  assert.match(wordsOf(reports), /request-state-refused/);
});

test('the order of arguments, and of members inside of them, does not matter [MRTR-12]', async () => {
  const { server } = asking();
  const requestState = stateOf(await callTool(server, 'order', { arguments: ARGS }));
  const turned = { more: { b: [1, 2], a: 1 }, count: 2, item: 'tea' };
  const result = await callTool(server, 'order', { arguments: turned, inputResponses: ANN, requestState });
  assert.equal(text(result), 'accept 42');
});

test('no arguments and empty arguments are the same', async () => {
  const { server } = asking();
  const requestState = stateOf(await callTool(server, 'order'));
  const result = await callTool(server, 'order', { arguments: {}, inputResponses: ANN, requestState });
  assert.equal(text(result), 'accept 42');
});

test('a state expires: after its time it is refused, just before it is good [MRTR-11]', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
  for (const ttlMs of [undefined, 1000]) {
    const lifetime = ttlMs ?? 600_000;
    const { server, reports } = asking(ttlMs === undefined ? {} : { ttlMs });
    const requestState = stateOf(await callTool(server, 'order'));
    t.mock.timers.tick(lifetime - 1);
    assert.equal(text(await callTool(server, 'order', { inputResponses: ANN, requestState })), 'accept 42');
    t.mock.timers.tick(1);
    await assert.rejects(callTool(server, 'order', { inputResponses: ANN, requestState }), REFUSED);
    assert.match(wordsOf(reports), /it has expired/);
  }
});

test('secrets rotate: the first seals, all of them open, those that are gone open nothing', async () => {
  const [old, young] = ['an old secret, as long as secrets must be', 'a young secret, as long as it must be'];
  const before = asking({ secrets: [old] }).server;
  const during = asking({ secrets: [young, old] }).server;
  const after = asking({ secrets: [young] }).server;
  const sealedBefore = stateOf(await callTool(before, 'order'));
  const retry = (server: Server, requestState: string): Promise<Json> =>
    callTool(server, 'order', { inputResponses: ANN, requestState });
  assert.equal(text(await retry(during, sealedBefore)), 'accept 42');
  const sealedDuring = stateOf(await callTool(during, 'order'));
  assert.equal(text(await retry(after, sealedDuring)), 'accept 42');
  await assert.rejects(retry(after, sealedBefore), REFUSED);
  await assert.rejects(retry(before, sealedDuring), REFUSED);
});

test('without secrets of its own a server opens what it sealed and nothing else', async () => {
  const { server } = asking();
  const requestState = stateOf(await callTool(server, 'order'));
  assert.equal(text(await callTool(server, 'order', { inputResponses: ANN, requestState })), 'accept 42');
  const { server: other, reports } = asking();
  await assert.rejects(callTool(other, 'order', { inputResponses: ANN, requestState }), REFUSED);
  assert.match(wordsOf(reports), /no secret of ours sealed it/);
});

test('options that can not be meant are refused when the server is made', () => {
  const wrong: readonly InputOptions[] = [
    { secrets: [] },
    { secrets: ['too short'] },
    { secrets: [SECRET, 'too short'] },
    { ttlMs: 0 },
    { ttlMs: 1.5 },
    { maxStateLength: Number.NaN },
    { maxRefusals: -1 },
    { graceMs: Infinity },
  ];
  for (const input of wrong) {
    assert.throws(
      () => createServer({ name: 's', version: '1' }, { input }),
      { name: 'UsageError' },
      JSON.stringify(input),
    );
  }
});

test('what is known of a call has room in 16,384 characters, or the error names what takes most of it', async () => {
  const { server, reports } = reportingServer();
  server.tool('t', { input: ANY }, async ({ size }, context) => {
    await context.step('small', () => 'x');
    const big = await context.step('catalogue', () => 'x'.repeat(Number(size)));
    await context.elicit('name', NAME);
    return String(big.length);
  });
  const fits = await callTool(server, 't', { arguments: { size: 11_500 } });
  assert.ok(stateOf(fits).length <= 16_384);
  const tooBig = await callTool(server, 't', { arguments: { size: 12_500 } });
  assert.equal(tooBig['isError'], true);
  assert.doesNotMatch(text(tooBig), /catalogue/);
  assert.match(
    wordsOf(reports),
    /StateTooLargeError: .*16384 are allowed: step "catalogue" is the largest part/,
  );
});

test('an answer that is too big for the state is named as well, and the bound can be moved', async () => {
  const { server, reports } = reportingServer({ maxStateLength: 1000 });
  server.tool('t', {}, async (_args, context) => {
    await context.elicit('essay', NAME);
    await context.elicit('name', NAME);
    return 'done';
  });
  const answers = { essay: accept({ name: 'x'.repeat(2000) }), name: accept({ name: 'x' }) };
  const { result } = await converse(server, 'tools/call', { name: 't' }, answers);
  assert.equal(result['isError'], true);
  assert.match(wordsOf(reports), /1000 are allowed: elicit "essay" is the largest part/);
});

test('with a store of marks each state is good for one retry, also when two come at once [MRTR-13]', async () => {
  const marks = new MemoryMarkStore();
  const shared = { secrets: [SECRET], marks };
  const { server, reports } = asking(shared);
  const { server: twin } = asking(shared);
  const first = await callTool(server, 'order');
  const retry = { inputResponses: ANN, requestState: stateOf(first) };
  const both = await Promise.allSettled([callTool(server, 'order', retry), callTool(twin, 'order', retry)]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  await assert.rejects(callTool(server, 'order', retry), REFUSED);
  assert.match(wordsOf(reports), /it was used before/);
  const { result } = await converse(server, 'tools/call', { name: 'order' }, ANN);
  assert.equal(text(result), 'accept 42', 'the rounds of a call each have a state of their own');
});

test('a state that is refused uses up no mark', async () => {
  const used: string[] = [];
  const marks = {
    useOnce: (name: string) => {
      used.push(name);
      return Promise.resolve(true);
    },
  };
  const { server } = asking({ marks });
  const requestState = stateOf(await callTool(server, 'order', {}, ALICE));
  await assert.rejects(callTool(server, 'order', { requestState }, { principal: 'mallory' }), REFUSED);
  assert.deepEqual(used, []);
  questionsOf(await callTool(server, 'order', { requestState }, ALICE));
  assert.equal(used.length, 1);
});

test('a store of marks that fails ends the call, and the reason stays here', async () => {
  const marks = { useOnce: () => Promise.reject(new Error('the store at 10.0.0.1 is down')) };
  const { server, reports } = asking({ marks });
  const requestState = stateOf(await callTool(server, 'order'));
  const result = await callTool(server, 'order', { inputResponses: ANN, requestState });
  assert.equal(result['isError'], true);
  assert.doesNotMatch(text(result), /10\.0/);
  assert.match(wordsOf(reports), /10\.0\.0\.1/);
});

test('marks are forgotten once they have expired', async () => {
  let now = 0;
  const marks = new MemoryMarkStore(() => now);
  assert.equal(await marks.useOnce('a', 10), true);
  assert.equal(await marks.useOnce('a', 10), false);
  now = 10;
  assert.equal(await marks.useOnce('a', 20), true);
});

test('two states of the same call look nothing alike, and none shows what it holds [MRTR-08]', async () => {
  const { server } = asking();
  const one = stateOf(await callTool(server, 'order', { arguments: ARGS }));
  const other = stateOf(await callTool(server, 'order', { arguments: ARGS }));
  assert.notEqual(one.slice(10), other.slice(10));
  assert.match(one, /^[A-Za-z0-9_-]+$/);
  for (const view of [one, Buffer.from(one, 'base64url').toString('latin1')]) {
    assert.doesNotMatch(view, /quote|entries|elicit/);
  }
});
