import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legacyServer } from '../fixtures/legacy-server.ts';
import { serve } from '../support/http-peer.ts';
import {
  ASKABLE,
  cancelled,
  form,
  initialize,
  legacy,
  legacyCall,
  ROOTS,
  sample,
  url,
} from '../support/legacy-messages.ts';
import type { Answerer } from '../support/legacy-wire.ts';
import { HttpSession } from '../support/legacy-wire.ts';
import { LEGACY_WIRES } from '../support/legacy-wires.ts';
import type { Json } from '../support/messages.ts';
import { assertError, at, textOf } from '../support/messages.ts';
import { startStdio } from '../support/stdio-peer.ts';

/** A call of the tool that asks what it is given, and tells what it was answered. */
function ask(id: unknown, inputRequests: Json, more: Json = {}): Json {
  return legacyCall(id, 'ask', { inputRequests, ...more });
}

const RESULTS: Json = {
  'elicitation/create': { action: 'accept', content: { name: 'Ada' } },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' },
  'roots/list': { roots: [{ uri: 'file:///home', name: 'home' }] },
};

const obliging: Answerer = (question) => ({ result: RESULTS[String(at(question, 'method'))] });
const failing: Answerer = () => ({ error: { code: -32603, message: 'no window' } });

function answered(answer: unknown): unknown {
  const text = textOf(answer);
  assert.match(text, /^answered /);
  return JSON.parse(text.slice('answered '.length));
}

