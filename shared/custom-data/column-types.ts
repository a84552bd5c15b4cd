/** How the columns of custom views are compared and sorted, by their SQL type. */

import { type Comparison, comparisons, isOfPart, likePart } from '../sql/comparisons.ts';
import { isMoment, type KeyType } from '../sql/keyset.ts';
import { quoteName } from '../sql/transaction.ts';
import { int, nvarchar, type SqlParameter } from '../sql/values.ts';
import { isStorable, unstorable } from '../text/storable-text.ts';
import { toSqlParameter } from './json-to-sql.ts';

/** A column of a view, as the catalog describes it. */
export interface ViewColumn {
  readonly name: string;
  /** Name of the system type, such as `decimal`. */
  readonly type: string;
  /** The type as it is declared, such as `decimal(18, 2)`. */
  readonly sqlType: string;
  /** Bytes; -1 for max. */
  readonly maxLength: number;
  readonly precision: number;
  readonly scale: number;
}

type Family = 'text' | 'boolean' | 'integer' | 'decimal' | 'float' | 'moment' | 'guid';

const families: Readonly<Record<string, Family>> = {
  char: 'text',
  varchar: 'text',
  nchar: 'text',
  nvarchar: 'text',
  text: 'text',
  ntext: 'text',
  bit: 'boolean',
  tinyint: 'integer',
  smallint: 'integer',
  int: 'integer',
  bigint: 'integer',
  decimal: 'decimal',
  numeric: 'decimal',
  money: 'decimal',
  smallmoney: 'decimal',
  float: 'float',
  real: 'float',
  date: 'moment',
  time: 'moment',
  datetime: 'moment',
  smalldatetime: 'moment',
  datetime2: 'moment',
  datetimeoffset: 'moment',
  uniqueidentifier: 'guid',
};

const ofTexts = ['equals', 'contains', 'startsWith'] as const;
const ofValues = ['equals', 'from', 'to'] as const;

const comparisonsOfFamilies: Readonly<Record<Family, readonly Comparison[]>> = {
  text: ofTexts,
  boolean: ['equals'],
  integer: ofValues,
  decimal: ofValues,
  float: ofValues,
  moment: ofValues,
  guid: ['equals'],
};

/** Returns how a column can be compared; not at all where it has another type than the table of `sql-json.ts` compares. */
export function comparisonsOfColumn({ type }: ViewColumn): readonly Comparison[] {
  const family = families[type];
  return family === undefined ? [] : comparisonsOfFamilies[family];
}

/** A condition on a row `v` of a view, with its parameter; or why the value does not fit the column. */
export type ColumnCondition =
  | { readonly condition: (parameter: string) => string; readonly parameter: SqlParameter }
  | { readonly error: string };

/** Returns the condition that a column meets a comparison with the text of a query. The comparison is one of `comparisonsOfColumn`. */
export function columnCondition(column: ViewColumn, comparison: Comparison, text: string): ColumnCondition {
  if (families[column.type] === 'text') return textCondition(column, comparison, text);
  const source = sourceOf(column, text);
  const conversion = source === undefined ? { error: expected(column) } : toSqlParameter(source, column);
  if ('error' in conversion) return conversion;
  return {
    condition: (parameter) => comparisons[comparison](comparable(column), typed(column, parameter), false),
    parameter: conversion.parameter,
  };
}

/** Blanks at the end of a char are those of its size. */
const fixedTexts = new Set(['char', 'nchar']);

/** UTF-16 code units of a text that is looked for, at most: LIKE takes 4,000, and each may get an escape. */
const maxText = 1_000;

