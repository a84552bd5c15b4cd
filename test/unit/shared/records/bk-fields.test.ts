import { expect, test } from 'vitest';
import { bkFieldNames, bkValue, withTwoDigits } from '../../../../shared/records/bk-fields.ts';
import { objectKinds } from '../../../../shared/records/object-kinds.ts';

test.each([
  ['diary', 40],
  ['journalizedCase', 120],
  ['deed', 40],
  ['document', 60],
] as const)('bkFieldNames() knows the fields of a %s', (kind, count) => {
  expect(bkFieldNames(objectKinds[kind])).toHaveLength(count);
});

test('bkFieldNames() has two digits in each name', () => {
  expect(bkFieldNames(objectKinds.diary).slice(0, 11)).toEqual([
    'bkStr01',
    'bkStr02',
    'bkStr03',
    'bkStr04',
    'bkStr05',
    'bkStr06',
    'bkStr07',
    'bkStr08',
    'bkStr09',
    'bkStr10',
    'bkInt01',
  ]);
});

test('withTwoDigits() accepts one digit', () => {
  expect(withTwoDigits({ title: 'a', bkStr1: 'b', bkInt02: 3 })).toEqual({
    title: 'a',
    bkStr01: 'b',
    bkInt02: 3,
  });
});

test('withTwoDigits() refuses a field in both spellings', () => {
  expect(() => withTwoDigits({ bkStr1: 'a', bkStr01: 'b' })).toThrow(
    expect.objectContaining({
      code: 'invalid-body',
      errors: [{ pointer: '/bkStr01', detail: 'is bkStr01, which is given twice' }],
    }),
  );
});

test('bkValue() writes dates without a time', () => {
  expect([bkValue(new Date('2026-11-21T00:00:00Z')), bkValue(5), bkValue(null)]).toEqual([
    '2026-11-21',
    5,
    null,
  ]);
});
