import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect as connectAnywhere } from 'mcpwire/client';
import { connect } from 'mcpwire/node';
import { clientServer } from '../fixtures/client-server.ts';

test('the type of a server gives its tools, their arguments and results to the client', async () => {
  const client = await connect<ReturnType<typeof clientServer>>(clientServer());
  const { structured } = await client.call('add', { a: 1, b: 2 });
  const sum: number = structured.sum;
  assert.equal(sum, 3);
  await client.call('fail');
  const unchecked = () => {
    // @ts-expect-error -- there is no such tool
    void client.call('nothing');
    // @ts-expect-error -- a is missing
    void client.call('add', { b: 2 });
    // @ts-expect-error -- no text
    void client.call('add', { a: 'one', b: 2 });
    // @ts-expect-error -- the arguments are needed
    void client.call('add');
    // @ts-expect-error -- there is no such member
    void structured.product;
  };
  assert.equal(typeof unchecked, 'function');
});

test('a client of a server that is not known takes any tool', async () => {
  await using client = await connectAnywhere(clientServer());
  const { structured } = await client.call('add', { a: 1, b: 2 });
  // @ts-expect-error -- nothing is known of it
  assert.equal(structured.sum, 3);
  assert.deepEqual(structured, { sum: 3 });
});
