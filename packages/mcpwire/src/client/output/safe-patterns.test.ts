import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costOf, patternCost } from './safe-patterns.ts';

test('patterns whose time grows with the text are safe', () => {
  const safe = [
    '^[a-z]+$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^(?:red|green|blue)$',
    '^#[0-9a-fA-F]{6}$',
    '[A-Z]{2,5}-\\d{1,6}',
    '^https://',
    '^\\p{L}{1,40}$',
    '^[^()]*$',
    '',
  ];
  for (const pattern of safe) assert.ok(costOf(pattern) !== undefined, pattern);
});

test('patterns that a hostile server could hang a client with are not', () => {
  const unsafe = [
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(?:x*)*y',
    '^([a-zA-Z0-9]+)*$',
    'a*b',
    '^\\s*\\s*$',
    '^(\\w+)\\1$',
    '^(?=.*a)(?=.*b).*$',
    `^${'a?'.repeat(100)}${'a'.repeat(100)}$`,
    `^${'(?:a|b|ab)'.repeat(20)}$`,
    '^(a{1,1000}){1,1000}$',
    'x'.repeat(501),
    '^((a)',
    'a{0,99}a{0,98}b',
  ];
  for (const pattern of unsafe) assert.equal(costOf(pattern), undefined, pattern);
});

test('an unsafe pattern is found wherever it stands in a schema', () => {
  const bad = '^(a+)+$';
  assert.equal(patternCost({ properties: { a: { anyOf: [{ items: { pattern: bad } }] } } }).unsafe, bad);
  assert.equal(patternCost({ patternProperties: { [bad]: {} } }).unsafe, bad);
  assert.deepEqual(patternCost({ properties: { pattern: { type: 'string' } } }), { perCharacter: 0 });
});
