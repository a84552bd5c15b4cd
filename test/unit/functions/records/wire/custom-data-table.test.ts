import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  maxTableCells,
  valuesToCsv,
  valueToCsv,
} from '../../../../../functions/records/wire/custom-data-table.ts';
import { withTurns } from '../../../../support/turns.ts';

/** An array of objects with properties of their own. */
const ownProperties = (rows: number, properties: number) =>
  JSON.stringify(
    Array.from({ length: rows }, (_, row) =>
      Object.fromEntries(Array.from({ length: properties }, (__, index) => [`r${row}p${index}`, index])),
    ),
  );

describe.each([
  [300, 300],
  [1_000, 99],
  [1_001, 2],
])('a table of %i rows, each with %i properties of its own,', (rows, properties) => {
  const value = ownProperties(rows, properties);

  test('is refused before it is built', async () => {
    const refusal = { code: 'too-many-cells', message: expect.stringContaining(String(maxTableCells)) };
    const began = performance.now();
    await expect(valueToCsv(value, [])).rejects.toMatchObject(refusal);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

test('the limit counts the cells of all objects of a page, and their identifiers', async () => {
  const items = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `o${index}`,
      value: `{"p${index}":1}`,
      isTabular: false,
    }));
  const chosen = Array.from({ length: 1_000 }, (_, index) => `p${index}`);
  const table = (count: number) => valuesToCsv('x', items(count), { columns: [], chosen });
  await expect(table(2_000)).rejects.toMatchObject({ code: 'too-many-cells' });
  const lines = (await table(1_000)).split('\r\n');
  expect([lines.length, lines[1]]).toEqual([1_002, `o0,1${','.repeat(999)}`]);
});

test('others get turns while a large table is written', async () => {
  const { result, turns } = await withTurns(() => valueToCsv(ownProperties(1_400, 1), []));
  expect(result.split('\r\n')).toHaveLength(1_402);
  expect(turns).toBeGreaterThan(3);
});

test('a table is what another reader finds', async () => {
  const name = fc.stringMatching(/^[a-z"; ,=]{1,4}$/);
  const cell = fc.oneof(fc.integer(), fc.boolean(), fc.stringMatching(/^[a-z"; ,\n]{1,6}$/));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.dictionary(name, cell), { minLength: 1 }), async (rows) => {
      const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
      fc.pre(names.length > 0);
      const [head, ...lines] = parse(await valueToCsv(JSON.stringify(rows), []), { bom: true });
      expect(head).toEqual(names.map((text) => (/^\s*=/.test(text) ? `'${text}` : text)));
      expect(lines).toEqual(
        rows.map((row) =>
          names.map((text) => (row[text] === undefined ? '' : String(row[text]).replace(/^(\n)/, "'$1"))),
        ),
      );
    }),
  );
});
