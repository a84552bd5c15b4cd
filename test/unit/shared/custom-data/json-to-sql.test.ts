import { describe, expect, test } from 'vitest';
import { plainDecimal, toSqlParameter } from '../../../../shared/custom-data/json-to-sql.ts';
import { sqlValueToJson } from '../../../../shared/sql/sql-json.ts';
import { fc } from '../../../support/properties.ts';

const type = (name: string, { maxLength = -1, precision = 0, scale = 0, isUtf8 = false } = {}) => ({
  type: name,
  maxLength,
  isUtf8,
  precision,
  scale,
});
const decimal = type('decimal', { precision: 5, scale: 2 });
const nvarchar3 = type('nvarchar', { maxLength: 6 });

describe('toSqlParameter()', () => {
  test('converts JSON to parameters', () => {
    for (const [source, parameterType, parameter] of [
      ['true', type('bit'), { type: 'bit', value: true }],
      ['null', type('bit'), { type: 'bit', value: null }],
      ['42', type('int'), { type: 'nvarchar', length: 20, value: '42' }],
      ['-2147483648', type('int'), { type: 'nvarchar', length: 20, value: '-2147483648' }],
      ['1e3', type('smallint'), { type: 'nvarchar', length: 20, value: '1000' }],
      ['9223372036854775807', type('bigint'), { type: 'nvarchar', length: 20, value: '9223372036854775807' }],
      ['999.99', decimal, { type: 'nvarchar', length: 48, value: '999.99' }],
      ['1.100', decimal, { type: 'nvarchar', length: 48, value: '1.1' }],
      [
        '-0.25',
        type('decimal', { precision: 2, scale: 2 }),
        { type: 'nvarchar', length: 48, value: '-0.25' },
      ],
      [
        '12345678901234567890.123',
        type('decimal', { precision: 38, scale: 3 }),
        { type: 'nvarchar', length: 48, value: '12345678901234567890.123' },
      ],
      ['1.5', type('money'), { type: 'nvarchar', length: 48, value: '1.5' }],
      ['214748.3647', type('smallmoney'), { type: 'nvarchar', length: 48, value: '214748.3647' }],
      ['0.1', type('float'), { type: 'float', value: 0.1 }],
      ['0.1', type('real'), { type: 'float', value: Math.fround(0.1) }],
      ['3.4028235e38', type('real'), { type: 'float', value: Math.fround(3.4028235e38) }],
      ['"abc"', nvarchar3, { type: 'nvarchar', length: 3, value: 'abc' }],
      ['"abc"', type('varchar', { maxLength: 3 }), { type: 'nvarchar', length: 3, value: 'abc' }],
      ['"abc"', type('nvarchar'), { type: 'nvarchar', length: Number.POSITIVE_INFINITY, value: 'abc' }],
      ['"2026-02-28"', type('date'), { type: 'nvarchar', length: 40, value: '2026-02-28' }],
      ['"2026-02-28T00:00:00.000"', type('date'), { type: 'nvarchar', length: 40, value: '2026-02-28' }],
      ...(['smalldatetime', 'datetime', 'datetime2'] as const).flatMap((name) => [
        ['"2027-05-01"', type(name), { type: 'nvarchar', length: 40, value: '2027-05-01T00:00:00' }] as const,
        [
          '"2027-05-01T10:30"',
          type(name),
          { type: 'nvarchar', length: 40, value: '2027-05-01T10:30:00' },
        ] as const,
      ]),
      [
        '"2026-02-28T10:00:00.1234567"',
        type('datetime2', { scale: 7 }),
        { type: 'nvarchar', length: 40, value: '2026-02-28T10:00:00.1234567' },
      ],
      [
        '"2024-02-29T23:59:59.120"',
        type('datetime', { scale: 3 }),
        { type: 'nvarchar', length: 40, value: '2024-02-29T23:59:59.120' },
      ],
      [
        '"10:00:00.1000000"',
        type('time', { scale: 1 }),
        { type: 'nvarchar', length: 40, value: '10:00:00.1000000' },
      ],
      [
        '"2026-02-28T10:00:00+01:00"',
        type('datetimeoffset'),
        { type: 'nvarchar', length: 40, value: '2026-02-28T10:00:00+01:00' },
      ],
      ['"AAEC"', type('varbinary', { maxLength: 3 }), { type: 'varbinary', value: Buffer.from([0, 1, 2]) }],
      ['null', type('date'), { type: 'nvarchar', length: 40, value: null }],
    ] as const) {
      expect(toSqlParameter(source, parameterType), source).toEqual({ parameter });
    }
  });

  test('refuses values that the type cannot hold', () => {
    for (const [source, parameterType, error] of [
      ['1', type('bit'), 'must be true or false'],
      ['1.5', type('int'), 'must be a whole number'],
      ['"1"', type('int'), 'must be a whole number'],
      ['256', type('tinyint'), 'must be from 0 to 255'],
      ['1e400', type('bigint'), 'must be a whole number'],
      ['9223372036854775808', type('bigint'), 'must be from -9223372036854775808 to 9223372036854775807'],
      ['1000', decimal, 'must have at most 3 digits before and 2 after the point'],
      ['"1.5"', decimal, 'must be a number'],
      ['1e400', type('float'), 'must be a number within the range of float'],
      ['5', nvarchar3, 'must be a string'],
      ['{"a":1}', nvarchar3, 'must be a string'],
      ['"abcd"', nvarchar3, 'must not have more than 3 characters'],
      ['"21.11.2026"', type('date'), 'must be a date, YYYY-MM-DD'],
      [
        '"2026-11-21T10:00:00Z"',
        type('datetime2'),
        'must be written like 2026-11-21 or 2026-11-21T10:00:00.1234567',
      ],
      ['"2026-02-30"', type('date'), 'must be a day that exists'],
      [
        '"1752-12-31T10:00:00"',
        type('datetime'),
        'must be from 1753-01-01T00:00:00 to 9999-12-31T23:59:59.998',
      ],
      [
        '"2079-06-06T23:59:30"',
        type('smalldatetime'),
        'must be from 1900-01-01T00:00:00 to 2079-06-06T23:59:29',
      ],
      ['1e39', type('real'), 'must be a number within the range of real'],
      ['"2026-11-21 10:00"', type('datetime'), 'must be written like 2026-11-21 or 2026-11-21T10:00:00.123'],
      ['"2026-11-21T10:00:00"', type('date'), 'must be a date, YYYY-MM-DD'],
      ['"20270501"', type('smalldatetime'), 'must be written like 2026-11-21 or 2026-11-21T10:00:00'],
      ['"2027-02-29"', type('smalldatetime'), 'must be a day that exists'],
      ['"2026-11-21"', type('datetimeoffset'), 'must be written like 2026-11-21T10:00:00+01:00'],
      ['"10:00:00.125"', type('time', { scale: 2 }), 'must have at most 2 decimals of a second'],
      [
        '"2026-11-21T10:00:00+14:01"',
        type('datetimeoffset'),
        'must be written like 2026-11-21T10:00:00+01:00',
      ],
      ['"a\\u0000"', nvarchar3, 'must not contain U+0000 or a lone surrogate'],
      ['"\\ud800"', nvarchar3, 'must not contain U+0000 or a lone surrogate'],
      ['"not base64"', type('varbinary'), 'must be a string in base64'],
      ['"AAEC"', type('binary', { maxLength: 2 }), 'must not have more than 2 bytes'],
      ['"x"', type('uniqueidentifier'), 'must be written like 6f9619ff-8b86-d011-b42d-00c04fc964ff'],
    ] as const) {
      expect(toSqlParameter(source, parameterType), source).toEqual({ error });
    }
  });

  const kept = { error: undefined };
  const milliseconds = { error: 'must have milliseconds that end in 0, 3 or 7, as a datetime has' };
  const minute = { error: 'must be a whole minute' };
  const lost = (name: string) => ({ error: `must have no more digits than a ${name} keeps` });
  test.each([
    ['datetime', kept, ['.120', '.123', '.127', '.1', '.12', '.000', '.1230000', '.0000000', '.003', '']],
    ['datetime', milliseconds, ['.124', '.999', '.001', '.121', '.998', '.125', '.1240000']],
    ['smalldatetime', kept, ['.000', '']],
    ['smalldatetime', minute, ['.001', '.5']],
  ])('rounds no %s: %j for %j', (name, expected, fractions) => {
    for (const fraction of fractions) {
      const outcome = toSqlParameter(`"2026-11-21T10:00:00${fraction}"`, type(name, { scale: 3 }));
      expect({ error: undefined, ...outcome }, fraction).toMatchObject(expected);
    }
  });

  test('takes no seconds into a smalldatetime, which would become another minute', () => {
    for (const time of ['23:59:30', '23:59:29', '00:00:01'])
      expect(toSqlParameter(`"2026-11-21T${time}"`, type('smalldatetime'))).toEqual(minute);
  });

  test.each([
    [
      'float',
      kept,
      ['0.1', '1.10', '1e5', '100', '-0.0', '0.30000000000000004', '0.10000000000000001', '5e-324'],
    ],
    [
      'float',
      kept,
      ['1.7976931348623157e308', '9007199254740992', '123456789012345', '1e22', '1E+2', '0e400'],
    ],
    [
      'float',
      lost('float'),
      ['0.123456789012345678', '9007199254740993', '1e-400', '3e-324', '0.3000000000000000444'],
    ],
    [
      'real',
      kept,
      ['0.1', '3.4028235e38', '16777216', '0.10000000149011612', '1e-45', '123456', '0.100000001'],
    ],
    ['real', lost('real'), ['16777217', '0.12345678901', '1e-46', '1e-400', '0.1234567891']],
  ])('rounds no %s: %j for %j', (name, expected, sources) => {
    for (const source of sources)
      expect({ error: undefined, ...toSqlParameter(source, type(name)) }, source).toMatchObject(expected);
  });

  test('takes every double and every real as JSON writes it', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.float({ noNaN: true, noDefaultInfinity: true }),
        (double, real) => {
          const of = (value: number, name: string) => toSqlParameter(JSON.stringify(value), type(name));
          expect(of(double, 'float')).toEqual({
            parameter: { type: 'float', value: double === 0 ? 0 : double },
          });
          expect(of(real, 'real')).toEqual({ parameter: { type: 'float', value: real === 0 ? 0 : real } });
          const written = sqlValueToJson(real, { type: 'real', scale: 0 });
          expect(toSqlParameter(written, type('real')), written).toMatchObject({
            parameter: { type: 'float' },
          });
        },
      ),
    );
  });

  test.each([
    ['tinyint', {}, ['0', '255'], ['-1', '256']],
    ['smallint', {}, ['-32768', '32767'], ['-32769', '32768']],
    ['int', {}, ['-2147483648', '2147483647'], ['-2147483649', '2147483648']],
    [
      ...(['bigint', {}] as const),
      ['-9223372036854775808', '9223372036854775807'],
      ['-9223372036854775809', '9223372036854775808'],
    ],
    ['decimal', { precision: 5, scale: 2 }, ['-999.99', '999.99', '0'], ['-1000', '1000', '0.001']],
    ['money', {}, ['-922337203685477.5808', '922337203685477.5807'], ['1e15', '0.00001']],
    ['smallmoney', {}, ['-214748.3648', '214748.3647'], ['1e6', '0.00001']],
    ['real', {}, ['-3.4028235e38', '3.4028235e38'], ['-3.5e38', '3.5e38']],
    ['date', {}, ['"0001-01-01"', '"9999-12-31"'], ['"0000-12-31"', '"10000-01-01"', '"2026-13-01"']],
    ['time', { scale: 7 }, ['"00:00"', '"23:59:59.9999999"'], ['"24:00"', '"23:60"', '"23:59:60"']],
    [
      ...(['datetime', { scale: 3 }] as const),
      ['"1753-01-01T00:00:00"', '"9999-12-31T23:59:59.997"'],
      ['"1752-12-31T23:59:59.997"', '"9999-12-31T23:59:59.998"'],
    ],
    [
      ...(['smalldatetime', {}] as const),
      ['"1900-01-01T00:00:00"', '"2079-06-06T23:59:00"'],
      ['"1899-12-31T23:59:00"', '"2079-06-06T23:59:30"', '"2079-06-07T00:00:00"'],
    ],
    [
      ...(['datetimeoffset', {}] as const),
      ['+14:00', '-14:00', '+13:59', 'Z'].map((zone) => `"2026-11-21T10:00:00${zone}"`),
      ['+14:01', '-15:00', '+13:60', ''].map((zone) => `"2026-11-21T10:00:00${zone}"`),
    ],
    ...['char', 'varchar'].map((name) => [name, { maxLength: 3 }, ['"abc"'], ['"abcd"']] as const),
    ...['nchar', 'nvarchar'].map((name) => [name, { maxLength: 6 }, ['"abc"'], ['"abcd"']] as const),
    ...['char', 'varchar'].map(
      (name) =>
        [
          name,
          { maxLength: 4, isUtf8: true },
          ['"abcd"', '"åå"', '"😀"'],
          ['"abcde"', '"ååå"', '"a😀"'],
        ] as const,
    ),
    [...(['nvarchar', { maxLength: 4, isUtf8: true }] as const), ['"åå"'], ['"ååå"']],
    ...['binary', 'varbinary'].map((name) => [name, { maxLength: 2 }, ['"AAE="'], ['"AAEC"']] as const),
  ] as const)('takes the ends of the range of %s %j, and nothing beyond', (name, of, ends, beyond) => {
    const outcome = (source: string) => Object.keys(toSqlParameter(source, type(name, of)));
    expect(ends.map(outcome)).toEqual(ends.map(() => ['parameter']));
    expect(beyond.map(outcome)).toEqual(beyond.map(() => ['error']));
  });
});

describe('plainDecimal()', () => {
  test('writes numbers as they were', () => {
    const rows = [
      ['0', '0'],
      ['-0.00', '0'],
      ['1.10', '1.1'],
      ['12e-3', '0.012'],
      ['-1.5E+2', '-150'],
      ['0.05e1', '0.5'],
      ['100', '100'],
      ['1e59', `1${'0'.repeat(59)}`],
      ['1e60', undefined],
      ['1e400', undefined],
      ['1e-61', `0.${'0'.repeat(60)}1`],
      ['1e-62', undefined],
      ['1e-999999999', undefined],
      [`0.${'1'.repeat(239)}`, `0.${'1'.repeat(239)}`],
      [`0.${'1'.repeat(240)}`, undefined],
    ] as const;
    expect(rows.map(([source]) => [source, plainDecimal(source)])).toEqual(rows);
  });

  test('keeps the value of every number it can write', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const plain = plainDecimal(JSON.stringify(number));
        expect(plain === undefined || Number(plain) === number).toBe(true);
      }),
    );
  });
});
