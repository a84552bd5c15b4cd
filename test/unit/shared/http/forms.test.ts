import { expect, test } from 'vitest';
import { fromPairs } from '../../../../functions/calendar/wire/input.ts';
import { pairsOf } from '../../../../shared/http/forms.ts';

/** Reads a form, and counts how often others have their turn meanwhile. */
async function read(form: string) {
  let turns = 0;
  const next = () => {
    turns += 1;
    running = setImmediate(next);
  };
  let running = setImmediate(next);
  const pairs = await pairsOf(form, 10_000);
  clearImmediate(running);
  return { pairs, turns };
}

test('a long form is read as a short one is, and others are served meanwhile', async () => {
  const long = `b+%C3%A5&a=${'x+y'.repeat(100_000)}&`;
  const form = `?first=1&${long}?x=2&&c&=d&${long}?y=3&${long}last=%2B+`;
  const { pairs, turns } = await read(form);
  expect(pairs).toEqual([...new URLSearchParams(form)]);
  expect(pairs.at(-1)).toEqual(['last', '+ ']);
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(await read('a=1+2&a=3')).toEqual({
    pairs: [
      ['a', '1 2'],
      ['a', '3'],
    ],
    turns: 0,
  });
  expect(await read('')).toEqual({ pairs: [], turns: 0 });
});

test.each<[form: string, read: object]>([
  ['a=1&b=2&a=3', { a: '3', b: '2' }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[10]=1&a[9]=2', { a: ['2', '1'] }],
  ['a[x]=1&a[0]=2', { a: { 0: '2', x: '1' } }],
  ['a[x][]=1&a[x][]=2&a[y]=3', { a: { x: ['1', '2'], y: '3' } }],
  ['a=1&a[]=2', { a: ['2'] }],
  ['a[]=2&a=1', { a: '1' }],
  ['a[x]=1&a[x][y]=2', { a: { x: { y: '2' } } }],
  ['a[1x]=1', { a: { '1x': '1' } }],
  ['a[x1]=1', { a: { x1: '1' } }],
  ['a[1][2][3][4]=1', { a: [[[['1']]]] }],
  ...['a[1][2][3][4][5]', '[a]', 'a[', 'a]', 'a[b]c', 'a[b]c[d]'].map(
    (name) => [`${name}=1`, { [name]: '1' }] as [string, object],
  ),
  ['a[b[c]=1', { a: { 'b[c': '1' } }],
  ['toString[x]=1', { toString: { x: '1' } }],
])('the form %s is %j', (form, read) => {
  expect(fromPairs(new URLSearchParams(form))).toEqual(read);
});
