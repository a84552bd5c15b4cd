import { expect, test } from 'vitest';
import { rowsToJson, sqlValueToJson } from '../../../../shared/sql/sql-json.ts';
import type { SqlValue } from '../../../../shared/sql/values.ts';
import { fc, numRuns } from '../../../support/properties.ts';

const instant = (iso: string, nanosecondsDelta = 0) => Object.assign(new Date(iso), { nanosecondsDelta });

test.each<[type: string, scale: number, value: SqlValue, json: string]>([
  ['bit', 0, true, 'true'],
  ['int', 0, 42, '42'],
  ['bigint', 0, '9223372036854775807', '9223372036854775807'],
  ['decimal', 2, 1500.1, '1500.10'],
  ['decimal', 0, -7, '-7'],
  ['decimal', 2, -1500.1, '-1500.10'],
  ['decimal', 4, -123456789012345.67, '-123456789012345.6700'],
  ['decimal', 4, 123456789012345.67, '123456789012345.6700'],
  ['decimal', 20, 95.00000000000001, '95.00000000000000000000'],
  ['decimal', 20, 23.630000000000003, '23.63000000000000000000'],
  ['decimal', 0, 1.23456789012345e29, '123456789012345000000000000000'],
  ['decimal', 38, 1.5e-20, '0.00000000000000000001500000000000000000'],
  ['decimal', 2, '12345678901234567890.10', '12345678901234567890.10'],
  ['decimal', 20, 1 / 3, '0.33333333333333330000'],
  ['money', 0, 1.5, '1.5000'],
  ['smallmoney', 0, -1500.1, '-1500.1000'],
  ['numeric', 1, 2, '2.0'],
  ['float', 0, 0.1, '0.1'],
  ['real', 0, Math.fround(0.1), '0.1'],
  ['real', 0, Math.fround(1.0000001), '1.0000001'],
  ['real', 0, Math.fround(0.100802176), '0.100802176'],
  ['real', 0, Math.fround(1.17549421e-38), '1.1754942e-38'],
  ['real', 0, 2 ** -149, '1e-45'],
  ['nvarchar', 0, 'Björn "B"', '"Björn \\"B\\""'],
  ['uniqueidentifier', 0, '6F9619FF-8B86-D011-B42D-00C04FC964FF', '"6F9619FF-8B86-D011-B42D-00C04FC964FF"'],
  ['date', 0, instant('2026-11-21T00:00:00Z'), '"2026-11-21"'],
  ['time', 7, instant('1970-01-01T10:00:00.123Z', 0.0004567), '"10:00:00.1234567"'],
  ['time', 0, instant('1970-01-01T10:00:00Z'), '"10:00:00"'],
  ['datetime', 0, instant('2026-11-21T10:00:00.123Z'), '"2026-11-21T10:00:00.123"'],
  ['smalldatetime', 0, instant('2026-11-21T10:00:00Z'), '"2026-11-21T10:00:00"'],
  ['datetime2', 7, instant('2026-11-21T10:00:00.005Z'), '"2026-11-21T10:00:00.0050000"'],
  ['datetime2', 3, instant('2026-11-21T10:00:00.120Z'), '"2026-11-21T10:00:00.120"'],
  ['datetime2', 0, instant('2026-11-21T10:00:00Z'), '"2026-11-21T10:00:00"'],
  ['datetimeoffset', 7, instant('2026-11-21T09:00:00.5Z'), '"2026-11-21T09:00:00.5000000Z"'],
  ['varbinary', 0, Buffer.from([0, 1, 2]), '"AAEC"'],
  ['int', 0, null, 'null'],
])('sqlValueToJson() writes %s (scale %i) %j as %s', (type, scale, value, json) => {
  expect(sqlValueToJson(value, { type, scale })).toBe(json);
});

test('rowsToJson() writes one object per row, whatever the columns are called', async () => {
  const columns = ['__proto__', '', 'a"b'].map((name) => ({ name, type: 'int', scale: 0 }));
  expect(
    await rowsToJson({
      columns,
      rows: [
        [1, 2, 3],
        [4, null, 6],
      ],
    }),
  ).toEqual(['{"__proto__":1,"":2,"a\\"b":3}', '{"__proto__":4,"":null,"a\\"b":6}']);
});

test('every ten-millionth of a second is told, though the driver gives it as a fraction of one', () => {
  const tenMillionths = Array.from({ length: 10_000 }, (_, index) => index);
  const told = tenMillionths.map((index) => {
    const value = instant('1970-01-01T10:00:00.123Z', index / 1e7);
    return sqlValueToJson(value, { type: 'time', scale: 7 });
  });
  expect(told).toEqual(tenMillionths.map((index) => `"10:00:00.123${String(index).padStart(4, '0')}"`));
});

test('a decimal of 15 digits is told as it is, though the driver rounds it twice', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 999_999_999_999_999n }),
      fc.integer({ min: 0, max: 38 }),
      fc.integer({ min: 0, max: 23 }),
      fc.boolean(),
      (digits, decimals, zeros, isNegative) => {
        const unscaled = digits * 10n ** BigInt(zeros);
        // As the driver reads it.
        const value = ((isNegative ? -1 : 1) * Number(unscaled)) / 10 ** decimals;
        const text = String(unscaled).padStart(decimals + 1, '0');
        const point = text.length - decimals;
        const expected = `${isNegative ? '-' : ''}${text.slice(0, point)}${decimals === 0 ? '' : `.${text.slice(point)}`}`;
        expect(sqlValueToJson(value, { type: 'decimal', scale: decimals })).toBe(expected);
      },
    ),
    numRuns(2_000),
  );
});
