import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectKinds } from '../../../../../functions/records/objects/kinds.ts';
import { columnHeads, selectedFields } from '../../../../../functions/records/objects/selected-fields.ts';

const fields = ['title', 'bkStr01', 'bkStr02', 'bkStr03', 'bkStr04'];

test('no head is blank, and no two are equal to a spreadsheet', () => {
  const label = fc.constantFrom('', ' ', 'A', 'a', ' A ', 'title', 'bkStr02', 'A (bkStr02)', 'a (bkStr01)');
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...fields), label), (labels) => {
      const heads = columnHeads(fields, labels).map(({ head }) => head.trim().toLowerCase());
      expect(heads).not.toContain('');
      expect(new Set(heads).size).toBe(heads.length);
    }),
  );
});

test('a label of its own is the head', () => {
  expect(columnHeads(['title', 'bkStr01'], { bkStr01: 'Area' }).map(({ head }) => head)).toEqual([
    'title',
    'Area',
  ]);
});

test('blanks around the names of fields do not count', () => {
  expect(selectedFields(objectKinds.diary, ['id, title ,bkStr1'])).toEqual(['id', 'title', 'bkStr01']);
});
