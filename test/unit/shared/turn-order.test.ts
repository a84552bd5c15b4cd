/** In which order turns come. */

import { expect, test } from 'vitest';
import { inOrder, KeyCounts, type Turn } from '../../../shared/turn-order.ts';

/** Turns in the order of their arrival: the keys of each, with a star where it continues. */
function turns(text: string): Turn[] {
  return text.split(' ').map((one) => ({
    keys: one.replace('*', '').split('+'),
    continues: one.endsWith('*'),
  }));
}

function ordered(text: string): string {
  return inOrder(turns(text))
    .map(({ keys, continues }) => keys.join('+') + (continues ? '*' : ''))
    .join(' ');
}

test.each([
  ['of each key one comes, then of each the second', 'a a b a b', 'a b a b a'],
  ['those that come at the same time keep their order', 'b a c', 'b a c'],
  ['what continues comes before the others of its key, not before those of others', 'a b a*', 'a* b a'],
  ['what continues a second time comes second', 'a a* a* b', 'a* b a* a'],
  ['of the first ones that comes first which has the rarer second key', 'a+x b+x c+x d+y', 'a+x d+y b+x c+x'],
  ['a second key counts for less than a first one', 'a+x b+x a+y', 'a+x b+x a+y'],
  ['one without a second key has the first place of it', 'a+x b+x c', 'a+x c b+x'],
  ['nor does it come behind one with a later place', 'c+x a+x b', 'c+x b a+x'],
])('%s', (_, arrived, expected) => {
  expect(ordered(arrived)).toBe(expected);
});

test('keys are counted, each turn for all of its own', () => {
  const counts = new KeyCounts();
  for (const turn of turns('a+x b+x a')) counts.add(turn);
  expect(['a', 'b', 'x', 'y'].map((key) => counts.of(key))).toEqual([2, 1, 2, 0]);
});
