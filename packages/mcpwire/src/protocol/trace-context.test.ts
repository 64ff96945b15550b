import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTraceContext } from './trace-context.ts';

const ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const traceparent = `00-${ID}-${SPAN}-01`;

test('a traceparent of the W3C format is read, anything else is ignored [BASE-63]', () => {
  for (const good of [traceparent, `00-${ID}-${SPAN}-00`, `cc-${ID}-${SPAN}-01-what-the-future-brings`]) {
    assert.deepEqual(readTraceContext({ traceparent: good }), { traceparent: good });
  }
  const bad: readonly unknown[] = [
    undefined,
    null,
    5,
    {},
    '',
    `ff-${ID}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${ID}-${'0'.repeat(16)}-01`,
    `00-${ID.toUpperCase()}-${SPAN}-01`,
    `00-${ID}-${SPAN}-1`,
    `00-${ID}-${SPAN}`,
    `00-${ID}-${SPAN}-01-more`,
    `00-${ID}-${SPAN}-01 `,
    ` 00-${ID}-${SPAN}-01`,
    `00-${ID}-${SPAN}-01\n`,
    `cc-${ID}-${SPAN}-01.more`,
    `00_${ID}_${SPAN}_01`,
  ];
  for (const value of bad) assert.equal(readTraceContext({ traceparent: value }), undefined, String(value));
});

test('tracestate and baggage come along where they are well formed, and never without a traceparent [BASE-63]', () => {
  const tracestate = 'rojo=00f067aa0ba902b7,congo@v=t61rcWkgMzE';
  const baggage = 'userId=alice, serverNode = DF%2028;a=b,isProduction=false';
  assert.deepEqual(readTraceContext({ traceparent, tracestate, baggage }), {
    traceparent,
    tracestate,
    baggage,
  });
  assert.equal(readTraceContext({ tracestate, baggage }), undefined);
  for (const wrong of ['UPPER=1', 'a', '=1', 'a=b=c', 'a=é', 'a=1\n', '', 5, null, `a=${'x'.repeat(300)}`]) {
    assert.deepEqual(readTraceContext({ traceparent, tracestate: wrong }), { traceparent }, String(wrong));
  }
  for (const wrong of ['a', '=1', 'a b=1', 'a="1"', 'a=é', 'a=1\n', '', 5, null, `a=${'x'.repeat(9000)}`]) {
    assert.deepEqual(readTraceContext({ traceparent, baggage: wrong }), { traceparent }, String(wrong));
  }
});