function textCondition(column: ViewColumn, comparison: Comparison, text: string): ColumnCondition {
  if (!isStorable(text)) return { error: unstorable };
  if (text.length > maxText) return { error: `must not have more than ${maxText} characters` };
  const isPart = isOfPart(comparison);
  const value = fixedTexts.has(column.type) && !isPart ? text.replace(/(?<! ) +$/, '') : text;
  return {
    condition: (parameter) => comparisons[comparison](comparable(column), parameter, true),
    parameter: nvarchar(isPart ? likePart(value) : value, 2 * maxText),
  };
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the text of a query as the JSON that a column has; undefined for one of another type. */
function sourceOf({ type }: ViewColumn, text: string): string | undefined {
  const family = families[type];
  if (family === 'boolean') return /^(?:true|false)$/.test(text) ? text : undefined;
  if (family === 'moment' || family === 'guid') return JSON.stringify(text);
  return jsonNumber.test(text) ? text : undefined;
}

function expected({ type }: ViewColumn): string {
  return families[type] === 'boolean'
    ? 'must be true or false'
    : 'must be a number, with a point for decimals';
}

/** Returns the expression by which a column is compared. */
function comparable({ name, type }: ViewColumn): string {
  const column = `v.${quoteName(name)}`;
  if (fixedTexts.has(type)) return `RTRIM(${column})`;
  if (type === 'text' || type === 'ntext') return `CONVERT(nvarchar(max), ${column})`;
  return type === 'real' ? `CONVERT(float, ${column})` : column;
}

/** Returns the expression of a parameter in the type of its column. */
function typed({ type, sqlType }: ViewColumn, parameter: string): string {
  return type === 'bit' || families[type] === 'float' ? parameter : `CAST(${parameter} AS ${sqlType})`;
}

/** Characters by which texts are sorted: the key of a page has them all. */
export const sortedCharacters = 400;

/** How a column is sorted: the expression on a row `v`, and how its values are kept in a key. */
export interface SortedColumn {
  readonly expression: string;
  readonly type: KeyType;
}

const isText = (value: string | number) => typeof value === 'string';
const asItIs = (expression: string) => expression;

/** A text that is cut off may end with half of a surrogate pair. */
const textKey: KeyType = {
  read: asItIs,
  isValue: (value) =>
    isText(value) && !String(value).includes('\0') && String(value).length <= sortedCharacters,
  parameter: (value) => nvarchar(value as string | null, sortedCharacters),
  compared: asItIs,
};

const floatKey: KeyType = {
  read: asItIs,
  isValue: (value) => typeof value === 'number' && Number.isFinite(value),
  parameter: (value) => ({ type: 'float', value: value as number | null }),
  compared: asItIs,
};

/** The key of propIDs, by which rows are in order that are equal otherwise. */
export const intKey: KeyType = {
  read: asItIs,
  isValue: (value) => typeof value === 'number' && value === value >> 0,
  parameter: (value) => int(value as number | null),
  compared: asItIs,
};

/** A key that is kept as text, of a form that the server reads back in all its digits. */
function writtenKey(sqlType: string, form: RegExp, isValue: (value: string) => boolean, style = ''): KeyType {
  return {
    read: (expression) => `CONVERT(nvarchar(48), ${expression}${style})`,
    isValue: (value) => isText(value) && form.test(String(value)) && isValue(String(value)),
    parameter: (value) => nvarchar(value as string | null, 48),
    compared: (parameter) => `CAST(${parameter} AS ${sqlType})`,
  };
}

const dateKey = writtenKey('date', /^\d{4}-\d\d-\d\d$/, isMoment, ', 23');
const momentKey = writtenKey(
  'datetime2(7)',
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?$/,
  isMoment,
  ', 126',
);
const timeKey = writtenKey('time(7)', /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,7})?$/, () => true);

/** Returns a key of exact numbers: those of the type alone are keys. */
function numberKey(sqlType: string, type: Omit<ViewColumn, 'name' | 'sqlType'>): KeyType {
  const fits = (value: string) => !('error' in toSqlParameter(value, type));
  return writtenKey(sqlType, jsonNumber, fits);
}

const bigint = { type: 'bigint', maxLength: 8, precision: 19, scale: 0 };

/** Returns how a column is sorted; undefined for a type without an order that means anything. */
export function sortedColumn(column: ViewColumn): SortedColumn | undefined {
  const { name, type, precision, scale, maxLength } = column;
  const plain = `v.${quoteName(name)}`;
  switch (families[type]) {
    case 'text':
      return {
        expression: `LEFT(CONVERT(nvarchar(max), ${comparable(column)}), ${sortedCharacters})`,
        type: textKey,
      };
    case 'boolean':
      return { expression: `CONVERT(int, ${plain})`, type: intKey };
    case 'integer':
      return { expression: `CONVERT(bigint, ${plain})`, type: numberKey('bigint', bigint) };
    case 'float':
      return { expression: `CONVERT(float, ${plain})`, type: floatKey };
    case 'decimal': {
      const digits = /money$/.test(type) ? { precision: 19, scale: 4 } : { precision, scale };
      const sqlType = `decimal(${digits.precision}, ${digits.scale})`;
      const key = numberKey(sqlType, { type: 'decimal', maxLength, ...digits });
      return { expression: `CONVERT(${sqlType}, ${plain})`, type: key };
    }
    case 'moment':
      return sortedMoment(plain, type);
    default:
      return undefined;
  }
}

/** Moments with a zone are in the order of their instants. */
function sortedMoment(column: string, type: string): SortedColumn {
  if (type === 'date') return { expression: column, type: dateKey };
  if (type === 'time') return { expression: `CONVERT(time(7), ${column})`, type: timeKey };
  const local = type === 'datetimeoffset' ? `SWITCHOFFSET(${column}, N'+00:00')` : column;
  return { expression: `CONVERT(datetime2(7), ${local})`, type: momentKey };
}
