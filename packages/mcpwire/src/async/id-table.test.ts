import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { IdTable } from './id-table.ts';

const id = fc.oneof(
  fc.integer({ min: 0, max: 60 }),
  fc.constantFrom(-1, 2 ** 31, 2 ** 40, '0', '1', 'a', ''),
);
const step = fc.tuple(fc.constantFrom('set', 'delete', 'get'), id);

test('it holds what a Map would, whatever is put in and taken out', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const table = new IdTable<{ readonly at: number }>();
      const map = new Map<string | number, { readonly at: number }>();
      for (const [at, [what, key]] of steps.entries()) {
        if (what === 'set') {
          const value = { at };
          table.set(key, value);
          map.set(key, value);
        } else if (what === 'delete') {
          table.delete(key);
          map.delete(key);
        }
        assert.equal(table.get(key), map.get(key));
        assert.equal(table.size, map.size);
      }
      assert.deepEqual(new Set(table.values()), new Set(map.values()));
      for (const [key, value] of map) assert.equal(table.get(key), value);
    }),
  );
});

test('an id of one type is not one of another', () => {
  const table = new IdTable<string>();
  table.set(0, 'number');
  table.set('0', 'text');
  assert.equal(table.get(0), 'number');
  assert.equal(table.get('0'), 'text');
});
