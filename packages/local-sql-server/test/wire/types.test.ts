/** Types and their bytes. */
import { describe, expect, test } from 'vitest';
import type { SqlType, SqlValue } from '../../src/engine/session.ts';
import { ByteWriter } from '../../src/wire/byte-writer.ts';
import { ProtocolError } from '../../src/wire/protocol-error.ts';
import { encoderOf, readDecoder, UnsupportedType } from '../../src/wire/types/type-table.ts';

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function bytes(text: string): Buffer {
  return Buffer.from(text.replaceAll(' ', ''), 'hex');
}

function encode(type: SqlType, value: SqlValue): string {
  const out = new ByteWriter(1);
  const encoder = encoderOf(type);
  encoder.typeInfo(out);
  const typeInfo = hex(out.view());
  out.clear();
  encoder.value(out, value);
  return `${typeInfo} ${hex(out.view())}`;
}

function decode(text: string): { type: SqlType; value: SqlValue; left: number } {
  const source = bytes(text);
  const decoder = readDecoder(source, 0);
  const { value, offset } = decoder.value.value(source, decoder.offset);
  return { type: decoder.value.type, value, left: source.length - offset };
}

const COLLATION = '0904d00034';
const decimal = (precision: number, scale: number): SqlType => ({ name: 'decimal', precision, scale });

