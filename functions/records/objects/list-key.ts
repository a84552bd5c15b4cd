/** Where a page of a list ends: the key of its last object, by which the next page begins, whatever has come or gone meanwhile. */

import { CodedError } from '../../../shared/errors.ts';
import { int, nvarchar, type Parameters, type Row, type SqlParameter } from '../../../shared/sql/values.ts';
import { type BkValue, bkValue } from './bk-fields.ts';
import { searchTypeOf, titleLength } from './fields.ts';

/** A column that a list is ordered by. */
export interface OrderColumn {
  /** The expression that is compared and sorted. */
  readonly expression: string;
  readonly type: keyof typeof keyTypes;
  readonly isDescending: boolean;
}

interface KeyType {
  /** Returns the expression of the value that a key holds, in all its digits. */
  readonly read: (expression: string) => string;
  readonly isValue: (value: unknown) => boolean;
  readonly parameter: (value: BkValue) => SqlParameter;
  /** Returns the expression of a parameter that compares as the column does. */
  readonly compared: (parameter: string) => string;
}

const asItIs = (expression: string) => expression;
const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isInteger = (value: unknown) => isNumber(value) && (value as number) === (value as number) >> 0;

const keyTypes = {
  Str: {
    read: asItIs,
    isValue: isText,
    parameter: (value) => nvarchar(value as string | null, Math.max(titleLength, String(value).length)),
    compared: asItIs,
  },
  Int: {
    read: asItIs,
    isValue: isInteger,
    parameter: (value) => int(value as number | null),
    compared: asItIs,
  },
  Float: {
    read: asItIs,
    isValue: isNumber,
    parameter: (value) => ({ type: 'float', value: value as number | null }),
    compared: asItIs,
  },
  Date: {
    read: asItIs,
    isValue: (value) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(String(value)) && isMoment(value),
    parameter: (value) => nvarchar(value as string | null, 10),
    compared: (parameter) => `CAST(${parameter} AS date)`,
  },
  /** The driver rounds what is finer than a millisecond. */
  Moment: {
    read: (expression) => `CONVERT(nvarchar(33), CONVERT(datetime2(7), ${expression}), 126)`,
    isValue: (value) =>
      isText(value) && /^\d{4}-\d\d-\d\dT[\d:.]{8,16}$/.test(String(value)) && isMoment(value),
    parameter: (value) => nvarchar(value as string | null, 33),
    compared: (parameter) => `CAST(${parameter} AS datetime2(7))`,
  },
} as const satisfies Readonly<Record<string, KeyType>>;

/** Checks whether a text begins with a day that exists, and is a moment where it has a time. */
function isMoment(value: unknown): boolean {
  const text = String(value);
  const day = new Date(text.slice(0, 10));
  const exists = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
  return exists && !Number.isNaN(Date.parse(text));
}

/** Returns how a field is compared in a key. */
export function keyTypeOf(field: string): OrderColumn['type'] {
  return field === 'createdAt' || field === 'updatedAt' ? 'Moment' : (searchTypeOf(field) ?? 'Str');
}

const columnName = (index: number) => `$key${index}`;

/** Returns the columns of a SELECT that `keyOf` reads. */
export function keyColumns(order: readonly OrderColumn[]): string[] {
  return order.map(
    ({ type, expression }, index) => `${keyTypes[type].read(expression)} AS [${columnName(index)}]`,
  );
}

/** Returns the key of a row, for an address: `sort` is the order that it belongs to. */
export function keyOf(sort: readonly string[], order: readonly OrderColumn[], row: Row): string {
  const values = order.map((_, index) => bkValue(row[columnName(index)] ?? null));
  return Buffer.from(JSON.stringify([sort.join(','), ...values])).toString('base64url');
}

/** Returns the condition for what comes behind a key, and its parameters. Throws `invalid-parameters` for a text that is no key of this order. */
export function behindKey(
  sort: readonly string[],
  order: readonly OrderColumn[],
  key: string,
): { readonly condition: string; readonly parameters: Parameters } {
  const values = valuesIn(sort, order, key);
  const parameters = Object.fromEntries(
    values.map((value, index) => [`k${index}`, keyTypes[order[index]?.type ?? 'Str'].parameter(value)]),
  );
  const alternatives = order.map((_, last) =>
    order
      .slice(0, last + 1)
      .map((column, index) => (index < last ? isEqual : isBehind)(column, index, values[index] === null))
      .join(' AND '),
  );
  return { condition: `(${alternatives.map((item) => `(${item})`).join(' OR ')})`, parameters };
}

function isEqual({ expression, type }: OrderColumn, index: number, isNull: boolean): string {
  return isNull ? `${expression} IS NULL` : `${expression} = ${keyTypes[type].compared(`@k${index}`)}`;
}

/** NULL comes first, and last where the order descends. */
function isBehind({ expression, type, isDescending }: OrderColumn, index: number, isNull: boolean): string {
  if (isNull) return isDescending ? '1 = 0' : `${expression} IS NOT NULL`;
  const parameter = keyTypes[type].compared(`@k${index}`);
  return isDescending
    ? `(${expression} < ${parameter} OR ${expression} IS NULL)`
    : `${expression} > ${parameter}`;
}

function valuesIn(sort: readonly string[], order: readonly OrderColumn[], key: string): BkValue[] {
  const [written, ...values] = parse(key);
  const isKey =
    written === sort.join(',') &&
    values.length === order.length &&
    order.every(({ type }, index) => values[index] === null || keyTypes[type].isValue(values[index]));
  if (!isKey)
    throw new CodedError(
      'invalid-parameters',
      'Cannot read the page: the key of the last object is not valid.',
      {
        errors: [{ pointer: 'query:after', detail: 'is not the key of a page of this list in this order' }],
        hint: 'Follow the address with rel="next" of the header Link.',
      },
    );
  return values as BkValue[];
}

function parse(key: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(key, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
