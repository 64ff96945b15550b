import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { ask, callTool, connectTo, questionsOf } from '../support/legacy-back.ts';
import type { MessageLink } from '../support/message-link.ts';
import type { Json } from '../support/messages.ts';
import { at } from '../support/messages.ts';
import { askingServer, sdkLink } from '../support/sdk-server.ts';

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

test('2,000 calls that ask, 100 at a time, some of them left at any moment: every other one has its own answer, nothing stays', async (t) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  t.after(() => process.off('warning', onWarning));
  let link: MessageLink | undefined;
  const { server, reports } = await connectTo(t, async (events) => {
    link = (await sdkLink(askingServer())(events)) as MessageLink;
    return link;
  });
  const random = numbers(7);
  let done = 0;
  let left = 0;

  const drive = async (name: string, signal: AbortSignal): Promise<Json> => {
    const params = { name: 'rounds', arguments: { of: name, count: 2 } };
    let result = await ask(server, 'tools/call', params, { signal });
    while (result['resultType'] === 'input_required') {
      const inputResponses = Object.fromEntries(
        questionsOf(result).map(([key, question]) => [
          key,
          { action: 'accept', content: { name: at(question, 'params', 'message') } },
        ]),
      );
      const { requestState } = result;
      result = await ask(server, 'tools/call', { ...params, inputResponses, requestState }, { signal });
    }
    return result;
  };

  const one = async (index: number): Promise<void> => {
    const leaving = new AbortController();
    const isLeft = random() < 0.3;
    if (isLeft) setTimeout(() => leaving.abort(new Error('left')), random() * 20);
    try {
      const result = await drive(`call ${index}`, leaving.signal);
      const texts = [0, 1].map((round) => `accept {"name":"call ${index} ${round}"}`);
      assert.equal(at(result, 'content', 0, 'text'), texts.join('; '));
      done++;
    } catch (error) {
      assert.match(String(error), /left/);
      left++;
    }
  };
  for (let start = 0; start < 2000; start += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, index) => one(start + index)));
  }
  assert.equal(done + left, 2000);
  assert.ok(left > 100 && done > 1000, `${done} done, ${left} left`);
  assert.equal(link?.open, 0, 'nothing waits for the server');
  assert.deepEqual(reports, []);
  assert.deepEqual(warnings, []);
  assert.equal((await callTool(server, 'roots', {}))['resultType'], 'input_required');
});