/** Type, value, and what both are on the wire: TYPE_INFO, then the value. */
const CASES: [SqlType, SqlValue, string][] = [
  [{ name: 'bit' }, 1, '6801 0101'],
  [{ name: 'bit' }, 0, '6801 0100'],
  [{ name: 'bit' }, null, '6801 00'],
  [{ name: 'tinyint' }, 255, '2601 01ff'],
  [{ name: 'tinyint' }, null, '2601 00'],
  [{ name: 'smallint' }, -2, '2602 02feff'],
  [{ name: 'smallint' }, null, '2602 00'],
  [{ name: 'int' }, -2_147_483_648, '2604 0400000080'],
  [{ name: 'int' }, null, '2604 00'],
  [{ name: 'bigint' }, -9_223_372_036_854_775_808n, '2608 080000000000000080'],
  [{ name: 'bigint' }, null, '2608 00'],
  [{ name: 'real' }, 1.5, '6d04 040000c03f'],
  [{ name: 'real' }, null, '6d04 00'],
  [{ name: 'float' }, -0.1, '6d08 089a9999999999b9bf'],
  [{ name: 'float' }, null, '6d08 00'],
  [decimal(9, 2), '-1.10', '6a050902 05006e000000'],
  [decimal(9, 2), '0.00', '6a050902 050100000000'],
  [decimal(19, 0), '1234567890123456789', '6a091300 0901 15 81 e9 7d f4 10 22 11'],
  [decimal(28, 10), '1.0000000001', '6a0d1c0a 0d01 01 e4 0b 54 02 00 00 00 00 00 00 00'],
  [decimal(38, 38), `0.${'9'.repeat(38)}`, '6a112626 1101 ff ff ff ff 3f 22 8a 09 7a c4 86 5a a8 4c 3b 4b'],
  [decimal(38, 0), null, '6a112600 00'],
  [{ name: 'money' }, '-922337203685477.5808', '6e08 08 00000080 00000000'],
  [{ name: 'money' }, '1.2345', '6e08 08 00000000 39300000'],
  [{ name: 'money' }, null, '6e08 00'],
  [{ name: 'smallmoney' }, '-0.0001', '6e04 04ffffffff'],
  [{ name: 'smallmoney' }, null, '6e04 00'],
  [
    { name: 'uniqueidentifier' },
    '6F9619FF-8B86-D011-B42D-00C04FC964FF',
    '2410 10 ff19966f 868b 11d0 b42d00c04fc964ff',
  ],
  [{ name: 'uniqueidentifier' }, null, '2410 00'],
  [{ name: 'date' }, '0001-01-01', '28 03000000'],
  [{ name: 'date' }, '9999-12-31', '28 03dab937'],
  [{ name: 'date' }, null, '28 00'],
  [{ name: 'time', scale: 7 }, '23:59:59.9999999', '2907 05ffbf692ac9'],
  [{ name: 'time', scale: 3 }, '00:00:01.002', '2903 04ea030000'],
  [{ name: 'time', scale: 0 }, '10:00:00', '2900 03a08c00'],
  [{ name: 'time', scale: 0 }, null, '2900 00'],
  [{ name: 'datetime2', scale: 7 }, '1900-01-01 00:00:00.0000001', '2a07 080100000000 5b950a'],
  [{ name: 'datetime2', scale: 0 }, '0099-12-31 00:00:01', '2a00 06010000 3e8d00'],
  [{ name: 'datetime2', scale: 3 }, null, '2a03 00'],
  [{ name: 'datetimeoffset', scale: 0 }, '2026-01-01 00:30:00 +01:00', '2b00 08 784a01 1f490b 3c00'],
  [
    { name: 'datetimeoffset', scale: 7 },
    '1999-12-31 23:00:00.0000001 -05:30',
    '2b07 0a 01d4f3b725 07240b b6fe',
  ],
  [{ name: 'datetimeoffset', scale: 7 }, null, '2b07 00'],
  [{ name: 'datetime' }, '1900-01-01 00:00:00.003', '6f08 08 00000000 01000000'],
  [{ name: 'datetime' }, '1753-01-01 23:59:59.997', '6f08 08 462effff ff818b01'],
  [{ name: 'datetime' }, null, '6f08 00'],
  [{ name: 'smalldatetime' }, '2079-06-06 23:59:00', '6f04 04 ffff 9f05'],
  [{ name: 'smalldatetime' }, null, '6f04 00'],
  [{ name: 'char', length: 3 }, 'a€ ', `af0300${COLLATION} 0300 61 80 20`],
  [{ name: 'char', length: 3 }, null, `af0300${COLLATION} ffff`],
  [{ name: 'varchar', length: 8000 }, '', `a7401f${COLLATION} 0000`],
  [{ name: 'varchar', length: 'max' }, 'é', `a7ffff${COLLATION} 0100000000000000 01000000 e9 00000000`],
  [{ name: 'varchar', length: 'max' }, '', `a7ffff${COLLATION} 0000000000000000 00000000`],
  [{ name: 'varchar', length: 'max' }, null, `a7ffff${COLLATION} ffffffffffffffff`],
  [{ name: 'nchar', length: 2 }, 'a ', `ef0400${COLLATION} 0400 6100 2000`],
  [{ name: 'nchar', length: 2 }, null, `ef0400${COLLATION} ffff`],
  [{ name: 'nvarchar', length: 4000 }, '😀', `e7401f${COLLATION} 0400 3dd800de`],
  [{ name: 'nvarchar', length: 4000 }, null, `e7401f${COLLATION} ffff`],
  [{ name: 'nvarchar', length: 'max' }, 'a', `e7ffff${COLLATION} 0200000000000000 02000000 6100 00000000`],
  [{ name: 'nvarchar', length: 'max' }, null, `e7ffff${COLLATION} ffffffffffffffff`],
  [{ name: 'binary', length: 2 }, bytes('00ff'), 'ad0200 0200 00ff'],
  [{ name: 'binary', length: 2 }, null, 'ad0200 ffff'],
  [{ name: 'varbinary', length: 8000 }, bytes(''), 'a5401f 0000'],
  [{ name: 'varbinary', length: 'max' }, bytes('01'), 'a5ffff 0100000000000000 01000000 01 00000000'],
  [{ name: 'varbinary', length: 'max' }, null, 'a5ffff ffffffffffffffff'],
];

test('a value and its bytes', () => {
  const compact = CASES.map(([type, value, wire]) => [type, value, wire.replaceAll(' ', '')]);
  expect(CASES.map(([type, value]) => [type, value, encode(type, value).replaceAll(' ', '')])).toEqual(
    compact,
  );
  expect(CASES.map(([, , wire]) => decode(wire))).toEqual(
    CASES.map(([type, value]) => ({ type, value, left: 0 })),
  );
});

test.each([
  ['end with their packets', 0, '0600000000000000 04000000 01020304 02000000 0506 00000000'],
  ['take the next packet where their length fills one', 4, '0600000000000000 06000000 010203040506 00000000'],
])('chunks of a long value %s', (_, before, expected) => {
  const out = new ByteWriter();
  out.packetBody = 16;
  out.raw(Buffer.alloc(before));
  encoderOf({ name: 'varbinary', length: 'max' }).value(out, bytes('010203040506'));
  expect(hex(out.view(before))).toBe(expected.replaceAll(' ', ''));
});

