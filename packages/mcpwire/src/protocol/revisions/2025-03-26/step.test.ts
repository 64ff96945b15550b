import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STEP_2025_03_26 } from './step.ts';

const AUDIO = { type: 'audio', data: 'AAAA', mimeType: 'audio/ogg' };
const NOTE = {
  type: 'text',
  text: "[Audio of type audio/ogg: this client's protocol revision has no audio content]",
};

test('audio becomes a text that says so, in results, prompts and questions', () => {
  const { result, question } = STEP_2025_03_26;
  assert.deepEqual(result?.('tools/call', { content: [AUDIO] }), { content: [NOTE] });
  assert.deepEqual(result?.('prompts/get', { messages: [{ role: 'user', content: AUDIO }] }), {
    messages: [{ role: 'user', content: NOTE }],
  });
  const params = { maxTokens: 1, messages: [{ role: 'user', content: AUDIO }] };
  assert.deepEqual(question?.({ method: 'sampling/createMessage', params }).params, {
    maxTokens: 1,
    messages: [{ role: 'user', content: NOTE }],
  });
  assert.deepEqual(question?.({ method: 'roots/list', params: {} }), { method: 'roots/list', params: {} });
});

test('tools lose their annotations, resources keep theirs', () => {
  const { result } = STEP_2025_03_26;
  const annotations = { priority: 1 };
  assert.deepEqual(result?.('tools/list', { tools: [{ name: 't', annotations }] }), {
    tools: [{ name: 't' }],
  });
  const resources = [{ uri: 'x:y', name: 'r', annotations }];
  assert.deepEqual(result?.('resources/list', { resources }), { resources });
});

test('progress loses its message, and only progress does', () => {
  const { notification } = STEP_2025_03_26;
  assert.deepEqual(notification?.('notifications/progress', { progress: 1, message: 'm' }), { progress: 1 });
  assert.deepEqual(notification?.('notifications/other', { message: 'm' }), { message: 'm' });
});

test('audio in an answer to sampling becomes a text for the server', () => {
  const { answer } = STEP_2025_03_26;
  assert.deepEqual(answer?.('sampling/createMessage', { role: 'assistant', content: AUDIO }), {
    role: 'assistant',
    content: {
      type: 'text',
      text: "[Audio of type audio/ogg: this server's protocol revision has no audio content]",
    },
  });
  const roots = { roots: [], content: AUDIO };
  assert.equal(answer?.('roots/list', roots), roots);
});