for (const [wire, start] of Object.entries(LEGACY_WIRES)) {
  for (const version of ['2025-11-25', '2025-06-18']) {
    test(`elicitation, sampling and roots are asked as real requests and answered, to a client of ${version} over ${wire} [${version} client/elicitation, client/sampling, client/roots]`, async (t) => {
      const peer = await start(t, version, ASKABLE);
      for (const [key, question] of Object.entries({ f: form(), s: sample(), r: ROOTS })) {
        const messages = await peer.exchange(ask(1, { [key]: question }), obliging);
        assert.equal(messages.length, 2);
        const method = String(at(question, 'method'));
        assert.equal(at(messages[0], 'method'), method);
        assert.equal(at(messages[0], 'jsonrpc'), '2.0');
        assert.ok(Number.isSafeInteger(at(messages[0], 'id')), 'some clients read integers alone');
        assert.deepEqual(answered(messages[1]), { [key]: RESULTS[method] });
      }
    });
  }

  for (const version of ['2025-03-26', '2024-11-05']) {
    test(`a client of ${version} is asked for sampling and roots, and not for what it can't know, over ${wire}`, async (t) => {
      const peer = await start(t, version, ASKABLE);
      const both = await peer.exchange(ask(1, { s: sample(), r: ROOTS }), obliging);
      assert.equal(both.length, 3);
      const elicited = await peer.exchange(ask(2, { f: form() }), obliging);
      assert.equal(elicited.length, 1);
      assert.equal(
        textOf(elicited[0]),
        "This can't be done: the client does not support elicitation.form, which this needs.",
      );
      assert.equal(at(elicited[0], 'result', 'isError'), true);
    });
  }

  test(`questions of one round are asked together and answered in any order, over ${wire} [issue 3: concurrently]`, async (t) => {
    const peer = await start(t, '2025-11-25', ASKABLE);
    const open: unknown[] = [];
    const reply = async (): Promise<void> => {
      for (const question of open.toReversed()) {
        const result = RESULTS[String(at(question, 'method'))];
        await peer.tell({ jsonrpc: '2.0', id: at(question, 'id'), result });
      }
    };
    let replied: Promise<void> | undefined;
    const answer = await peer.ask(
      ask(1, { f: form(), g: form('Other?'), s: sample(), r: ROOTS }),
      (question) => {
        open.push(question);
        if (open.length === 4) replied = reply();
        return undefined;
      },
    );
    await replied;
    assert.deepEqual(answered(answer), {
      f: RESULTS['elicitation/create'],
      g: RESULTS['elicitation/create'],
      s: RESULTS['sampling/createMessage'],
      r: RESULTS['roots/list'],
    });
  });

  test(`several rounds: requestState comes back as it was, each time with the answers of its round alone, over ${wire} [MRTR]`, async (t) => {
    const peer = await start(t, '2025-11-25', ASKABLE);
    const messages = await peer.exchange(legacyCall(1, 'rounds', { count: 3 }), obliging);
    assert.deepEqual(
      messages.slice(0, -1).map((message) => at(message, 'params', 'message')),
      ['Round 1', 'Round 2', 'Round 3'],
    );
    const last = JSON.stringify({ round_3: RESULTS['elicitation/create'] });
    assert.equal(textOf(messages.at(-1)), `after 3 rounds: ${last}`);
  });

  test(`a result that asks nothing and has a state is followed by the same request after a while, over ${wire}`, async (t) => {
    const peer = await start(t, '2025-11-25');
    const answer = await peer.ask(legacyCall(1, 'rounds', { count: 2, bare: true }));
    assert.equal(textOf(answer), 'after 2 rounds: undefined');
  });

  test(`an error for an answer is a cancelled form, and the end of a call that sampled or wanted roots, over ${wire}`, async (t) => {
    const peer = await start(t, '2025-11-25', ASKABLE);
    assert.deepEqual(answered(await peer.ask(ask(1, { f: form() }), failing)), { f: { action: 'cancel' } });
    for (const question of [sample(), ROOTS]) {
      const answer = await peer.ask(ask(2, { q: question }), failing);
      assert.equal(at(answer, 'result', 'isError'), true);
      assert.match(textOf(answer), /the client did not answer .* \(q\): no window/);
    }
  });

  test(`decline and cancel are answers, over ${wire} [client/elicitation "Response Actions"]`, async (t) => {
    const peer = await start(t, '2025-06-18', ASKABLE);
    for (const action of ['decline', 'cancel']) {
      const answer = await peer.ask(ask(1, { f: form() }), () => ({ result: { action } }));
      assert.deepEqual(answered(answer), { f: { action } });
    }
  });

  test(`a question that is never answered ends with its time, and is withdrawn, over ${wire} [issue 3: waits with bounds]`, async (t) => {
    const peer = await start(t, '2025-11-25', ASKABLE, { questionTimeoutMs: 30 });
    const messages = await peer.exchange(ask(1, { f: form() }));
    assert.deepEqual(
      messages.map((message) => at(message, 'method')),
      ['elicitation/create', 'notifications/cancelled', undefined],
    );
    assert.equal(at(messages[1], 'params', 'requestId'), at(messages[0], 'id'));
    assert.deepEqual(answered(messages.at(-1)), { f: { action: 'cancel' } });
    const sampled = await peer.ask(ask(2, { s: sample() }));
    assert.match(textOf(sampled), /did not answer sampling\/createMessage \(s\): no answer in time/);
  });

  test(`when one question fails the others are withdrawn at once, over ${wire}`, async (t) => {
    const peer = await start(t, '2025-11-25', ASKABLE);
    const messages = await peer.exchange(ask(1, { f: form(), s: sample() }), (question) =>
      at(question, 'method') === 'sampling/createMessage' ? failing(question) : undefined,
    );
    assert.deepEqual(
      messages.map((message) => at(message, 'method')),
      ['elicitation/create', 'sampling/createMessage', 'notifications/cancelled', undefined],
    );
    assert.equal(at(messages[2], 'params', 'requestId'), at(messages[0], 'id'));
    assert.equal(at(messages[3], 'result', 'isError'), true);
    assert.deepEqual(answered(await peer.ask(ask(2, { f: form() }), obliging)), {
      f: RESULTS['elicitation/create'],
    });
  });

  test(`when one question can't be asked none is, and the text names the capability, never -32021, over ${wire}`, async (t) => {
    const peer = await start(t, '2025-11-25', { elicitation: {} });
    for (const [questions, named] of [
      [{ f: form(), r: ROOTS }, 'roots'],
      [{ u: url() }, 'elicitation.url'],
      [{ s: sample(), u: url() }, 'sampling, elicitation.url'],
    ] as const) {
      const messages = await peer.exchange(ask(1, questions), obliging);
      assert.equal(messages.length, 1, JSON.stringify(messages));
      assert.equal(
        textOf(messages[0]),
        `This can't be done: the client does not support ${named}, which this needs.`,
      );
      assert.doesNotMatch(JSON.stringify(messages), /-32021/);
    }
    assert.deepEqual(answered(await peer.ask(ask(2, { f: form() }), obliging)), {
      f: RESULTS['elicitation/create'],
    });
  });

  test(`rounds are bounded: one more ends in an error, over ${wire} [issue 3: bounds]`, async (t) => {
    const peer = await start(t, '2025-11-25', ASKABLE, { maxRounds: 2 });
    assert.match(textOf(await peer.ask(legacyCall(1, 'rounds', { count: 2 }), obliging)), /^after 2 rounds/);
    const messages = await peer.exchange(legacyCall(2, 'rounds', { count: 3 }), obliging);
    assert.equal(messages.length, 3, 'a question whose answer nobody would take is not asked');
    assertError(messages.at(-1), 2, -32603, /more than 2 rounds/);
  });

  test(`questions that wait are bounded: one more ends its call, and withdraws what it asked, over ${wire} [issue 3: bounds]`, async (t) => {
    const peer = await start(t, '2025-11-25', ASKABLE, { maxQuestions: 2 });
    const messages = await peer.exchange(ask(1, { a: form(), b: form(), c: form() }));
    assert.deepEqual(
      messages.map((message) => at(message, 'method')),
      [
        'elicitation/create',
        'elicitation/create',
        'notifications/cancelled',
        'notifications/cancelled',
        undefined,
      ],
    );
    assertError(messages.at(-1), 1, -32603, /at most 2 questions/);
    assert.equal((await peer.exchange(ask(2, { a: form(), b: form() }), obliging)).length, 3);
  });

  test(`what a legacy client sends as inputResponses or requestState is not taken for answers, over ${wire}`, async (t) => {
    const peer = await start(t, '2025-11-25');
    const call = legacyCall(1, 'rounds', { count: 0 });
    const params = { ...(call['params'] as Json), inputResponses: { a: {} }, requestState: 'state 9' };
    assert.equal(textOf(await peer.ask({ ...call, params })), 'after 0 rounds: undefined');
  });

  test(`URL elicitation on 2025-11-25 has an id, and complete is told when the call asks no more, over ${wire} [2025-11-25 client/elicitation "URL Mode"]`, async (t) => {
    const peer = await start(t, '2025-11-25', ASKABLE);
    const messages = await peer.exchange(ask(1, { u: url(), r: ROOTS }), (question) =>
      at(question, 'params', 'mode') === 'url' ? { result: { action: 'accept' } } : obliging(question),
    );
    const question = messages.find((message) => at(message, 'params', 'mode') === 'url');
    const { elicitationId, ...params } = at(question, 'params') as { elicitationId: string };
    assert.deepEqual(params, { mode: 'url', message: 'Pay', url: 'https://example.com/pay' });
    assert.match(elicitationId, /^[0-9a-f-]{36}$/);
    assert.deepEqual(messages.at(-2), {
      jsonrpc: '2.0',
      method: 'notifications/elicitation/complete',
      params: { elicitationId },
    });
    assert.deepEqual(answered(messages.at(-1)), { u: { action: 'accept' }, r: RESULTS['roots/list'] });
  });

  test(`a URL that the person declined was never opened: nothing is told to be complete, over ${wire}`, async (t) => {
    const peer = await start(t, '2025-11-25', ASKABLE);
    const messages = await peer.exchange(ask(1, { u: url() }), () => ({ result: { action: 'decline' } }));
    assert.equal(messages.length, 2);
    assert.deepEqual(answered(messages[1]), { u: { action: 'decline' } });
  });

  test(`a client of 2025-06-18 that can't be asked for several choices is told so by the tool, over ${wire}`, async (t) => {
    const peer = await start(t, '2025-06-18', ASKABLE);
    const several = { tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } } };
    const answer = await peer.ask(ask(1, { f: form('Which?', several) }), obliging);
    assert.equal(at(answer, 'result', 'isError'), true);
    assert.match(textOf(answer), /can't be asked \(f\): the field tags takes several choices/);
  });

  test(`a prompt or resource that can't ask is an error of its own, over ${wire}`, async (t) => {
    const peer = await start(t, '2025-11-25');
    const answer = await peer.ask(legacy(1, 'prompts/get', { name: 'asking' }));
    assertError(answer, 1, -32603, /does not support roots/);
  });
}

