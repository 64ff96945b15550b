import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from 'mcpwire/server';
import { rulesServer } from '../fixtures/rules-server.ts';
import { serve } from '../support/http-peer.ts';
import { assertError, at, listAt, request } from '../support/messages.ts';
import { WIRES } from '../support/wires.ts';

const GREET = { type: 'ref/prompt', name: 'greet' };
const ITEM = { type: 'ref/resource', uri: 'test://item/{id}' };

function complete(ref: unknown, argument: unknown, context?: unknown): ReturnType<typeof request> {
  return request(1, 'completion/complete', { ref, argument, ...(context === undefined ? {} : { context }) });
}

for (const [wire, start] of Object.entries(WIRES)) {
  test(`at most 100 values are suggested over ${wire}, and the rest is counted [COMP-02]`, async (t) => {
    const peer = await start(t);
    const answer = await peer.ask(complete(GREET, { name: 'name', value: 'A' }));
    const values = listAt(answer, 'result', 'completion', 'values');
    assert.equal(values.length, 100);
    assert.equal(values[0], 'A0');
    assert.equal(at(answer, 'result', 'completion', 'total'), 250);
    assert.equal(at(answer, 'result', 'completion', 'hasMore'), true);
    const few = await peer.ask(complete(ITEM, { name: 'id', value: '' }));
    assert.deepEqual(at(few, 'result', 'completion'), { values: ['1', '2'] });
  });

  test(`what is already chosen reaches the completer over ${wire} [COMP-09]`, async (t) => {
    const peer = await start(t);
    const tone = { name: 'tone', value: '' };
    const ann = await peer.ask(complete(GREET, tone, { arguments: { name: 'Ann' } }));
    assert.deepEqual(at(ann, 'result', 'completion', 'values'), ['warm']);
    const nobody = await peer.ask(complete(GREET, tone, {}));
    assert.deepEqual(at(nobody, 'result', 'completion', 'values'), ['warm', 'cold']);
  });

  test(`a completion that asks for nothing that exists, or asks wrongly, is -32602 over ${wire} [COMP-04] [COMP-05] [COMP-09]`, async (t) => {
    const peer = await start(t);
    const name = { name: 'name', value: '' };
    const wrong: readonly (readonly [unknown, unknown, unknown?])[] = [
      [undefined, name],
      [null, name],
      ['ref/prompt', name],
      [{ type: 'ref/tool', name: 'echo' }, name],
      [{ type: '__proto__' }, name],
      [{ name: 'greet' }, name],
      [{ type: 'ref/prompt' }, name],
      [{ type: 'ref/prompt', name: 'unknown' }, name],
      [{ type: 'ref/prompt', name: ['greet'] }, name],
      [
        { type: 'ref/resource', uri: 'test://other/{id}' },
        { name: 'id', value: '' },
      ],
      [
        { type: 'ref/resource', uri: ['test://item/{id}'] },
        { name: 'id', value: '' },
      ],
      [ITEM, { name: 'other', value: '' }],
      [GREET, { name: 'other', value: '' }],
      [GREET, { name: 'constructor', value: '' }],
      [GREET, undefined],
      [GREET, {}],
      [GREET, { name: 'name' }],
      [GREET, { name: 'name', value: 5 }],
      [GREET, { name: 5, value: '' }],
      [GREET, name, 5],
      [GREET, name, { arguments: 'x' }],
      [GREET, name, { arguments: { tone: 5 } }],
    ];
    for (const [ref, argument, context] of wrong) {
      assertError(await peer.ask(complete(ref, argument, context)), 1, -32602);
    }
  });
}

test('nothing is suggested for what a caller may not see: it is as unknown as what is not there [COMP-11]', async (t) => {
  const peer = await serve(t, rulesServer());
  const hidden = complete({ type: 'ref/prompt', name: 'hidden' }, { name: 'account', value: '' });
  assertError((await peer.post(hidden)).json, 1, -32602, /^Unknown prompt: hidden$/);
  const seen = await peer.post(hidden, { 'X-Admin': 'yes' });
  assert.deepEqual(at(seen.json, 'result', 'completion', 'values'), ['4711']);
});

test('a completer that fails or returns no strings is -32603 [COMP-06]', async (t) => {
  const returns: readonly unknown[] = [5, null, undefined, 'x', [5], { values: 'x' }, { values: [null] }];
  for (const value of [...returns, new Error('the password is hunter2')]) {
    const server = createServer({ name: 's', version: '1' }, { report: () => {} }).prompt(
      'p',
      {
        args: { type: 'object', properties: { a: { type: 'string' } } },
        complete: {
          a: () => {
            if (value instanceof Error) throw value;
            return value as string[];
          },
        },
      },
      () => '',
    );
    const peer = await serve(t, server);
    const answer = await peer.post(complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }));
    assert.equal(answer.status, 500, String(value));
    assertError(answer.json, 1, -32603);
    assert.doesNotMatch(answer.text, /hunter2/);
  }
});
