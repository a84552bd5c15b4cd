import { expect, test } from 'vitest';
import {
  bkFieldNames,
  bkTypeOf,
  bkValue,
  withTwoDigits,
} from '../../../../../functions/records/objects/bk-fields.ts';
import { objectKinds } from '../../../../../functions/records/objects/kinds.ts';

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

test('withTwoDigits() accepts one digit, and lists fields in both spellings', () => {
  expect(withTwoDigits({ title: 'a', bkStr1: 'b', bkInt02: 3 })).toEqual({
    columns: { title: 'a', bkStr01: 'b', bkInt02: 3 },
    twice: [],
  });
  expect(withTwoDigits({ bkStr1: 'a', bkStr01: 'b' }).twice).toEqual(['bkStr01']);
});

test('names around those of bk-fields are none', () => {
  const names = ['abkStr1', 'bkStr1a', 'bkStr001', 'bkstr1'];
  expect(names.map((name) => [bkTypeOf(name), withTwoDigits({ [name]: 1 }).columns])).toEqual(
    names.map((name) => [undefined, { [name]: 1 }]),
  );
});

test('bkValue() writes dates without a time', () => {
  expect([bkValue(new Date('2026-11-21T00:00:00Z')), bkValue(5), bkValue(null)]).toEqual([
    '2026-11-21',
    5,
    null,
  ]);
});
