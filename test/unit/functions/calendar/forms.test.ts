import { expect, test } from 'vitest';
import { pairsOf } from '../../../../functions/calendar/forms.ts';

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