test('a client cancels while a question is open: the question is withdrawn, the POST ends, the handler is not called again [issue 3]', async (t) => {
  let runs = 0;
  const server = legacyServer().tool('counted', {}, () => {
    runs++;
    return { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } } };
  });
  const session = await HttpSession.start(await serve(t, server), '2025-11-25', ASKABLE);
  const stream = await session.open(legacyCall(1, 'counted'));
  const question = await stream.message();
  await session.tell(cancelled(1));
  assert.deepEqual(at(await stream.message(), 'params', 'requestId'), at(question, 'id'));
  assert.equal(await stream.ended, true);
  assert.deepEqual(stream.rest(), []);
  await session.tell({ jsonrpc: '2.0', id: at(question, 'id'), result: { roots: [] } });
  assert.deepEqual(at(await session.ask(legacy(2, 'ping')), 'result'), {});
  assert.equal(runs, 1);
});

test('a client cancels while a question is open, on stdio: the question is withdrawn and no answer follows', async (t) => {
  const peer = startStdio(t, {}, 'run-legacy-stdio.js');
  await peer.ask(initialize('2025-11-25', ASKABLE));
  peer.send(ask(1, { f: form() }));
  const question = await peer.next();
  peer.send(cancelled(1));
  const withdrawal = await peer.next();
  assert.equal(at(withdrawal, 'method'), 'notifications/cancelled');
  assert.equal(at(withdrawal, 'params', 'requestId'), at(question, 'id'));
  assert.deepEqual(await peer.exchange(legacy(2, 'ping')), [{ jsonrpc: '2.0', id: 2, result: {} }]);
});

