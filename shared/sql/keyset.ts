/** Where a page of a list ends: the key of its last row, by which the next page begins, whatever has come or gone meanwhile. */

import { CodedError } from '../errors.ts';
import type { Parameters, Row, SqlParameter } from './values.ts';

/** A value of a key, as JSON has it. */
export type KeyValue = string | number | null;

/** How the values of a column are kept in a key, and compared with it. */
export interface KeyType {
  /** Returns the expression of the value that a key holds, in all its digits: a text or a number. */
  readonly read: (expression: string) => string;
  readonly isValue: (value: string | number) => boolean;
  readonly parameter: (value: KeyValue) => SqlParameter;
  /** Returns the expression of a parameter that compares as the column does. */
  readonly compared: (parameter: string) => string;
}

/** A column that a list is ordered by. */
export interface OrderColumn {
  /** The expression that is compared and sorted. */
  readonly expression: string;
  readonly type: KeyType;
  readonly isDescending: boolean;
}

/** Checks whether a value of a key is a moment, or a day, that exists. */
export function isMoment(value: string | number): boolean {
  const text = String(value);
  const day = new Date(text.slice(0, 10));
  const exists = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
  return exists && !Number.isNaN(Date.parse(text));
}

const columnName = (index: number) => `$key${index}`;

/** Returns the columns of a SELECT that `keyOf` reads. */
export function keyColumns(order: readonly OrderColumn[]): string[] {
  return order.map(({ type, expression }, index) => `${type.read(expression)} AS [${columnName(index)}]`);
}

/** Returns what stands behind ORDER BY. */
export function orderBy(order: readonly OrderColumn[]): string {
  return order.map(({ expression, isDescending }) => expression + (isDescending ? ' DESC' : '')).join(', ');
}

/** Returns the key of a row, for an address: `sort` is the order that it belongs to. */
export function keyOf(sort: readonly string[], order: readonly OrderColumn[], row: Row): string {
  const values = order.map((_, index) => row[columnName(index)] ?? null);
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
    order.map(({ type }, index) => [`k${index}`, type.parameter(values[index] ?? null)]),
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
  return isNull ? `${expression} IS NULL` : `${expression} = ${type.compared(`@k${index}`)}`;
}

/** NULL comes first, and last where the order descends. */
function isBehind({ expression, type, isDescending }: OrderColumn, index: number, isNull: boolean): string {
  if (isNull) return isDescending ? '1 = 0' : `${expression} IS NOT NULL`;
  const parameter = type.compared(`@k${index}`);
  return isDescending
    ? `(${expression} < ${parameter} OR ${expression} IS NULL)`
    : `${expression} > ${parameter}`;
}

function valuesIn(sort: readonly string[], order: readonly OrderColumn[], key: string): KeyValue[] {
  const [written, ...values] = parse(key);
  const isKey =
    written === sort.join(',') &&
    values.length === order.length &&
    order.every(({ type }, index) => isValueOf(type, values[index]));
  if (!isKey)
    throw new CodedError(
      'invalid-parameters',
      'Cannot read the page: the key of the last object is not valid.',
      {
        errors: [{ pointer: 'query:after', detail: 'is not the key of a page of this list in this order' }],
        hint: 'Follow the address with rel="next" of the header Link.',
      },
    );
  return values as KeyValue[];
}

function isValueOf(type: KeyType, value: unknown): boolean {
  return value === null || ((typeof value === 'string' || typeof value === 'number') && type.isValue(value));
}

function parse(key: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(key, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
