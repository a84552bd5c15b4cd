/**
 * SQL values as JSON text. One table for reference data, custom views and custom procedures:
 *
 * | SQL Server type | JSON |
 * |---|---|
 * | bit | `true`, `false` |
 * | tinyint, smallint, int, bigint | number with all digits |
 * | decimal, numeric, money, smallmoney | number with all decimals of the type, such as `1500.10` |
 * | float, real | shortest number that reads back as the same value |
 * | char, varchar, nchar, nvarchar, text, ntext, xml, uniqueidentifier | string |
 * | date | `"2026-11-21"` |
 * | time | `"10:00:00.1234567"`, decimals of the type |
 * | datetime, smalldatetime, datetime2 | `"2026-11-21T10:00:00.123"`, decimals of the type, without a zone as the type has none |
 * | datetimeoffset | `"2026-11-21T09:00:00.1234567Z"`: the instant, in UTC |
 * | binary, varbinary, image | string in base64 |
 * | NULL of any type | `null` |
 *
 * A decimal that comes from a procedure is exact to 15 significant digits, because the driver hands it over as a
 * double; digits beyond those that a double can tell are zeros. From a view every digit is kept (`view-rows.ts` asks
 * the server for its text).
 */

import { createTurns, type Turns } from '../limits/turns.ts';
import type { Column, ResultSet, SqlValue } from './values.ts';

/** What JSON a value of a type becomes, in the words of a JSON schema; of a type that is not in the table it may be any. */
export interface JsonType {
  readonly type?: 'boolean' | 'integer' | 'number' | 'string';
  readonly format?: string;
  readonly contentEncoding?: 'base64';
}

const string = { type: 'string' } as const;
const base64 = { type: 'string', contentEncoding: 'base64' } as const;

const jsonTypes: Readonly<Record<string, JsonType>> = {
  bit: { type: 'boolean' },
  tinyint: { type: 'integer', format: 'int32' },
  smallint: { type: 'integer', format: 'int32' },
  int: { type: 'integer', format: 'int32' },
  bigint: { type: 'integer', format: 'int64' },
  decimal: { type: 'number' },
  numeric: { type: 'number' },
  money: { type: 'number' },
  smallmoney: { type: 'number' },
  float: { type: 'number', format: 'double' },
  real: { type: 'number', format: 'float' },
  char: string,
  varchar: string,
  nchar: string,
  nvarchar: string,
  text: string,
  ntext: string,
  xml: string,
  uniqueidentifier: { type: 'string', format: 'uuid' },
  date: { type: 'string', format: 'date' },
  // RFC 3339, which `time` and `date-time` mean, wants a zone.
  time: string,
  datetime: string,
  smalldatetime: string,
  datetime2: string,
  datetimeoffset: { type: 'string', format: 'date-time' },
  binary: base64,
  varbinary: base64,
  image: base64,
};

/** Returns what JSON the values of a SQL Server type become. */
export function jsonTypeOf(type: string): JsonType {
  return jsonTypes[type] ?? {};
}

const numericTypes = new Set(['decimal', 'numeric', 'money', 'smallmoney', 'bigint']);
const moneyScale = 4;
const datetimeDecimals = 3;

/** Returns the JSON text of one value of a column. */
export function sqlValueToJson(value: SqlValue, column: Pick<Column, 'type' | 'scale'>): string {
  if (value === null) return 'null';
  if (value instanceof Date) return JSON.stringify(moment(value, column));
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64'));
  if (numericTypes.has(column.type))
    return typeof value === 'string' ? value : decimal(Number(value), column);
  if (column.type === 'real') return String(shortestReal(Number(value)));
  return JSON.stringify(value);
}

/** Returns the rows of a result as JSON texts, one object each, and lets others have turns between them. The columns' names must differ. */
export async function rowsToJson(
  { columns, rows }: ResultSet,
  turns: Turns = createTurns(),
): Promise<string[]> {
  const prefixes = columns.map(({ name }, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
  const texts: string[] = [];
  for (const row of rows) {
    let text = '{';
    for (const [index, column] of columns.entries())
      text += prefixes[index] + sqlValueToJson(row[index] ?? null, column);
    texts.push(`${text}}`);
    await turns.next();
  }
  return texts;
}

function decimal(value: number, { type, scale }: Pick<Column, 'type' | 'scale'>): string {
  const decimals = type.endsWith('money') ? moneyScale : scale;
  const unscaled = Math.abs(value) * 10 ** decimals;
  return unscaled <= maxExact ? value.toFixed(decimals) : nearestDecimal(value, decimals);
}

/** Unscaled value up to which a double tells each decimal from the next: beyond, its rounding can reach half a unit. */
const maxExact = 2 ** 51;

/** Significant digits that every double keeps. */
const keptDigits = 15;

/** Returns the decimal of 15 digits where that is as near as the roundings of the driver (of the digits to a double, and of its quotient), else the shortest that reads back. */
function nearestDecimal(value: number, decimals: number): string {
  const tolerance = 2 * Math.abs(value) * Number.EPSILON;
  const isKept = Math.abs(Number(value.toPrecision(keptDigits)) - value) <= tolerance;
  const [, sign = '', first = '', more = '', exponent = '0'] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential(isKept ? keptDigits - 1 : undefined)) ?? [];
  const unscaled = (first + more)
    .padEnd(1 + Number(exponent) + decimals, '0')
    .slice(0, 1 + Number(exponent) + decimals);
  const text = unscaled.padStart(decimals + 1, '0');
  return decimals === 0 ? sign + text : `${sign}${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

/** A real is a 32-bit float, which the driver widens: 0.1 arrives as 0.10000000149011612. Nine digits tell all of them apart. */
function shortestReal(value: number): number {
  for (let digits = 1; digits <= 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return shorter;
  }
  return value;
}

/** The driver keeps what is finer than a millisecond beside the date, in seconds. */
interface PreciseDate extends Date {
  readonly nanosecondsDelta?: number;
}

function moment(value: PreciseDate, { type, scale }: Pick<Column, 'type' | 'scale'>): string {
  const iso = value.toISOString();
  const date = iso.slice(0, iso.indexOf('T'));
  if (type === 'date') return date;
  const time = iso.slice(date.length + 1, -1);
  const wholeSeconds = time.slice(0, 8);
  if (type === 'smalldatetime') return `${date}T${wholeSeconds}`;
  if (type === 'datetime') return `${date}T${wholeSeconds}${fraction(value, datetimeDecimals)}`;
  const precise = `${wholeSeconds}${fraction(value, scale)}`;
  if (type === 'time') return precise;
  return `${date}T${precise}${type === 'datetimeoffset' ? 'Z' : ''}`;
}

function fraction(value: PreciseDate, decimals: number): string {
  if (decimals === 0) return '';
  const tenthsOfMicroseconds =
    value.getUTCMilliseconds() * 10_000 + Math.round((value.nanosecondsDelta ?? 0) * 1e7);
  return `.${String(tenthsOfMicroseconds).padStart(7, '0').slice(0, decimals)}`;
}