test('a client that ends its input while a question is open still gets the answer of its call, at once [stdio]', async (t) => {
  const peer = startStdio(t, {}, 'run-legacy-stdio.js');
  await peer.ask(initialize('2025-11-25', ASKABLE));
  peer.send(ask(1, { f: form() }));
  await peer.next();
  peer.closeInput();
  assert.deepEqual(answered(await peer.next()), { f: { action: 'cancel' } });
  assert.equal(await peer.exited, 0);
});

test('an answer from another session, or to no question, changes nothing and is accepted', async (t) => {
  const peer = await serve(t, legacyServer());
  const one = await HttpSession.start(peer, '2025-11-25', ASKABLE);
  const two = await HttpSession.start(peer, '2025-11-25', ASKABLE);
  const stream = await one.open(ask(1, { f: form() }));
  const question = await stream.message();
  const forged = { jsonrpc: '2.0', id: at(question, 'id'), result: { action: 'accept', content: {} } };
  await two.tell(forged);
  await one.tell({ ...forged, id: String(at(question, 'id')) });
  await one.tell({ ...forged, id: Number(at(question, 'id')) + 1 });
  await one.tell({ ...forged, result: { action: 'decline' } });
  assert.deepEqual(answered(await stream.message()), { f: { action: 'decline' } });
});

test('the questions of two processes, or of one that was started again, have different ids: a late answer meets none', async (t) => {
  const ids = new Set<unknown>();
  for (let round = 0; round < 4; round++) {
    const session = await HttpSession.start(await serve(t, legacyServer()), '2025-11-25', ASKABLE);
    const [question] = await session.exchange(ask(1, { f: form() }), obliging);
    ids.add(at(question, 'id'));
  }
  assert.equal(ids.size, 4);
});
