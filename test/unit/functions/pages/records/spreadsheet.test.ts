/** What a spreadsheet makes of the cells of a saved list. */

import { expect, test } from 'vitest';
import { parseExactly } from '../../../../../functions/pages/common/browser/json.ts';
import { tableFor } from '../../../../../functions/pages/records/browser/spreadsheet.ts';

function cell(json: string, language: 'en' | 'da' = 'da'): string {
  const rows = parseExactly(`[{"a":${json}}]`) as Readonly<Record<string, unknown>>[];
  return tableFor(rows, (name) => name, language).split('\r\n')[1] ?? '';
}

test.each(['007', '2026/2', '1,5', '1E5', '2e-10', '12%', '12 maj', '3-mar-2026', 'dec 24', 'TRUE', 'falsk'])(
  'keeps the text %s, of which a spreadsheet makes something else',
  (text) => {
    expect(cell(JSON.stringify(text))).toBe(`"=""${text}"""`);
  },
);

test.each(['Sag 7', 'A4', '12 måneder efter', 'maj', '1E', 'TRUEly'])('leaves the text %s', (text) => {
  expect(cell(JSON.stringify(text))).toBe(text);
});

test('keeps digits beyond the fifteen of a spreadsheet', () => {
  expect(cell('12345678901234567890')).toBe('"=""12345678901234567890"""');
  expect(cell('123456789012345')).toBe('123456789012345');
  expect(cell('1234.50')).toBe('1234,50');
});
