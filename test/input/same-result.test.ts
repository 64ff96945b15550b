import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { Asking, Server } from 'mcpwire/server';
import { createServer } from 'mcpwire/server';
import type { Json } from '../support/messages.ts';
import { accept, callTool, questionsOf, text } from './rounds.ts';

/** What a random handler does, in order; the branches of `together` run side by side. */
type Action =
  | { readonly do: 'elicit' | 'elicitUrl' | 'sample' | 'roots' | 'step'; readonly value: number }
  | { readonly do: 'pause'; readonly value: number }
  | { readonly do: 'together'; readonly branches: readonly (readonly Action[])[] };

const leaf: fc.Arbitrary<Action> = fc.record({
  do: fc.constantFrom('elicit', 'elicitUrl', 'sample', 'roots', 'step', 'pause'),
  value: fc.integer({ min: 0, max: 5 }),
});
const { actions } = fc.letrec<{ actions: Action[]; action: Action }>((tie) => ({
  action: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: leaf, weight: 4 },
    {
      arbitrary: fc.record({
        do: fc.constant('together' as const),
        branches: fc.array(tie('actions'), { minLength: 2, maxLength: 3 }),
      }),
      weight: 1,
    },
  ),
  actions: fc.array(tie('action'), { maxLength: 4, depthIdentifier: 'handler' }),
}));

/** Runs the actions with what can be asked: the same code for the server and for immediate answers. */
async function run(
  plan: readonly Action[],
  asking: Asking,
  effects: string[],
  path = '',
): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const [index, action] of plan.entries()) {
    const key = `${path}${index}`;
    // What was learned so far decides what is asked: replayed otherwise, it would be found out.
    const message = `${key} ${JSON.stringify(results)}`;
    switch (action.do) {
      case 'elicit':
        results.push(
          await asking.elicit(key, {
            message,
            schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
          }),
        );
        break;
      case 'elicitUrl':
        results.push(await asking.elicitUrl(key, { message, url: `https://a.example/${index}` }));
        break;
      case 'sample':
        results.push(
          await asking.sample(key, {
            messages: [{ role: 'user', content: { type: 'text', text: message } }],
            maxTokens: 5,
          }),
        );
        break;
      case 'roots':
        results.push(await asking.roots(key));
        break;
      case 'step':
        results.push(
          await asking.step(key, async () => {
            if (action.value > 2) await pause(action.value - 2);
            effects.push(key);
            return { key, value: action.value };
          }),
        );
        break;
      case 'pause':
        await pause(action.value);
        break;
      case 'together':
        results.push(
          await Promise.all(
            action.branches.map((branch, at) => run(branch, asking, effects, `${key}.${at}.`)),
          ),
        );
        break;
    }
  }
  return results;
}

/** The answer to a question, by its key alone: the same from a client and at once. */
function answerTo(key: string, method: string): Json {
  const number = Array.from(key).reduce((sum, character) => sum + character.charCodeAt(0), 0);
  if (method === 'roots/list') return { roots: [{ uri: `file:///${key}` }] };
  if (method === 'sampling/createMessage') {
    return { role: 'assistant', content: { type: 'text', text: key }, model: 'm' };
  }
  return [accept({ n: number }), { action: 'decline' }, { action: 'cancel' }][number % 3] ?? {};
}

/** Somebody who answers at once. */
function immediate(): Asking {
  const form = (key: string): Json => answerTo(key, 'elicitation/create');
  return {
    elicit: async (key) => form(key) as never,
    elicitUrl: async (key) => ({ action: form(key)['action'] }) as never,
    sample: async (key) => answerTo(key, 'sampling/createMessage') as never,
    roots: async (key = 'roots') => answerTo(key, 'roots/list')['roots'] as never,
    step: async (_name, step) => step(),
    can: () => true,
  };
}

const SECRETS = ['one', 'two', 'three'].map((name) => `the ${name} secret of a fleet that rotates its keys`);

/** Three instances that seal with different secrets and open all of them, as in the middle of a rotation. */
function fleetOf(plan: readonly Action[], effects: string[]): readonly Server[] {
  return SECRETS.map((secret) => {
    const secrets = [secret, ...SECRETS.filter((other) => other !== secret)];
    return createServer({ name: 'f', version: '1' }, { input: { secrets, maxStateLength: 200_000 } }).tool(
      't',
      {},
      async (_args, context) => JSON.stringify(await run(plan, context, effects)),
    );
  });
}

async function drive(
  fleet: readonly Server[],
  pick: () => number,
  leaveOut: () => boolean,
): Promise<{ said: string; rounds: number }> {
  let retry: Json = {};
  for (let rounds = 0; rounds < 200; rounds++) {
    const server = fleet[pick() % fleet.length];
    assert.ok(server !== undefined);
    const result = await callTool(server, 't', retry);
    if (result['resultType'] !== 'input_required') return { said: text(result), rounds };
    const asked = Object.entries(questionsOf(result));
    const answers = asked
      .filter(() => !leaveOut())
      .map(([key, question]) => [key, answerTo(key, String((question as Json)['method']))] as const);
    retry = { inputResponses: Object.fromEntries(answers), requestState: result['requestState'] };
  }
  throw new Error('no end');
}

test('any handler of asks, steps and pauses gives, over many rounds and instances, what it gives with immediate answers, and runs each step once', async () => {
  await fc.assert(
    fc.asyncProperty(actions, fc.infiniteStream(fc.nat(7)), async (plan, random) => {
      const stream = random[Symbol.iterator]();
      const next = (): number => Number(stream.next().value ?? 0);
      const expectedEffects: string[] = [];
      const expected = JSON.stringify(await run(plan, immediate(), expectedEffects));
      const effects: string[] = [];
      const { said } = await drive(fleetOf(plan, effects), next, () => next() === 0);
      assert.equal(said, expected);
      assert.deepEqual(effects.toSorted(), expectedEffects.toSorted());
    }),
    { numRuns: 150, endOnFailure: false },
  );
});
