import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from 'mcpwire/server';
import { WAV } from '../fixtures/pixels.ts';
import { serve } from '../support/http-peer.ts';
import { legacy, legacyCall, LEGACY_VERSIONS } from '../support/legacy-messages.ts';
import { HttpSession } from '../support/legacy-wire.ts';
import { LEGACY_WIRES } from '../support/legacy-wires.ts';
import { assertError, at, listAt } from '../support/messages.ts';

/** Everything that only 2026-07-28 has. */
const MODERN = /resultType|ttlMs|cacheScope|io\.modelcontextprotocol/;
const ICONS = [{ src: 'https://example.com/icon.png', mimeType: 'image/png' }];

for (const version of LEGACY_VERSIONS) {
  const isAtLeast = (other: string): boolean => version >= other;

  for (const [wire, start] of Object.entries(LEGACY_WIRES)) {
    test(`no answer of any method holds what only 2026-07-28 knows, to a client of ${version} over ${wire}`, async (t) => {
      const peer = await start(t, version);
      const answers = [
        await peer.ask(legacy(1, 'tools/list')),
        await peer.ask(legacy(2, 'resources/list')),
        await peer.ask(legacy(3, 'resources/templates/list')),
        await peer.ask(legacy(4, 'prompts/list')),
        await peer.ask(legacy(5, 'resources/read', { uri: 'test://text' })),
        await peer.ask(legacy(6, 'prompts/get', { name: 'modern' })),
        await peer.ask(legacyCall(7, 'new_content')),
        await peer.ask(legacyCall(8, 'measure')),
        await peer.ask(legacyCall(9, 'no_such_tool')),
      ];
      for (const answer of answers) assert.doesNotMatch(JSON.stringify(answer), MODERN);
      for (const answer of answers.slice(0, -1)) assert.notEqual(at(answer, 'result'), undefined);
    });
  }

  test(`resource contents keep their _meta since 2025-06-18: read or embedded, to a client of ${version}`, async (t) => {
    const _meta = { 'example.com/kept': true };
    const resource = { uri: 'test://a', text: 'a', _meta };
    const server = createServer({ name: 's', version: '1' })
      .resource('test://a', { name: 'a' }, () => ({ contents: [resource] }))
      .tool('embed', {}, () => ({ content: [{ type: 'resource', resource }] }));
    const peer = await HttpSession.start(await serve(t, server), version);
    const expected = isAtLeast('2025-06-18') ? resource : { uri: 'test://a', text: 'a' };
    const read = await peer.ask(legacy(1, 'resources/read', { uri: 'test://a' }));
    assert.deepEqual(listAt(read, 'result', 'contents'), [expected]);
    const embedded = listAt(await peer.ask(legacyCall(2, 'embed')), 'result', 'content');
    assert.deepEqual(embedded, [{ type: 'resource', resource: expected }]);
  });

  test(`tools/list in the words of ${version}: title, icons, output schema, annotations as far as they existed`, async (t) => {
    const peer = await startHttp(t, version);
    const tools = listAt(await peer.ask(legacy(1, 'tools/list')), 'result', 'tools');
    const named = (name: string): unknown => tools.find((tool) => at(tool, 'name') === name);
    assert.deepEqual(named('new_content'), {
      name: 'new_content',
      inputSchema: { type: 'object', additionalProperties: false },
      ...(isAtLeast('2025-11-25') ? { icons: ICONS } : {}),
      ...(isAtLeast('2025-06-18') ? { title: 'New content', _meta: { 'example.com/kept': true } } : {}),
      ...(isAtLeast('2025-03-26') ? { annotations: { readOnlyHint: true } } : {}),
    });
    const outputs = ['list_output', 'text_output', 'object_output', 'either_output'].map((name) =>
      at(named(name), 'outputSchema'),
    );
    if (!isAtLeast('2025-06-18')) {
      assert.deepEqual(outputs, [undefined, undefined, undefined, undefined]);
      return;
    }
    const wrapped = (result: object): object => ({
      type: 'object',
      properties: { result },
      required: ['result'],
    });
    const either = { anyOf: [{ type: 'array' }, { type: 'object' }] };
    assert.deepEqual(outputs, [
      wrapped({ type: 'array', items: { type: 'integer' } }),
      wrapped({ type: 'string' }),
      { type: 'object', properties: { n: { type: 'integer' } } },
      { $defs: { text: { type: 'string' } }, type: 'object', anyOf: [either, wrapped(either)] },
    ]);
  });

  test(`structured content in the words of ${version}: objects as they are, other values in a member named result, as the schema says`, async (t) => {
    const peer = await startHttp(t, version);
    const results = [
      await peer.ask(legacyCall(1, 'list_output')),
      await peer.ask(legacyCall(2, 'text_output')),
      await peer.ask(legacyCall(3, 'object_output')),
      await peer.ask(legacyCall(4, 'either_output', { list: true })),
      await peer.ask(legacyCall(5, 'either_output', { list: false })),
    ].map((answer) => at(answer, 'result'));
    const expected = [
      [{ result: [1, 2, 3] }, '[1,2,3]'],
      [{ result: 'plain' }, '"plain"'],
      [{ n: 1 }, '{"n":1}'],
      [{ result: ['a'] }, '["a"]'],
      [{ a: 'b' }, '{"a":"b"}'],
    ].map(([structuredContent, text]) => ({
      content: [{ type: 'text', text }],
      ...(isAtLeast('2025-06-18') ? { structuredContent } : {}),
    }));
    assert.deepEqual(results, expected);
  });

  test(`content in the words of ${version}: what it has no block for becomes a text that says so`, async (t) => {
    const peer = await startHttp(t, version);
    const answer = await peer.ask(legacyCall(1, 'new_content'));
    const link = { type: 'resource_link', uri: 'test://text', name: 'text' };
    assert.deepEqual(at(answer, 'result', 'content'), [
      isAtLeast('2025-03-26')
        ? { type: 'audio', data: WAV, mimeType: 'audio/wav' }
        : {
            type: 'text',
            text: "[Audio of type audio/wav: this client's protocol revision has no audio content]",
          },
      isAtLeast('2025-06-18')
        ? {
            ...link,
            title: 'The text',
            description: 'Some text',
            ...(isAtLeast('2025-11-25') ? { icons: ICONS } : {}),
          }
        : { type: 'text', text: '[Resource link: The text – Some text] test://text' },
      {
        type: 'text',
        text: 'annotated',
        annotations: isAtLeast('2025-06-18')
          ? { priority: 1, lastModified: '2026-01-01T00:00:00Z' }
          : { priority: 1 },
        ...(isAtLeast('2025-06-18') ? { _meta: { 'example.com/x': 1 } } : {}),
      },
    ]);
  });

  test(`a prompt and its arguments in the words of ${version}`, async (t) => {
    const peer = await startHttp(t, version);
    const prompts = listAt(await peer.ask(legacy(1, 'prompts/list')), 'result', 'prompts');
    const prompt = prompts.find((entry) => at(entry, 'name') === 'modern');
    const titled = isAtLeast('2025-06-18');
    assert.deepEqual(prompt, {
      name: 'modern',
      arguments: [{ name: 'topic', ...(titled ? { title: 'Topic' } : {}), required: false }],
      ...(titled ? { title: 'Modern' } : {}),
      ...(isAtLeast('2025-11-25') ? { icons: ICONS } : {}),
    });
    const messages = listAt(
      await peer.ask(legacy(2, 'prompts/get', { name: 'modern' })),
      'result',
      'messages',
    );
    assert.deepEqual(
      messages.map((message) => at(message, 'content', 'type')),
      [isAtLeast('2025-03-26') ? 'audio' : 'text', titled ? 'resource_link' : 'text'],
    );
  });

  test(`a resource's title, icons and lastModified in the words of ${version}`, async (t) => {
    const peer = await startHttp(t, version);
    const resources = listAt(await peer.ask(legacy(1, 'resources/list')), 'result', 'resources');
    assert.deepEqual(
      resources.find((entry) => at(entry, 'name') === 'titled'),
      {
        uri: 'test://titled',
        name: 'titled',
        annotations: isAtLeast('2025-06-18')
          ? { priority: 1, lastModified: '2026-01-01T00:00:00Z' }
          : { priority: 1 },
        ...(isAtLeast('2025-06-18') ? { title: 'A title' } : {}),
        ...(isAtLeast('2025-11-25') ? { icons: ICONS } : {}),
      },
    );
  });

  test(`a missing resource is -32002 with its URI to a client of ${version} [server/resources "Error Handling"]`, async (t) => {
    const peer = await startHttp(t, version);
    const answer = await peer.ask(legacy(1, 'resources/read', { uri: 'test://nowhere' }));
    assertError(answer, 1, -32002);
    assert.deepEqual(at(answer, 'error', 'data'), { uri: 'test://nowhere' });
    assertError(await peer.ask(legacy(2, 'resources/read', {})), 2, -32602);
    assertError(await peer.ask(legacyCall(3, 'no_such_tool')), 3, -32602);
  });

  test(`progress to a client of ${version} ${version === '2024-11-05' ? 'has no message' : 'has its message'} [basic/utilities/progress]`, async (t) => {
    const peer = await startHttp(t, version);
    const messages = await peer.exchange(
      legacyCall(1, 'progress', { values: [1, 2] }, { progressToken: 'p' }),
    );
    const said = (progress: number): object => ({
      progressToken: 'p',
      progress,
      total: 10,
      ...(isAtLeast('2025-03-26') ? { message: `at ${progress}` } : {}),
    });
    assert.deepEqual(
      messages.slice(0, -1).map((message) => at(message, 'params')),
      [said(1), said(2)],
    );
  });
}

function startHttp(...args: Parameters<(typeof LEGACY_WIRES)['http'] & object>) {
  const { http } = LEGACY_WIRES;
  assert.ok(http !== undefined);
  return http(...args);
}
