import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import type { SchemaLike } from 'mcpwire/server';
import * as v from 'valibot';
import * as z from 'zod';
import { at } from '../support/messages.ts';
import { accept, callTool, questionsOf, reportingServer, text } from './rounds.ts';

/** What comes of this answer: the content that the handler got, or the message that it is asked again with. */
async function outcome(schema: SchemaLike, value: unknown): Promise<unknown> {
  const { server } = reportingServer();
  server.tool('ask', {}, async (_args, context) =>
    JSON.stringify(await context.elicit('form', { message: 'Please', schema })),
  );
  const result = await callTool(server, 'ask', { inputResponses: { form: accept({ a: value }) } });
  if (result['resultType'] === 'complete') return at(JSON.parse(text(result)), 'content', 'a');
  return String(at(questionsOf(result), 'form', 'params', 'message'));
}

function formatted(format: string): SchemaLike {
  return { type: 'object', properties: { a: { type: 'string', format } }, required: ['a'] };
}

const CASES: { readonly [format: string]: readonly [good: readonly string[], bad: readonly string[]] } = {
  email: [
    ['a@b.example', 'first.last+tag@sub.b.example', 'root@localhost'],
    [
      'not-an-email',
      '@b.example',
      'a@',
      'a b@c.example',
      'a..b@c.example',
      'a@-b.example',
      'a@b-.example',
      '',
    ],
  ],
  uri: [
    ['https://a.example/x?y=1#z', 'urn:isbn:0451450523', 'mailto:a@b.example', 'file:///a'],
    ['not a uri', 'a.example', '/path', 'https://', 'https://a.example/a b', ''],
  ],
  date: [
    ['2026-01-31', '2024-02-29', '2000-02-29'],
    ['2026-13-45', '2026-02-29', '1900-02-29', '2026-04-31', '2026-00-01', '2026-1-1', 'yesterday', ''],
  ],
  'date-time': [
    [
      '2026-01-02T03:04:05Z',
      '2026-01-02t03:04:05.123+05:30',
      '2016-12-31T23:59:60Z',
      '2017-01-01T01:59:60+02:00',
    ],
    [
      'yesterday',
      '2026-01-02',
      '2026-01-02T03:04',
      '2026-01-02T03:04:05',
      '2026-01-02T24:00:00Z',
      '2026-13-02T03:04:05Z',
      '2026-01-02T03:04:60Z',
      '2026-01-02T03:04:05+25:00',
      '2026-01-02 03:04:05Z',
    ],
  ],
};

for (const [format, [good, bad]] of Object.entries(CASES)) {
  test(`an answer that is no ${format} is asked again with the reason [ELIC-13]`, async () => {
    for (const value of good) assert.equal(await outcome(formatted(format), value), value);
    for (const value of bad) {
      assert.match(String(await outcome(formatted(format), value)), /could not be used: a: must be a/, value);
    }
  });
}

test('a format that a schema library only describes is checked too', async () => {
  const schema = z.object({ a: z.string().meta({ format: 'email' }) });
  assert.match(String(await outcome(schema, 'none')), /a: must be an e-mail address/);
  assert.equal(await outcome(schema, 'a@b.example'), 'a@b.example');
});

test('a schema library that has its own idea of a format can still be answered', async () => {
  const local = toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.isoDateTime()) }));
  assert.equal(await outcome(local, '2026-01-02T03:04'), '2026-01-02T03:04');
  assert.equal(
    await outcome(z.object({ a: z.string().trim().meta({ format: 'email' }) }), ' a@b.example '),
    'a@b.example',
  );
  assert.equal(await outcome(z.object({ a: z.url() }), 'https://ä.example/'), 'https://ä.example/');
});

test('a field with a format may be left out, and formats that forms do not know are not checked', async () => {
  const optional = { type: 'object', properties: { a: { type: 'string', format: 'date' } } };
  assert.equal(await outcome(optional, undefined), undefined);
  assert.equal(await outcome(formatted('ipv4'), 'none'), 'none');
});

test('long answers are refused as fast as short ones', async () => {
  const begun = performance.now();
  for (const [format, long] of [
    ['email', `${'a.'.repeat(50_000)}@`],
    ['email', `a@${'a-'.repeat(50_000)}`],
    ['email', `a@${'a.'.repeat(50_000)}`],
    ['uri', `a:${'%41'.repeat(50_000)}%`],
    ['date-time', `2026-01-02T03:04:05.${'1'.repeat(100_000)}`],
  ] as const) {
    assert.match(String(await outcome(formatted(format), long)), /could not be used/);
  }
  assert.ok(performance.now() - begun < 2000);
});
