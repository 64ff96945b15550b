import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { at, listAt } from '../support/messages.ts';
import { overHttp, overStdio } from './example-client.ts';

const DICE = '.build/examples/dice.js';

test("the README's example is the file that the tests below run", () => {
  const [, example] = /```ts\n(.*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];
  assert.equal(example, readFileSync('examples/dice.ts', 'utf8'));
});

const CASES = [
  ['stdio', overStdio, { pin: '2026-07-28' }],
  ['stdio', overStdio, 'legacy'],
  ['HTTP', overHttp, { pin: '2026-07-28' }],
  ['HTTP', overHttp, 'legacy'],
] as const;

for (const [transport, connect, era] of CASES) {
  const version = era === 'legacy' ? '2025-11-25' : era.pin;
  test(`the README's example rolls dice over ${transport}, revision ${version}`, async (t) => {
    const { client, stop } = await connect([DICE], era);
    t.after(stop);
    assert.equal(client.getNegotiatedProtocolVersion(), version);
    const result = await client.callTool({ name: 'roll', arguments: { count: 3 } });
    const rolls = listAt(result, 'structuredContent', 'rolls');
    assert.equal(rolls.length, 3);
    for (const roll of rolls) assert.ok([1, 2, 3, 4, 5, 6].includes(Number(roll)));
    const wrong = await client.callTool({ name: 'roll', arguments: { count: 0 } });
    assert.equal(wrong.isError, true);
    assert.match(String(at(wrong, 'content', 0, 'text')), /\/count/);
  });
}
