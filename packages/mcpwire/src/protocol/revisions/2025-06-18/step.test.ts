import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STEP_2025_06_18 } from './step.ts';

test('a resource link becomes a text with its title or name, its description and its URI', () => {
  const link = { type: 'resource_link', uri: 'x:y', name: 'n' };
  const block = (more: object) =>
    STEP_2025_06_18.result?.('tools/call', { content: [{ ...link, ...more }] })?.['content'];
  assert.deepEqual(block({}), [{ type: 'text', text: '[Resource link: n] x:y' }]);
  assert.deepEqual(block({ title: 'T', description: 'd' }), [
    { type: 'text', text: '[Resource link: T – d] x:y' },
  ]);
});

test('what the revision brought goes: titles, _meta, output schemas, lastModified, structured content', () => {
  const { result } = STEP_2025_06_18;
  const annotations = { priority: 1, lastModified: 'now' };
  assert.deepEqual(
    result?.('resources/templates/list', {
      resourceTemplates: [{ uriTemplate: 'x:{y}', name: 'n', title: 'T', _meta: {}, annotations }],
    }),
    { resourceTemplates: [{ uriTemplate: 'x:{y}', name: 'n', annotations: { priority: 1 } }] },
  );
  assert.deepEqual(
    result?.('tools/call', {
      content: [{ type: 'text', text: 't', _meta: {}, annotations }],
      structuredContent: {},
    }),
    { content: [{ type: 'text', text: 't', annotations: { priority: 1 } }] },
  );
  const other = { structuredContent: {}, contents: [] };
  assert.deepEqual(result?.('resources/read', other), other);
});

test('completion has no context, and nothing else loses one', () => {
  const { request } = STEP_2025_06_18;
  assert.deepEqual(request?.('completion/complete', { ref: {}, context: {} }), { ref: {} });
  assert.deepEqual(request?.('tools/call', { context: {} }), { context: {} });
});
