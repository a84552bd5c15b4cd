import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnHeads } from '../../../../shared/text/column-heads.ts';

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
