import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeResult } from '../encode-message.ts';
import { withEncoding } from '../encoded.ts';
import { LEGACY_VERSIONS } from './index.ts';
import { Untranslatable } from './step.ts';
import { Translation, translationTo } from './translate.ts';

test('to the newest revision nothing is translated', () => {
  const same = new Translation('2026-07-28');
  const result = { resultType: 'complete', ttlMs: 1, cacheScope: 'public', tools: [] };
  assert.equal(same.result('tools/list', result), result);
});

test('the steps follow one another: each older revision loses what the newer ones lost, and more', () => {
  const tool = {
    name: 't',
    title: 'T',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object' },
    icons: [],
    annotations: {},
  };
  const members = LEGACY_VERSIONS.map((version) => {
    const [listed] = translationTo(version).result('tools/list', { tools: [tool], ttlMs: 0 })[
      'tools'
    ] as object[];
    return Object.keys(listed ?? {});
  });
  assert.deepEqual(members, [
    ['name', 'title', 'inputSchema', 'outputSchema', 'icons', 'annotations'],
    ['name', 'title', 'inputSchema', 'outputSchema', 'annotations'],
    ['name', 'inputSchema', 'annotations'],
    ['name', 'inputSchema'],
  ]);
});

test('a list that is sent again and again is translated and encoded once', () => {
  const translation = new Translation('2025-06-18');
  const list = withEncoding({
    resultType: 'complete',
    ttlMs: 5,
    cacheScope: 'private',
    tools: [{ name: 't' }],
  });
  const first = translation.result('tools/list', list);
  assert.equal(translation.result('tools/list', list), first);
  assert.equal(encodeResult(1, first), '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t"}]}}');
});

test('what is translated is left as it was', () => {
  const result = {
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': {}, 'example.com/a': 1 },
    content: [{ type: 'audio', data: '', mimeType: 'audio/wav' }],
    structuredContent: [1],
  };
  const copy = structuredClone(result);
  for (const version of LEGACY_VERSIONS) translationTo(version).result('tools/call', result);
  assert.deepEqual(result, copy);
});

test('of _meta only the keys of the envelope go, and an empty one goes with them', () => {
  const { result } = {
    result: (meta: object) => translationTo('2025-11-25').result('tools/call', { _meta: meta, content: [] }),
  };
  assert.deepEqual(result({ 'io.modelcontextprotocol/serverInfo': {}, 'example.com/a': 1 }), {
    content: [],
    _meta: { 'example.com/a': 1 },
  });
  assert.deepEqual(result({ 'io.modelcontextprotocol/serverInfo': {} }), { content: [] });
  const told = translationTo('2025-11-25').notification('notifications/resources/updated', {
    uri: 'x:y',
    _meta: { 'io.modelcontextprotocol/subscriptionId': 1 },
  });
  assert.deepEqual(told, { uri: 'x:y' });
});

test('capabilities that a revision does not have are not declared to it', () => {
  const capabilities = { tools: {}, completions: {}, tasks: {}, extensions: { 'a/b': {} }, logging: {} };
  const declared = LEGACY_VERSIONS.map((version) =>
    Object.keys(translationTo(version).serverCapabilities(capabilities)),
  );
  assert.deepEqual(declared, [
    ['tools', 'completions', 'tasks', 'logging'],
    ['tools', 'completions', 'logging'],
    ['tools', 'completions', 'logging'],
    ['tools', 'logging'],
  ]);
});

test('an implementation is presented with what the revision knows of one', () => {
  const info = {
    name: 'n',
    version: '1',
    title: 'N',
    icons: [],
    description: 'd',
    websiteUrl: 'https://example.com',
  };
  const known = LEGACY_VERSIONS.map((version) => Object.keys(translationTo(version).implementation(info)));
  assert.deepEqual(known, [
    ['name', 'version', 'title', 'icons', 'description', 'websiteUrl'],
    ['name', 'version', 'title'],
    ['name', 'version'],
    ['name', 'version'],
  ]);
});

test('before 2025-06-18 there is no elicitation to translate to', () => {
  const question = { method: 'elicitation/create', params: { message: '?', requestedSchema: {} } };
  for (const version of ['2025-03-26', '2024-11-05']) {
    assert.throws(() => translationTo(version).question(question), Untranslatable);
  }
});
