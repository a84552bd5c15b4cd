/** The largest product of each operation is in the tables of the contracts, which the turns of `test/engines/turns.test.ts` are measured at. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bounds as ofCalendar } from '../../functions/calendar/wire/bounds.ts';
import { bounds as ofRecords } from '../../functions/records/wire/bounds.ts';

test.each([
  ['records', ofRecords],
  ['calendar', ofCalendar],
])('the contract of the %s has the bound of each operation', (name, bounds) => {
  const lines = readFileSync(`docs/${name}-contract.md`, 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith('| Operation | Its largest product'));
  const table = lines.slice(start + 2, lines.indexOf('', start));
  const told = table.map((line) =>
    line
      .split('|')
      .slice(2, 4)
      .map((cell) => cell.trim()),
  );
  expect(told.toSorted()).toEqual(
    Object.values(bounds)
      .map(({ product, beyond }) => [product, beyond])
      .toSorted(),
  );
});
