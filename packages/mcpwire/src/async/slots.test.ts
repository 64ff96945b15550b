import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slots } from './slots.ts';

test('as many jobs run as there are slots; the others start in the order they came', () => {
  const waiting: number[] = [];
  const slots = new Slots(2, (count) => waiting.push(count));
  const started: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) slots.enter(() => started.push(name));
  assert.deepEqual(started, ['a', 'b']);
  slots.leave();
  assert.deepEqual(started, ['a', 'b', 'c']);
  slots.leave();
  slots.leave();
  slots.leave();
  assert.deepEqual(started, ['a', 'b', 'c', 'd']);
  assert.equal(slots.running, 0);
  assert.deepEqual(waiting, [1, 2, 1, 0]);
});

test('whoever waits for nothing to run is woken by the last that leaves, or at once', async () => {
  const slots = new Slots(Number.POSITIVE_INFINITY);
  await slots.idle();
  slots.enter(() => {});
  slots.enter(() => {});
  let isIdle = false;
  const both = Promise.all([slots.idle(), slots.idle()]).then(() => {
    isIdle = true;
  });
  slots.leave();
  await Promise.resolve();
  assert.equal(isIdle, false);
  slots.leave();
  await both;
});
