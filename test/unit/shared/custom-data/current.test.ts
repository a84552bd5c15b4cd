/** Lists that are sent back as they were read, at the documented limit of 2,000 objects. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Comparison } from '../../../../shared/custom-data/current.ts';
import { jsonElements, jsonMembers } from '../../../../shared/custom-data/members.ts';
import { neededCalls } from '../../../../shared/custom-data/plan.ts';
import { isSameValue } from '../../../../shared/custom-data/same-value.ts';
import type { SetCall } from '../../../../shared/custom-data/set-calls.ts';
import { withTurns } from '../../../support/turns.ts';

const rowCount = 2_000;

/** A call for a row, whose properties have no parameter but for those that are taken. */
const callOf = (source: string, taken: readonly string[] = []): SetCall => ({
  identifier: 'list',
  pointer: '/list',
  source,
  arguments: [],
  unknown: jsonMembers(source).filter(({ name }) => !taken.includes(name)),
  errors: [],
});

const errorsOf = async (comparison: Comparison, calls: readonly SetCall[]) => {
  const errors = [];
  for (const call of calls) errors.push(...(await comparison.errorsOf(call)));
  return errors;
};

describe.each([
  ['columns that differ', (row: number) => ({ id: row, note: `Row ${row}`, at: '2026-11-21T00:00:00' })],
  [
    'a column that is the same in all',
    (row: number) => ({ kind: 'x', half: row % 2, third: row % 3, id: row }),
  ],
  ['columns of their own', (row: number) => ({ [`p${row}`]: 'x', id: row })],
])('2,000 rows with %s', (_, toRow) => {
  const rows = Array.from({ length: rowCount }, (__, row) => toRow(row));
  const current = { values: new Map([['list', JSON.stringify(rows)]]), texts: new Map() };

  test.each([
    ['unchanged', 'x', [] as string[]],
    ['with a new value of a column that is taken', 'new', ['note']],
  ])('may be sent back %s in time that grows with them', async (__, note, taken) => {
    const calls = rows.map((row) =>
      callOf(JSON.stringify(taken.length === 0 ? row : { ...row, note }), taken),
    );
    const plan = { rows: [], calls, readOnly: [], removals: [], unwritable: [] };
    const began = performance.now();
    const { result, turns } = await withTurns(() => neededCalls(plan, current));
    expect(result).toEqual(calls);
    expect(turns).toBeGreaterThan(1);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('are refused where they are not there, in time that grows with them', async () => {
    const calls = rows.map((row) => callOf(JSON.stringify({ ...row, id: -1 })));
    const began = performance.now();
    const errors = await errorsOf(new Comparison(current), calls);
    expect(new Set(errors.map(({ pointer }) => pointer))).toContain('/list/id');
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

test('properties without a parameter have to be those of one row, as a comparison with each row says', async () => {
  const value = fc.constantFrom(1, '1', null, '10:00', '10:00:00', -0, 1.5, true);
  const row = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), value);
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 5 }), row, async (rows, sent) => {
      const text = JSON.stringify(rows);
      const expected =
        Object.keys(sent).length === 0 ||
        rows.some((item) =>
          Object.entries(sent).every(
            ([name, inner]) => Object.hasOwn(item, name) && isSameValue(item[name], inner),
          ),
        );
      const call = callOf(JSON.stringify(sent));
      const errors = await new Comparison({ values: new Map([['list', text]]), texts: new Map() }).errorsOf(
        call,
      );
      expect(errors.length === 0).toBe(expected);
      for (const item of jsonElements(text))
        expect(
          await new Comparison({ values: new Map([['list', text]]), texts: new Map() }).passesCurrent(
            callOf(item),
          ),
        ).toBe(true);
    }),
  );
});