describe('types that only clients send', () => {
  test('are read and written as the same bytes', () => {
    const rows: readonly [string, SqlType, SqlValue][] = [
      ['1f', { name: 'int' }, null],
      ['30 ff', { name: 'tinyint' }, 255],
      ['32 02', { name: 'bit' }, 1],
      ['34 ffff', { name: 'smallint' }, -1],
      ['38 01000000', { name: 'int' }, 1],
      ['7f 0100000000000000', { name: 'bigint' }, 1n],
      ['3b 0000c03f', { name: 'real' }, 1.5],
      ['3e 000000000000f83f', { name: 'float' }, 1.5],
      ['3c 00000000 10270000', { name: 'money' }, '1.0000'],
      ['7a 10270000', { name: 'smallmoney' }, '1.0000'],
      ['3d 00000000 2c010000', { name: 'datetime' }, '1900-01-01 00:00:01.000'],
      ['3a 0100 0100', { name: 'smalldatetime' }, '1900-01-02 00:01:00'],
      ['6c 05 09 02 05 01 6e000000', decimal(9, 2), '1.10'],
      [`23 05000000${COLLATION} 01000000 80`, { name: 'varchar', length: 'max' }, '€'],
      [`23 05000000${COLLATION} ffffffff`, { name: 'varchar', length: 'max' }, null],
      [`63 05000000${COLLATION} 02000000 ac20`, { name: 'nvarchar', length: 'max' }, '€'],
      ['22 05000000 02000000 0102', { name: 'varbinary', length: 'max' }, bytes('0102')],
      ['a7 0a00 0904d02400 0300 e282ac', { name: 'varchar', length: 10 }, '€'],
      [
        `e7 ffff${COLLATION} feffffffffffffff 02000000 6100 02000000 6200 00000000`,
        { name: 'nvarchar', length: 'max' },
        'ab',
      ],
    ];
    for (const [wire, type, value] of rows) {
      expect(decode(wire)).toEqual({ type, value, left: 0 });
    }
  });
});

describe('columns that are never NULL', () => {
  test('have a fixed-length type', () => {
    const rows: readonly [SqlType, SqlValue, string][] = [
      [{ name: 'bit' }, 1, '32 01'],
      [{ name: 'tinyint' }, 255, '30 ff'],
      [{ name: 'smallint' }, -2, '34 feff'],
      [{ name: 'int' }, 1, '38 01000000'],
      [{ name: 'bigint' }, 1n, '7f 0100000000000000'],
      [{ name: 'real' }, 1.5, '3b 0000c03f'],
      [{ name: 'float' }, 1.5, '3e 000000000000f83f'],
      [{ name: 'smallmoney' }, '1.2345', '7a 39300000'],
      [{ name: 'money' }, '1.2345', '3c 00000000 39300000'],
      [{ name: 'smalldatetime' }, '1900-01-02 00:01:00', '3a 0100 0100'],
      [{ name: 'datetime' }, '1900-01-02 00:00:01.000', '3d 01000000 2c010000'],
      [decimal(9, 2), '-1.10', '6a050902 05006e000000'],
    ];
    for (const [type, value, expected] of rows) {
      const out = new ByteWriter();
      const encoder = encoderOf(type).fixed ?? encoderOf(type);
      encoder.typeInfo(out);
      encoder.value(out, value);
      expect(out.view().toString('hex')).toBe(expected.replaceAll(' ', ''));
    }
  });

  test('hold no NULL', () => {
    expect(() => encoderOf({ name: 'int' }).fixed?.value(new ByteWriter(), null)).toThrow(TypeError);
  });
});

describe('decimals are read by the length of the value, whatever their precision', () => {
  test('are refused', () => {
    for (const wire of [
      '05 01 6e000000',
      '09 01 6e00000000000000',
      '11 01 6e000000000000000000000000000000',
    ]) {
      expect(decode(`6a 11 12 02 ${wire}`)).toEqual({ type: decimal(18, 2), value: '1.10', left: 0 });
    }
  });
});

