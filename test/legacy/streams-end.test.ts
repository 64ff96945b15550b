import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import fc from 'fast-check';
import { createServer } from 'mcpwire/server';
import type { Server } from 'mcpwire/server';
import type { HttpAnswer } from '../support/http-peer.ts';
import { serve } from '../support/http-peer.ts';
import { cancelled, legacy, legacyCall } from '../support/legacy-messages.ts';
import { HttpSession } from '../support/legacy-wire.ts';
import type { Json } from '../support/messages.ts';
import { at } from '../support/messages.ts';

/** What a client may do next. Ids are few, so that they meet. */
type Action =
  | { readonly do: 'call'; readonly id: number; readonly tool: Tool }
  | { readonly do: 'cancel'; readonly id: number }
  | { readonly do: 'batch'; readonly calls: readonly (readonly [number, Tool])[]; readonly cancel: number }
  | { readonly do: 'abandon'; readonly id: number; readonly tool: Tool };

const TOOLS = ['plain', 'late', 'noisy', 'waits', 'noisy_waits', 'asks', 'deaf'] as const;
type Tool = (typeof TOOLS)[number];

const id = fc.integer({ min: 1, max: 4 });
const tool = fc.constantFrom(...TOOLS);
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant('call' as const), id, tool }),
  fc.record({ do: fc.constant('cancel' as const), id }),
  fc.record({
    do: fc.constant('batch' as const),
    calls: fc.array(fc.tuple(id, tool), { minLength: 1, maxLength: 3 }),
    cancel: id,
  }),
  fc.record({ do: fc.constant('abandon' as const), id, tool }),
);

/** Tools of every kind: quick and slow ones, ones that notify, ask, wait for their end, or don't hear of it. */
function toolServer(): Server {
  const untilAborted = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve());
    });
  return createServer({ name: 's', version: '1' }, { report: () => {} })
    .tool('plain', {}, () => 'plain')
    .tool('late', {}, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return 'late';
    })
    .tool('noisy', {}, async (_args, context) => {
      await context.progress(1);
      return 'noisy';
    })
    .tool('waits', {}, async (_args, context) => {
      await untilAborted(context.signal);
      return 'too late';
    })
    .tool('noisy_waits', {}, async (_args, context) => {
      await context.progress(1);
      await untilAborted(context.signal);
      await context.progress(2);
      return 'too late';
    })
    .tool('asks', {}, (_args, context) =>
      context.inputResponses === undefined
        ? { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } } }
        : 'asked',
    )
    .tool('deaf', {}, async (_args, context) => {
      await untilAborted(context.signal);
      await new Promise((resolve) => setImmediate(resolve));
      await context.progress(5);
      throw new Error('deaf');
    });
}

const message = (callId: number, name: Tool): Json => legacyCall(callId, name, {}, { progressToken: callId });

/** Does it all at once, then cancels whatever may still run, and waits until every POST is over. */
async function play(session: HttpSession, actions: readonly Action[]): Promise<void> {
  const posts: Promise<HttpAnswer | undefined>[] = [];
  for (const next of actions) {
    if (next.do === 'call') posts.push(session.post(message(next.id, next.tool)));
    else if (next.do === 'cancel') posts.push(session.post(cancelled(next.id)));
    else if (next.do === 'batch') {
      posts.push(
        session.post([...next.calls.map(([one, name]) => message(one, name)), cancelled(next.cancel)]),
      );
    } else posts.push(abandon(session, message(next.id, next.tool)));
  }
  let open = posts.length;
  const all = Promise.all(
    posts.map((post) =>
      post.finally(() => {
        open--;
      }),
    ),
  );
  // What waits for its end, or for an answer that never comes, gets it now; a request may still be on its way.
  while (open > 0) {
    for (const one of [1, 2, 3, 4]) await session.post(cancelled(one));
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const answer of await all) if (answer !== undefined) checkAnswer(answer);
}

/** Sends a request and leaves before its answer: it goes on, and may be cancelled like any other. */
async function abandon(session: HttpSession, request: Json): Promise<undefined> {
  const headers = { 'Content-Type': 'application/json', ...session.headers() };
  const starting = session.peer.start('POST', headers, JSON.stringify(request));
  const { response, abort } = await starting;
  response.on('error', () => {});
  response.resume();
  abort();
  return undefined;
}

function checkAnswer(answer: HttpAnswer): void {
  assert.ok([200, 202].includes(answer.status), `${answer.status} ${answer.text}`);
  if (answer.headers['content-type'] !== 'text/event-stream') return;
  const messages = answer.text
    .split('\n')
    .filter((line) => line.startsWith('data: {') || line.startsWith('data: ['))
    .map((line): unknown => JSON.parse(line.slice(6)));
  const answers = messages.filter((one) => Array.isArray(one) || at(one, 'method') === undefined);
  assert.ok(answers.length <= 1, answer.text);
  if (answers.length === 1) assert.equal(messages.at(-1), answers[0], 'the answer is the last message');
}

async function holds(t: TestContext, version: string, runs: number): Promise<void> {
  const peer = await serve(t, toolServer(), { legacy: { maxSessions: 4 } });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async (actions) => {
      const session = await HttpSession.start(peer, version, { roots: {} });
      const usable = version === '2025-03-26' ? actions : actions.filter((next) => next.do !== 'batch');
      await play(session, usable);
      assert.deepEqual((await session.post(legacy('last', 'ping'))).json, {
        jsonrpc: '2.0',
        id: 'last',
        result: {},
      });
      // Were anything left running, the session would be busy and its place taken: there are four.
    }),
    { numRuns: runs },
  );
}

for (const version of ['2025-03-26', '2025-11-25']) {
  test(
    `after any sequence of calls, cancellations, batches and lost connections every stream of a finished request ends, with ${version} [issue 3]`,
    { timeout: 60_000 },
    (t) => holds(t, version, 40),
  );
}
