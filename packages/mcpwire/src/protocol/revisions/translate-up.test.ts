import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEGACY_VERSIONS } from './index.ts';
import { translationTo } from './translate.ts';
import { UpwardTranslation } from './translate-up.ts';

const CHOICE = { type: 'string', enum: ['a'], enumNames: ['A'] };
const FORM = { message: '?', requestedSchema: { type: 'object', properties: { choice: CHOICE } } };

test('from the newest revision nothing is translated', () => {
  const same = new UpwardTranslation('2026-07-28');
  const result = { tools: [] };
  assert.equal(same.result('tools/list', result), result);
});

test('from every older revision a result gets what the newest wants of it', () => {
  for (const version of LEGACY_VERSIONS) {
    assert.deepEqual(new UpwardTranslation(version).result('tools/list', { tools: [] }), {
      tools: [],
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
    });
  }
});

test('a form is put in the words of the newest revision, as far as its own revision lacks them', () => {
  const choices = LEGACY_VERSIONS.map((version) => {
    const { params } = new UpwardTranslation(version).question({
      method: 'elicitation/create',
      params: FORM,
    });
    return (params['requestedSchema'] as typeof FORM.requestedSchema).properties.choice;
  });
  const newer = { type: 'string', oneOf: [{ const: 'a', title: 'A' }] };
  assert.deepEqual(choices, [CHOICE, newer, newer, newer]);
});

test('what went down and comes up again is what it was, as far as the older revision can say it', () => {
  const result = {
    resultType: 'complete',
    content: [{ type: 'text', text: 't' }],
    structuredContent: { a: 1 },
    _meta: { 'example.com/a': 1 },
  };
  for (const version of ['2025-11-25', '2025-06-18']) {
    const down = translationTo(version).result('tools/call', result);
    assert.deepEqual(new UpwardTranslation(version).result('tools/call', down), result);
  }
});
