import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer, inputRequired } from 'mcpwire/server';
import type { Context } from 'mcpwire/server';
import { serve } from '../support/http-peer.ts';
import { assertError, at, CLIENT_CAPABILITIES, request } from '../support/messages.ts';
import type { Json } from '../support/messages.ts';
import { ABLE, accept, callTool, converse, field, reportingServer, send, stateOf, text } from './rounds.ts';

const NAME = { message: 'Name?', schema: field('name') };
const HELLO = { role: 'user', content: { type: 'text', text: 'Hello' } } as const;

/** Asks everything there is, in two rounds, with a step. */
async function askAll(context: Context): Promise<string> {
  const [who, page] = await Promise.all([
    context.elicit('who', NAME),
    context.elicitUrl('page', { message: 'Go', url: 'https://a.example/' }),
  ]);
  const number = await context.step('number', () => 7);
  const [said, roots] = await Promise.all([
    context.sample('said', { messages: [HELLO], maxTokens: 5 }),
    context.roots(),
  ]);
  const name = who.action === 'accept' ? who.content['name'] : who.action;
  return [name, page.action, number, said.model, roots.length].join(' ');
}

const ANSWERS = {
  who: accept({ name: 'Ann' }),
  page: { action: 'accept' },
  said: { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' },
  roots: { roots: [{ uri: 'file:///a' }] },
};

test('tools, prompts, resources and templates can all ask everything [MRTR-04]', async () => {
  const { server } = reportingServer();
  server
    .tool('t', { input: { type: 'object' } }, (_args, context) => askAll(context))
    .tool(
      'structured',
      { output: { type: 'object', properties: { said: { type: 'string' } } } },
      async (_args, context) => ({
        said: await askAll(context),
      }),
    )
    .prompt('p', { args: { type: 'object', properties: { a: { type: 'string' } } } }, (_args, context) =>
      askAll(context),
    )
    .resource('test://static', { name: 's' }, (context) => askAll(context))
    .resourceTemplate('test://item/{id}', { name: 'i' }, ({ id }, context) =>
      askAll(context).then((all) => `${id} ${all}`),
    );
  const expected = 'Ann accept 7 m 1';
  const rows: readonly (readonly [string, Json, readonly (string | number)[], string])[] = [
    ['tools/call', { name: 't', arguments: { a: 1 } }, ['content', 0, 'text'], expected],
    ['tools/call', { name: 'structured' }, ['structuredContent', 'said'], expected],
    ['prompts/get', { name: 'p', arguments: { a: 'x' } }, ['messages', 0, 'content', 'text'], expected],
    ['resources/read', { uri: 'test://static' }, ['contents', 0, 'text'], expected],
    ['resources/read', { uri: 'test://item/3' }, ['contents', 0, 'text'], `3 ${expected}`],
  ];
  for (const [method, params, path, words] of rows) {
    const { result, rounds } = await converse(server, method, params, ANSWERS);
    assert.equal(at(result, ...path), words);
    assert.deepEqual(
      rounds.map((round) => Object.keys(round)),
      [
        ['who', 'page'],
        ['said', 'roots'],
      ],
    );
  }
});

test('two resources of one template have states of their own [MRTR-12]', async () => {
  const { server } = reportingServer();
  server.resourceTemplate('test://item/{id}', { name: 'i' }, async (_variables, context) => {
    await context.elicit('who', NAME);
    return 'read';
  });
  const requestState = stateOf(await send(server, 'resources/read', { uri: 'test://item/1' }));
  const retry = { inputResponses: ANSWERS, requestState };
  await assert.rejects(send(server, 'resources/read', { uri: 'test://item/2', ...retry }), { code: -32602 });
  const read = await send(server, 'resources/read', { uri: 'test://item/1', ...retry });
  assert.equal(at(read, 'contents', 0, 'text'), 'read');
});

test('completions, listings and methods of your own can not ask, and are told so [MRTR-04]', async (t) => {
  const errors: unknown[] = [];
  const can: unknown[] = [];
  const ask = async (context: Context): Promise<never> => {
    can.push(context.can('elicit'), context.can('roots'));
    try {
      await context.elicit('who', NAME);
    } catch (error) {
      errors.push(error);
      throw error;
    }
    throw new Error('it was asked');
  };
  const server = createServer({ name: 's', version: '1' }, { report: () => {} })
    .method('example.com/ask', {}, (_params, context) => ask(context))
    .prompt(
      'p',
      {
        args: { type: 'object', properties: { a: { type: 'string' } } },
        complete: { a: (_value, context) => ask(context) },
      },
      () => 'x',
    )
    .resourceTemplate('test://{id}', { name: 'i', list: (context) => ask(context) }, () => 'x');
  const peer = await serve(t, server, { report: () => {} });
  const able = { [CLIENT_CAPABILITIES]: ABLE };
  const completion = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } };
  for (const message of [
    request(1, 'example.com/ask', {}, able),
    request(1, 'completion/complete', completion, able),
    request(1, 'resources/list', {}, able),
  ]) {
    assertError((await peer.post(message)).json, 1, -32603);
  }
  assert.equal(errors.length, 3);
  for (const error of errors) {
    assert.match(String(error), /only tools, prompts and resource reads can ask for input/);
  }
  assert.deepEqual(new Set(can), new Set([false]));
});

test('the low-level form: a handler returns the question itself and reads the answers itself [MRTR-14]', async () => {
  const { server } = reportingServer();
  const question = inputRequired({
    inputRequests: {
      who: { method: 'elicitation/create', params: { message: 'Name?', requestedSchema: field('name') } },
    },
    requestState: 'a state of my own',
  });
  const low = (context: Context): typeof question | string =>
    context.inputResponses === undefined
      ? question
      : `${String(context.requestState)} ${String(at(context.inputResponses, 'who', 'content', 'name'))}`;
  server
    .tool('t', {}, (_args, context) => low(context))
    .tool('async', {}, async (_args, context) => low(context))
    .prompt('p', {}, (_args, context) => low(context))
    .resource('test://r', { name: 'r' }, (context) => low(context));
  const expected = 'a state of my own Ann';
  const rows: readonly (readonly [string, Json, readonly (string | number)[]])[] = [
    ['tools/call', { name: 't' }, ['content', 0, 'text']],
    ['tools/call', { name: 'async' }, ['content', 0, 'text']],
    ['prompts/get', { name: 'p' }, ['messages', 0, 'content', 'text']],
    ['resources/read', { uri: 'test://r' }, ['contents', 0, 'text']],
  ];
  for (const [method, params, path] of rows) {
    const first = await send(server, method, params);
    assert.equal(first['requestState'], 'a state of my own');
    const { result } = await converse(server, method, params, ANSWERS);
    assert.equal(at(result, ...path), expected);
  }
  await assert.rejects(callTool(server, 't', {}, { capabilities: {} }), { code: -32021 });
});

test('a tool that never asks takes no notice of a state or of answers', async () => {
  const { server } = reportingServer();
  server.tool('t', {}, async () => 'done');
  const result = await callTool(server, 't', { requestState: 'x', inputResponses: { a: 1 } });
  assert.equal(text(result), 'done');
});