describe('bytes that are no value', () => {
  test('break the protocol', () => {
    for (const [_name, wire] of [
      ['an unknown type', '00'],
      ['an integer of 3 bytes', '2603'],
      ['an int whose value has 2 bytes', '2604 020000'],
      ['an int that ends early', '2604 040000'],
      ['a decimal of precision 39', '6a112700'],
      ['a decimal whose scale is above its precision', '6a050203'],
      ['a time of scale 8', '2908'],
      ['a time after midnight', '2900 03805101'],
      ['a date after 9999-12-31', '28 03dbb937'],
      ['an offset of 15 hours', '2b00 08 000000 5b950a 8403'],
      ['a local date before the year 1', '2b00 08 000000 000000 c4ff'],
      ['a datetime before 1753', '6f08 08 452effff 00000000'],
      ['a smalldatetime at 24:00', '6f04 04 0000 a005'],
      ['a type of one and a half characters', `e7 0300${COLLATION}`],
      ['half a character', `e7 0a00${COLLATION} 0300 610062`],
      ['text that ends early', `e7 0a00${COLLATION} 0400 6100`],
      [
        'a large value that is longer than announced',
        `e7 ffff${COLLATION} 0100000000000000 02000000 6100 00000000`,
      ],
      ['a large value without an end', `e7 ffff${COLLATION} feffffffffffffff 02000000 6100`],
    ] as const) {
      expect(() => decode(wire), _name).toThrow(ProtocolError);
    }
  });

  test('are named in the error', () => {
    for (const [wire, name] of [
      ['62', 'sql_variant'],
      ['f0', 'CLR types'],
      ['f1', 'xml'],
      ['f3', 'table-valued parameters'],
    ] as const) {
      expect(() => decode(wire), name).toThrow(
        new UnsupportedType(`${name} are not supported by the local SQL server`),
      );
    }
  });
});

describe('values that an engine must not hand out', () => {
  test('do not fit their type', () => {
    const rows: readonly [string, SqlType, SqlValue][] = [
      ['a date that is a number', { name: 'date' }, 1],
      ['a date in another form', { name: 'date' }, '21.11.2026'],
      ['a time without seconds', { name: 'time', scale: 0 }, '10:00'],
      ['a decimal with more decimals than its scale', decimal(9, 1), '1.11'],
      ['a decimal with too many digits', decimal(2, 0), '123456789012'],
      ['a decimal that is no number', decimal(2, 0), '.'],
      ['text that is a number', { name: 'nvarchar', length: 1 }, 1],
      ['an int that is text', { name: 'int' }, '1'],
      ['bytes that are text', { name: 'varbinary', length: 1 }, 'a'],
      ['a uniqueidentifier in another form', { name: 'uniqueidentifier' }, 'x'],
    ];
    for (const [_name, type, value] of rows) {
      expect(() => encode(type, value), _name).toThrow(/^Cannot encode/);
    }
  });
});

describe('collations', () => {
  test('have the bytes of the collation', () => {
    for (const [collation, wire] of [
      ['SQL_Latin1_General_CP1_CI_AS', '0904d00034'],
      ['Latin1_General_CI_AS', '0904d00000'],
      ['Latin1_General_CS_AS', '0904c00000'],
      ['Latin1_General_CI_AI', '0904f00000'],
      ['Latin1_General_BIN', '0904000100'],
      ['Latin1_General_BIN2', '0904000200'],
      ['Latin1_General_100_CI_AS_SC_UTF8', '0904d02400'],
      ['Latin1_General_100_BIN2_UTF8', '0904002600'],
    ] as const) {
      expect(encode({ name: 'varchar', length: 1, collation }, null), collation).toBe(`a70100${wire} ffff`);
    }
  });

  test('text under a UTF-8 collation is UTF-8, under others code page 1252 with ? for what it lacks', () => {
    const type = { name: 'varchar', length: 9 } as const;
    expect(encode({ ...type, collation: 'Latin1_General_100_CI_AS_SC_UTF8' }, '€ł')).toMatch(
      / 0500e282acc582$/,
    );
    expect(encode(type, '€ł')).toMatch(/ 0200803f$/);
  });
});
