import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode, LegacyErrorCode, ProtocolError } from 'mcpwire';
import { createServer } from 'mcpwire/server';
import { rulesServer } from '../fixtures/rules-server.ts';
import { serve } from '../support/http-peer.ts';
import { assertError, at, call, CLIENT_CAPABILITIES, request } from '../support/messages.ts';
import { WIRES } from '../support/wires.ts';

test('an error code of the range that JSON-RPC keeps can not be made up [BASE-15] [BASE-18] [BASE-20] [BASE-22]', () => {
  for (let code = -32768; code <= -32000; code++) {
    if (Object.values(ErrorCode).some((defined) => defined === code)) continue;
    assert.throws(() => new ProtocolError(code, 'x'), RangeError, String(code));
  }
  for (const code of Object.values(LegacyErrorCode)) {
    assert.throws(() => new ProtocolError(code, 'x'), RangeError, String(code));
  }
});

test('an error code is an integer [BASE-14]', () => {
  for (const code of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    assert.throws(() => new ProtocolError(code, 'x'), RangeError);
  }
  for (const code of [-32769, -31999, 0, 1, 4711]) assert.equal(new ProtocolError(code, 'x').code, code);
});

test("a tool's own error code and data reach the caller as they are [BASE-13] [BASE-14]", async (t) => {
  const peer = await serve(t, rulesServer());
  const answer = await peer.post(call(1, 'throws_protocol_error'));
  assert.equal(answer.status, 400);
  assert.deepEqual(at(answer.json, 'error'), { code: 4711, message: 'of my own', data: { reason: 'tea' } });
});

test('a question that the client did not declare to understand is -32021 with what it lacks, status 400 [BASE-56] [BASE-57] [BASE-58] [BASE-19]', async (t) => {
  const peer = await serve(t, rulesServer());
  const question = {
    inputRequests: {
      a: { method: 'roots/list' },
    },
  };
  const answer = await peer.post(call(1, 'ask', question));
  assert.equal(answer.status, 400);
  assertError(answer.json, 1, -32021);
  assert.deepEqual(at(answer.json, 'error', 'data'), { requiredCapabilities: { roots: {} } });
  const able = await peer.post(call(2, 'ask', question, { [CLIENT_CAPABILITIES]: { roots: {} } }));
  assert.equal(able.status, 200);
  assert.equal(at(able.json, 'result', 'resultType'), 'input_required');
});

test('all that a question lacks is named at once [BASE-57]', async (t) => {
  const peer = await serve(t, rulesServer());
  const question = {
    inputRequests: {
      a: { method: 'roots/list' },
      b: {
        method: 'elicitation/create',
        params: { message: 'x', requestedSchema: { type: 'object', properties: {} } },
      },
    },
  };
  const answer = await peer.post(call(1, 'ask', question));
  assert.deepEqual(at(answer.json, 'error', 'data'), {
    requiredCapabilities: { roots: {}, elicitation: { form: {} } },
  });
});

for (const [wire, start] of Object.entries(WIRES)) {
  test(`no failure makes a server over ${wire} emit a code outside the specification [BASE-18] [BASE-19] [BASE-20]`, async (t) => {
    const peer = await start(t);
    const allowed = new Set<unknown>(Object.values(ErrorCode));
    const provoking = [
      request(1, 'nonsense'),
      request(2, 'resources/read', { uri: 'test://nowhere' }),
      request(3, 'resources/read', { uri: 'test://broken' }),
      request(4, 'tools/call', { name: 'unknown' }),
      request(5, 'prompts/get', { name: 'greet' }),
      request(6, 'tools/list', { cursor: '!' }),
      request(7, 'tools/list', {}, { 'io.modelcontextprotocol/protocolVersion': '1999-01-01' }),
      request(8, 'subscriptions/listen', {}),
      call(9, 'ask', { inputRequests: { a: { method: 'roots/list' } } }),
      call(10, 'returns_cycle_in_meta'),
    ];
    for (const message of provoking) {
      const answer = await peer.ask(message);
      assert.ok(allowed.has(at(answer, 'error', 'code')), JSON.stringify(answer));
    }
  });
}

test('middleware that throws something of its own is -32603 and 500, without its words [BASE-13]', async (t) => {
  const server = createServer({ name: 's', version: '1' }).use(() => () => {
    throw new Error('the password is hunter2');
  });
  const peer = await serve(t, server);
  const answer = await peer.post(request(1, 'server/discover'));
  assert.equal(answer.status, 500);
  assertError(answer.json, 1, -32603);
  assert.doesNotMatch(answer.text, /hunter2/);
});
