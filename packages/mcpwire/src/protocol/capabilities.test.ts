import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientCapabilities } from './capabilities.ts';
import { missingFrom } from './capabilities.ts';

const ROWS: readonly (readonly [unknown, ClientCapabilities, unknown])[] = [
  [{}, {}, undefined],
  [{ roots: {} }, {}, undefined],
  [{}, { roots: {} }, { roots: {} }],
  [{ roots: {} }, { roots: {} }, undefined],
  [{ roots: { listChanged: true } }, { roots: {} }, undefined],
  [{ roots: null }, { roots: {} }, { roots: {} }],
  [{ roots: true }, { roots: {} }, { roots: {} }],
  [{ roots: [] }, { roots: {} }, { roots: {} }],
  [{ sampling: {} }, { sampling: { tools: {} } }, { sampling: { tools: {} } }],
  [{ sampling: { tools: {} } }, { sampling: { tools: {}, context: {} } }, { sampling: { context: {} } }],
  [{ sampling: { tools: {} } }, { sampling: { tools: {} }, roots: {} }, { roots: {} }],
  [{ extensions: { 'a.b/c': {} } }, { extensions: { 'a.b/d': {} } }, { extensions: { 'a.b/d': {} } }],
  [{}, { extensions: { constructor: {} } }, { extensions: { constructor: {} } }],
];

test('what is missing is the part of the required tree that was not declared [BASE-56] [BASE-57]', () => {
  for (const [declared, required, missing] of ROWS) {
    assert.deepEqual(
      missingFrom(declared as ClientCapabilities, required),
      missing,
      JSON.stringify([declared, required]),
    );
  }
});

test('an empty elicitation object means forms, and nothing else [ELIC-08]', () => {
  const form = { elicitation: { form: {} } };
  const url = { elicitation: { url: {} } };
  assert.equal(missingFrom({ elicitation: {} }, form), undefined);
  assert.deepEqual(missingFrom({ elicitation: {} }, url), url);
  assert.deepEqual(missingFrom(url, form), form);
  assert.deepEqual(missingFrom({}, form), form);
  assert.equal(
    missingFrom({ elicitation: { form: {}, url: {} } }, { elicitation: { form: {}, url: {} } }),
    undefined,
  );
});
