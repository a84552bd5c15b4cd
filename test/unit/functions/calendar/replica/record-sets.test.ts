import { expect, test } from 'vitest';
import { upsertUnique } from '../../../../../functions/calendar/replica/record-sets.ts';

test('upsertUnique() keeps records by id, and ids by the present value of a field', () => {
  const records = new Map<number, { url: string }>();
  const ids = new Map<string, number>();
  const after = (id: number, record: { url: string } | undefined) => {
    upsertUnique(records, ids, id, record, 'url');
    return [Object.fromEntries(records), Object.fromEntries(ids)];
  };
  expect(after(1, { url: 'a' })).toEqual([{ 1: { url: 'a' } }, { a: 1 }]);
  expect(after(2, { url: 'b' })).toEqual([
    { 1: { url: 'a' }, 2: { url: 'b' } },
    { a: 1, b: 2 },
  ]);
  expect(after(1, { url: 'c' })).toEqual([
    { 1: { url: 'c' }, 2: { url: 'b' } },
    { c: 1, b: 2 },
  ]);
  expect(after(2, undefined)).toEqual([{ 1: { url: 'c' } }, { c: 1 }]);
  expect(after(3, undefined)).toEqual([{ 1: { url: 'c' } }, { c: 1 }]);
});
