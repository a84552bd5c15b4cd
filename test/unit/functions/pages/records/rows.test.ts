/** Arrays as rows: what nobody touches is stored as it was read, and what is typed is stored by the type of its column. */

import { describe, expect, test } from 'vitest';
import { parseExactly } from '../../../../../functions/pages/common/browser/json.ts';
import {
  columnsOfCsv,
  type EditedRows,
  jsonOfRows,
  textOfCell,
  toRows,
  withCell,
  withNewRow,
} from '../../../../../functions/pages/records/browser/rows.ts';
import { fc, numRuns } from '../../../../support/properties.ts';

const rowsOf = (json: string) => toRows(parseExactly(json) as unknown[]);

/** A number as a client may write it, which JavaScript may not hold. */
const number = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.stringMatching(/^(\.\d{1,12})?$/))
  .map(([whole, decimals]) => `${whole}${decimals}`);
const text = fc.string({ unit: 'grapheme' }).map((value) => JSON.stringify(value));
const scalar = fc.oneof(number, text, fc.constantFrom('true', 'false', 'null'));
const name = fc.constantFrom('a', 'b', 'c', 'a b', 'æ', '"', '');
const object = fc
  .uniqueArray(fc.tuple(name, fc.oneof(scalar, fc.constantFrom('[1,2.50]', '{"x":1.0}'))), {
    minLength: 1,
    selector: ([key]) => key,
  })
  .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join()}}`);
const array = fc
  .oneof(fc.array(object, { minLength: 1 }), fc.array(scalar, { minLength: 1 }))
  .map((values) => `[${values.join()}]`);

describe('rows', () => {
  test('that nobody touches are stored as they were read, digit for digit', () => {
    fc.assert(
      fc.property(array, (json) => {
        const rows = rowsOf(json);
        if (rows === undefined) return;
        expect(jsonOfRows(rows)).toBe(json);
        // A cell that is typed again as it was is no change.
        const again = rows.rows.reduce<EditedRows>(
          (table, row) =>
            table.columns.reduce(
              (edited, column) =>
                Object.hasOwn(row.source, column.name)
                  ? withCell(
                      edited,
                      edited.rows.find(({ key }) => key === row.key) ?? row,
                      column,
                      textOfCell(row, column),
                    )
                  : edited,
              table,
            ),
          rows,
        );
        expect(jsonOfRows(again)).toBe(json);
      }),
      numRuns(200),
    );
  });

  test.each([
    ['[{"n":1,"t":"a"}]', ['2.50', 'b'], '[{"n":1,"t":"a"},{"n":2.50,"t":"b"}]'],
    ['[{"n":1,"t":"a"}]', ['', ''], '[{"n":1,"t":"a"},{"n":null,"t":null}]'],
    [
      '[{"d":"2026-01-01","b":true}]',
      ['2026-12-31', 'false'],
      '[{"d":"2026-01-01","b":true},{"d":"2026-12-31","b":false}]',
    ],
    ['["x"]', ['1'], '["x","1"]'],
    ['[1.0]', ['2.0'], '[1.0,2.0]'],
  ])('%s gets a row of %j', (json, typed, expected) => {
    let rows = withNewRow(rowsOf(json) as EditedRows);
    typed.forEach((value, index) => {
      const [column, row] = [rows.columns[index], rows.rows.at(-1)];
      if (column !== undefined && row !== undefined) rows = withCell(rows, row, column, value);
    });
    expect(jsonOfRows(rows)).toBe(expected);
  });

  test.each(['[]', '[1,{"a":1}]', '[[1]]', '[{}]'])('%s are none', (json) => {
    expect(rowsOf(json)).toBeUndefined();
  });

  test('of an empty array have the columns of samples', () => {
    expect(toRows([], [{ a: 1, b: '2026-01-01' }])).toEqual({
      columns: [
        { name: 'a', type: 'number' },
        { name: 'b', type: 'day' },
      ],
      rows: [],
    });
  });
});

test.each([
  ['\uFEFFname,phone\r\n', ['name', 'phone']],
  ['"a ""b"", c",d\r\n1,2\r\n', ['a "b", c', 'd']],
  ['\uFEFF', []],
])('the columns of %j are %j', (csv, names) => {
  expect(columnsOfCsv(csv)).toEqual(names);
});
