import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from '../server/create-server.ts';
import { toFetchHandler } from './to-fetch-handler.ts';

test('a body that was read before is refused, and the log says what to do', async () => {
  const reports: string[] = [];
  const handler = toFetchHandler(createServer({ name: 'test', version: '1.0.0' }), {
    report: ({ message }) => reports.push(message),
  });
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  await request.text();
  const response = await handler(request);
  assert.equal(response.status, 500);
  assert.match(await response.text(), /log says how/);
  assert.equal(reports.length, 1);
  assert.match(reports[0] ?? '', /mount it before body parsers, or read a clone/);
});
