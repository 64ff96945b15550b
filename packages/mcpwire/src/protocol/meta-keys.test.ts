import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { checkMetaKeys, isExtensionIdentifier, isMetaKey, isReservedMetaKey, MetaKey } from './meta-keys.ts';

const letter = fc.constantFrom(...'abzABZ');
const edge = fc.constantFrom(...'azAZ09');
const inner = fc.string({ unit: fc.constantFrom(...'aZ9-'), maxLength: 8 });
const label = fc.oneof(
  letter,
  fc.tuple(letter, inner, edge).map((parts) => parts.join('')),
);
const prefix = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
const nameInner = fc.string({ unit: fc.constantFrom(...'aZ9-_.'), maxLength: 8 });
const name = fc.oneof(
  fc.constant(''),
  edge,
  fc.tuple(edge, nameInner, edge).map((parts) => parts.join('')),
);

test('every key that the grammar makes is one [BASE-45] [BASE-46] [BASE-49]', () => {
  fc.assert(
    fc.property(prefix, name, (before, after) => isMetaKey(`${before}/${after}`) && isMetaKey(after)),
  );
});

test('a key with a character that the grammar does not know is none [BASE-45] [BASE-49]', () => {
  const odd = fc.constantFrom(' ', '/', '\n', 'é', ':', '@', '\0', '"');
  fc.assert(
    fc.property(prefix, name, odd, fc.nat(20), (before, after, character, place) => {
      const key = `${before}/${after}`;
      const at = Math.min(place, key.length);
      const spoiled = key.slice(0, at) + character + key.slice(at);
      // A slash may make a shorter prefix and a name with a slash in it, or split in two what was one label.
      assert.ok(!isMetaKey(spoiled));
    }),
  );
});

test('a prefix is reserved by its second label alone [BASE-48]', () => {
  fc.assert(
    fc.property(label, fc.array(label, { maxLength: 2 }), name, (first, rest, after) => {
      for (const reserved of ['modelcontextprotocol', 'mcp']) {
        assert.ok(isReservedMetaKey(`${[first, reserved, ...rest].join('.')}/${after}`));
      }
      assert.ok(!isReservedMetaKey(`${[first, 'example', 'mcp', ...rest].join('.')}/${after}`));
    }),
  );
});

test('an extension is named with a prefix [VER-06]', () => {
  fc.assert(fc.property(prefix, name, (before, after) => isExtensionIdentifier(`${before}/${after}`)));
  fc.assert(fc.property(name, (after) => !isExtensionIdentifier(after)));
});

test('the keys of the protocol are keys, and nobody else may define them [BASE-48]', () => {
  for (const key of Object.values(MetaKey)) assert.ok(isMetaKey(key), key);
  assert.match(checkMetaKeys({ [MetaKey.serverInfo]: 1 }) ?? '', /reserved/);
  assert.match(checkMetaKeys({ 'a b': 1 }) ?? '', /no key of _meta/);
  assert.equal(checkMetaKeys({ 'com.example/note': 1, note: 2 }), undefined);
});
