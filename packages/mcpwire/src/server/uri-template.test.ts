import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { compileUriTemplate } from './uri-template.ts';

/** A value as RFC 6570 writes it: everything but the unreserved characters is percent-encoded. */
function encode(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const match = (template: string, uri: string): unknown => compileUriTemplate(template).match(uri);

test('any values come back from the URI that they make, in path and query [RES-13]', () => {
  const template = compileUriTemplate('test://{host}/{first},{second}/end{?q,lang}');
  fc.assert(
    fc.property(fc.array(value, { minLength: 5, maxLength: 5 }), fc.boolean(), (values, swapped) => {
      const [host = '', first = '', second = '', q = '', lang = ''] = values;
      const query = [`q=${encode(q)}`, `lang=${encode(lang)}`];
      if (swapped) query.reverse();
      const uri = `test://${encode(host)}/${encode(first)},${encode(second)}/end?${query.join('&')}`;
      assert.deepEqual(template.match(uri), { host, first, second, q, lang });
    }),
  );
});

test('values are decoded once: an encoded slash or percent sign is data', () => {
  assert.deepEqual(match('a:{b}', 'a:x%2Fy'), { b: 'x/y' });
  assert.deepEqual(match('a:{b}', 'a:%252F'), { b: '%2F' });
  assert.deepEqual(match('a:{b}', 'a:%F0%9F%98%80'), { b: '😀' });
  assert.equal(match('a:{b}', 'a:x/y'), undefined);
  assert.equal(match('a:{b}', 'a:%FF'), undefined, 'no UTF-8');
  assert.equal(match('a:{b}', 'a:'), undefined, 'a variable of the path has a value');
});

test('parameters of a query come in any order, may be missing, and others are passed over', () => {
  const template = 'a:b{?q,lang}';
  assert.deepEqual(match(template, 'a:b'), {});
  assert.deepEqual(match(template, 'a:b?lang=de'), { lang: 'de' });
  assert.deepEqual(match(template, 'a:b?lang=de&other=1&q=x%26y'), { q: 'x&y', lang: 'de' });
  assert.deepEqual(match(template, 'a:b?q='), { q: '' });
  assert.deepEqual(match(template, 'a:b?q'), { q: '' });
  assert.deepEqual(match('a:b?v=1{&q}', 'a:b?q=x&v=1'), { q: 'x' });
  assert.equal(match('a:b?v=1{&q}', 'a:b?q=x'), undefined);
  assert.equal(match('a:b?v=1{&q}', 'a:b?v=2&q=x'), undefined);
});

test('an earlier variable takes as much as it can', () => {
  assert.deepEqual(match('a:{b}-{c}', 'a:x-y-z'), { b: 'x-y', c: 'z' });
  assert.deepEqual(match('a:{b}{c}', 'a:xyz'), { b: 'xy', c: 'z' });
  assert.deepEqual(match('a:{+b}/{+c}', 'a:x/y/z'), { b: 'x/y', c: 'z' });
  assert.equal(match('a:{b}-{c}', 'a:x-'), undefined);
  assert.equal(match('a:{b}{c}', 'a:x'), undefined);
});

test('every operator reads what it writes', () => {
  assert.deepEqual(match('file:///{+path}', 'file:///a/b%20c.txt'), { path: 'a/b c.txt' });
  assert.deepEqual(match('a:b{#part}', 'a:b#x'), { part: 'x' });
  assert.deepEqual(match('a:b{.ext}', 'a:b.txt'), { ext: 'txt' });
  assert.deepEqual(match('a:b{/c,d}', 'a:b/x/y'), { c: 'x', d: 'y' });
  assert.deepEqual(match('a:b{;c,d}', 'a:b;c=1;d=2'), { c: '1', d: '2' });
  assert.deepEqual(match('a:b{/c}', 'a:b'), {});
  assert.deepEqual(match('a:b{/c,d}', 'a:b/x'), { c: 'x' });
  assert.deepEqual(match('a:b{;c,d}', 'a:b;c'), {});
  assert.deepEqual(match('a:b{;c,d}/e', 'a:b;d=2/e'), { d: '2' });
  assert.deepEqual(match('a:b{#c,d}', 'a:b'), {});
  assert.deepEqual(match('a:{+b,c}', 'a:x,y,z'), { b: 'x,y', c: 'z' });
});

test('literals count to the letter, and nothing in them is a pattern', () => {
  assert.deepEqual(match('a.b:(c)[d]{e}$', 'a.b:(c)[d]x$'), { e: 'x' });
  assert.equal(match('a.b:{c}', 'aXb:x'), undefined);
  assert.equal(match('a:{b}/c', 'a:x/c/d'), undefined);
  assert.equal(match('a:{b}/c', 'xa:x/c'), undefined);
});

test('names of every object are names of variables', () => {
  const found = compileUriTemplate('a:{__proto__}/{constructor}').match('a:x/y');
  assert.deepEqual(Object.entries(found ?? {}), [
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
});

test('what can not be read backwards is refused', () => {
  for (const template of [
    'a:b',
    'a:{b',
    'a:b}',
    'a:{}',
    'a:{b*}',
    'a:{b:3}',
    'a:{b}{b}',
    'a:{=b}',
    'a:{b c}',
    'a:{?q}/{b}',
    'a:{,}',
  ]) {
    assert.throws(() => compileUriTemplate(template), SyntaxError, template);
  }
});

test('a URI that is made to take long does not', () => {
  const template = compileUriTemplate('a:{+a}-{+b}-{+c}');
  const start = performance.now();
  template.match(`a:${'-'.repeat(8000)}`);
  template.match(`a:${'-'.repeat(1_000_000)}/`);
  compileUriTemplate('a:{+a}-{+b}-{+c}/end').match(`a:${'-'.repeat(8000)}`);
  compileUriTemplate('a:{b}{c}{d}{e}{f}!').match(`a:${'x'.repeat(8000)}`);
  compileUriTemplate('a:{#b,c,d,e}x').match(`a:#${','.repeat(8000)}`);
  assert.ok(performance.now() - start < 2000);
});
