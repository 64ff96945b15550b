import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ToolCallResult } from 'mcpwire/client';
import { CONNECTIONS } from '../support/connections.ts';

const CALLS = 10_000;
const AT_ONCE = 100;

// The heap is looked at twice, so that what is only slow to be collected is no leak.
for (const way of ['in this process', 'stdio, modern', 'stdio, legacy', 'HTTP, modern', 'HTTP, legacy']) {
  test(
    `${way}: of ${CALLS} calls, ${AT_ONCE} at once and some cancelled, nothing is left and no answer is another's`,
    { timeout: 170_000 },
    async (t) => {
      const warnings: string[] = [];
      const warn = (warning: Error): number => warnings.push(String(warning));
      process.on('warning', warn);
      t.after(() => process.off('warning', warn));
      const client = await CONNECTIONS[way]?.(t);
      assert.ok(client !== undefined);
      let next = 0;
      const counts = { answered: 0, cancelled: 0 };
      const work = async (): Promise<void> => {
        while (next < CALLS) {
          const a = next++;
          const controller = new AbortController();
          const isCancelled = (a * 7919) % 5 === 0;
          const calling: Promise<ToolCallResult> = client.call(
            'add',
            { a, b: 1 },
            { signal: controller.signal },
          );
          if (isCancelled) cancelIn(a % 4, controller);
          try {
            assert.deepEqual((await calling).structured, { sum: a + 1 });
            counts.answered++;
          } catch (error) {
            assert.ok(isCancelled, String(error));
            counts.cancelled++;
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      assert.equal(counts.answered + counts.cancelled, CALLS);
      assert.ok(counts.cancelled > 100, JSON.stringify(counts));
      assert.equal(client.pending, 0);
      // A leak grows each time; what compilers and caches keep does not.
      let grown = Infinity;
      for (let pass = 0; pass < 3 && grown > 100 * CALLS; pass++) {
        const before = await heap();
        next = 0;
        await Promise.all(Array.from({ length: AT_ONCE }, work));
        grown = (await heap()) - before;
      }
      assert.ok(grown <= 100 * CALLS, `the heap grew by ${grown} bytes over ${CALLS} calls`);
      assert.equal(client.pending, 0);
      assert.deepEqual(warnings, []);
    },
  );
}

function cancelIn(turns: number, controller: AbortController): void {
  if (turns === 0) controller.abort(new Error('enough'));
  else setImmediate(() => cancelIn(turns - 1, controller));
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function heap(): Promise<number> {
  // What was to be cancelled later is: calls that need no turn of the loop leave it no time.
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
