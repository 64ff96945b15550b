import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PromptValue } from 'mcpwire/server';
import { createServer, DefinitionError } from 'mcpwire/server';
import { PNG, WAV } from '../fixtures/pixels.ts';
import { serve } from '../support/http-peer.ts';
import { assertError, at, request } from '../support/messages.ts';
import { WIRES } from '../support/wires.ts';

const INFO = { name: 's', version: '1' };
const get = (name: unknown, args?: unknown): ReturnType<typeof request> =>
  request(1, 'prompts/get', { name, ...(args === undefined ? {} : { arguments: args }) });

for (const [wire, start] of Object.entries(WIRES)) {
  test(`an unknown prompt, a missing argument and one of the wrong type are -32602 over ${wire} [PROMPT-08] [PROMPT-09] [PROMPT-11] [PROMPT-14]`, async (t) => {
    const peer = await start(t);
    assertError(await peer.ask(get('unknown')), 1, -32602, /^Unknown prompt: unknown$/);
    for (const name of [undefined, null, 5, {}]) {
      assertError(await peer.ask(get(name)), 1, -32602, /params\.name/);
    }
    for (const args of [undefined, {}, { tone: 'warm' }]) {
      assertError(
        await peer.ask(get('greet', args)),
        1,
        -32602,
        /Invalid arguments for prompt greet: .*name/,
      );
    }
    assertError(await peer.ask(get('greet', { name: 'Ann', tone: 'loud' })), 1, -32602, /tone/);
    for (const args of [{ name: 5 }, { name: null }, { name: 'Ann', tone: ['warm'] }]) {
      assertError(await peer.ask(get('greet', args)), 1, -32602, /params\.arguments\.\w+ must be a string/);
    }
    for (const args of [[], 'x', 5]) {
      assertError(await peer.ask(get('greet', args)), 1, -32602, /params\.arguments must be an object/);
    }
    const good = await peer.ask(get('greet', { name: '<script>"\n' }));
    assert.deepEqual(at(good, 'result', 'messages'), [
      { role: 'user', content: { type: 'text', text: 'Greet <script>"\n' } },
    ]);
  });
}

/** Serves a prompt that returns this, past the compiler. */
async function returning(t: Parameters<typeof serve>[0], value: unknown): Promise<unknown> {
  const server = createServer(INFO, { report: () => {} }).prompt('p', {}, () => value as PromptValue);
  return (await (await serve(t, server)).post(get('p'))).json;
}

const block = (content: object): object => [{ role: 'user', content }];

test('content that is right goes out as it is [PROMPT-05] [PROMPT-06] [PROMPT-07]', async (t) => {
  const good = [
    { type: 'image', data: PNG, mimeType: 'image/png' },
    { type: 'audio', data: WAV, mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'test://a', mimeType: 'text/plain', text: 'x' } },
    { type: 'resource', resource: { uri: 'test://a', mimeType: 'image/png', blob: PNG } },
    { type: 'resource_link', uri: 'test://a', name: 'a' },
  ];
  for (const content of good) {
    assert.deepEqual(at(await returning(t, block(content)), 'result', 'messages', 0, 'content'), content);
    assert.deepEqual(at(await returning(t, content), 'result', 'messages', 0, 'content'), content);
  }
});

const BAD: readonly (readonly [string, object])[] = [
  ['image data that is no Base64', { type: 'image', data: '###', mimeType: 'image/png' }],
  ['image data without padding', { type: 'image', data: 'QQ', mimeType: 'image/png' }],
  ['image data in the URL alphabet', { type: 'image', data: 'A-_A', mimeType: 'image/png' }],
  ['image data with line breaks', { type: 'image', data: 'AAAA\nAAAA', mimeType: 'image/png' }],
  ['no image data', { type: 'image', mimeType: 'image/png' }],
  ['an image without MIME type', { type: 'image', data: PNG }],
  ['an image with a MIME type that is none', { type: 'image', data: PNG, mimeType: 'png' }],
  ['audio data that is no Base64', { type: 'audio', data: 'a', mimeType: 'audio/wav' }],
  ['audio with a MIME type that is none', { type: 'audio', data: WAV, mimeType: '' }],
  ['an embedded resource without URI', { type: 'resource', resource: { mimeType: 'text/plain', text: 'x' } }],
  [
    'an embedded resource with a URI that is none',
    { type: 'resource', resource: { uri: 'a b', mimeType: 'a/b', text: 'x' } },
  ],
  ['an embedded resource with nothing in it', { type: 'resource', resource: { uri: 'test://a' } }],
  [
    'an embedded resource with text and blob',
    { type: 'resource', resource: { uri: 'test://a', text: 'x', blob: PNG } },
  ],
  [
    'an embedded resource with a MIME type that is none',
    { type: 'resource', resource: { uri: 'test://a', text: 'x', mimeType: 'plain text' } },
  ],
  ['an embedded resource without MIME type', { type: 'resource', resource: { uri: 'test://a', text: 'x' } }],
  ['an embedded resource that is none', { type: 'resource', resource: 'x' }],
  ['a block of a type that nobody knows', { type: 'video', data: PNG, mimeType: 'video/mp4' }],
  ['a text that is none', { type: 'text', text: 5 }],
];

for (const [what, content] of BAD) {
  test(`a prompt with ${what} is -32603 and does not leave [PROMPT-05] [PROMPT-06] [PROMPT-07] [PROMPT-10] [PROMPT-14]`, async (t) => {
    assertError(await returning(t, block(content)), 1, -32603);
  });
}

test('messages that are none are -32603 [PROMPT-10] [PROMPT-14]', async (t) => {
  const text = { type: 'text', text: 'x' };
  for (const value of [
    5,
    null,
    undefined,
    {},
    [5],
    [{ role: 'system', content: text }],
    [{ content: text }],
    [{ role: 'user' }],
    { messages: 'x' },
  ]) {
    assertError(await returning(t, value), 1, -32603);
  }
  assert.deepEqual(at(await returning(t, []), 'result', 'messages'), []);
});

test('arguments of a prompt are strings, in its definition too [PROMPT-02] [PROMPT-14]', () => {
  const server = createServer(INFO);
  for (const args of [
    { type: 'string' },
    { type: 'object', properties: { a: { type: 'number' } } },
    { type: 'object', properties: { a: { type: ['number', 'null'] } } },
  ]) {
    assert.throws(() => server.prompt('p', { args }, () => ''), DefinitionError);
  }
  assert.throws(() => server.prompt('a b', {}, () => ''), DefinitionError);
});
