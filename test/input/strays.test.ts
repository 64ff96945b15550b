import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHttpFixture } from '../support/fixture-process.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { at, call, CLIENT_CAPABILITIES, textOf } from '../support/messages.ts';

const ABLE = { [CLIENT_CAPABILITIES]: { elicitation: { form: {} } } };

test('what a suspended handler leaves behind does not end the process, whoever awaits it', async (t) => {
  const { port } = await startHttpFixture(t, {}, 'run-strays.js');
  const peer = new HttpPeer(port);
  const expected = {
    one_after_the_other: 'input_required',
    bound_to_the_signal: 'input_required',
    not_awaited: 'complete',
    asks_too_late: 'complete',
    tries_again: 'input_required',
  };
  for (const [name, resultType] of Object.entries(expected)) {
    const { json } = await peer.post(call(1, name, {}, ABLE));
    assert.equal(at(json, 'result', 'resultType'), resultType, name);
    // The process had every chance to end: a later call on another connection is answered.
    assert.equal(at((await peer.post(call(2, name, {}, ABLE))).json, 'result', 'resultType'), resultType);
  }
});

test('a rejection that is no end of a call still ends the process, as it would without this library', async (t) => {
  const { port, exited } = await startHttpFixture(t, {}, 'run-strays.js');
  assert.equal(textOf((await new HttpPeer(port).post(call(1, 'fails_for_real'))).json), 'done');
  assert.deepEqual(await exited, [1, null]);
});
