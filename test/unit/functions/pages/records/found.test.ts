/** What a text finds, and in which order. */

import { expect, test } from 'vitest';
import { foundBy, numberIn, queriesFor } from '../../../../../functions/pages/records/browser/found.ts';

test.each([
  ['2026/2', '2026/2'],
  [' Case 2026 / 2 ', '2026/2'],
  ['sag 2026/2', '2026/2'],
  ['Ärende 2026-0815', '2026-0815'],
  ['casework', 'casework'],
])('the number in %j is %j', (text, number) => {
  expect(numberIn(text)).toBe(number);
});

test('who types a number gets that case first, then numbers that begin so, then titles', () => {
  const item = (number: string | null, title = 'x') => ({ id: number ?? title, title, number });
  const [byNumber, ...others] = queriesFor('2026/2');
  if (byNumber === undefined) throw new Error('There is no list of numbers.');
  const found = foundBy('2026/2', [
    { query: byNumber, items: ['2026/21', '2026/200', '2026/2', '2026/20'].map((number) => item(number)) },
    ...others.map((query) => ({
      query,
      items: [
        item(null, `about 2026/2 in ${query.collection}`),
        ...(query.collection === 'journalized-cases' ? [item('2026/20')] : []),
      ],
    })),
  ]);
  expect(found.map(({ number, title }) => number ?? title)).toEqual([
    '2026/2',
    '2026/20',
    '2026/21',
    '2026/200',
    'about 2026/2 in journalized-cases',
    'about 2026/2 in deeds',
    'about 2026/2 in documents',
    'about 2026/2 in diaries',
  ]);
});

test('the number within its year is enough', () => {
  const [, within] = queriesFor('2');
  if (within === undefined) throw new Error('There is no list.');
  const items = ['2025/21', '2026/2', '2025/2'].map((number) => ({ id: number, title: null, number }));
  expect(foundBy('2', [{ query: within, items }]).map(({ number }) => number)).toEqual([
    '2025/2',
    '2026/2',
    '2025/21',
  ]);
});
