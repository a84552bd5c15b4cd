/** Finds objects of a kind by their title, their number and the values of their bk-fields. */

import { CodedError, type FieldError } from '../../../shared/errors.ts';
import type { Database } from '../../../shared/sql/database.ts';
import { int, integer, nvarchar, type Parameters, rowsOf } from '../../../shared/sql/values.ts';
import { type BkValue, bkFieldNames, bkParameter, withTwoDigits } from './bk-fields.ts';
import {
  type Fields,
  type ObjectRecord,
  searchTypeOf,
  textErrors,
  titleLength,
  toColumns,
  toObjectRecord,
} from './fields.ts';
import { objectIdLength } from './find.ts';
import type { ObjectKind } from './kinds.ts';
import { behindKey, keyColumns, keyOf, keyTypeOf, type OrderColumn } from './list-key.ts';
import { explainSource, type ObjectSource } from './source.ts';
import type { Page } from './store.ts';

/**
 * Parts of texts are found without regard to case, alike on every server: under a Danish collation `aa` holds no `a`, and under a Turkish
 * one `I` is no `i`.
 */
const letters = 'COLLATE Latin1_General_100_CI_AS';

/**
 * How a value is compared, by the word in brackets behind the name of the field. Texts are equal character by character, in any collation
 * of the database, in which an index is looked for. The server pads the shorter of two texts with blanks, so that they end in a sign here.
 */
const operators = {
  equals: (column: string, parameter: string, isText: boolean) =>
    `${column} = ${parameter}${isText ? ` AND ${column} + N'.' COLLATE Latin1_General_BIN2 = ${parameter} + N'.'` : ''}`,
  contains: (column: string, parameter: string) =>
    `${column} ${letters} LIKE N'%' + ${parameter} + N'%' ESCAPE N'\\'`,
  startsWith: (column: string, parameter: string) =>
    `${column} ${letters} LIKE ${parameter} + N'%' ESCAPE N'\\'`,
  from: (column: string, parameter: string) => `${column} >= ${parameter}`,
  to: (column: string, parameter: string) => `${column} <= ${parameter}`,
} as const;

type Operator = keyof typeof operators;

export interface Search {
  /** By name of a field, or `name[operator]`; all of them must hold. */
  readonly where: Fields;
  /** Names of fields, with `-` before them for descending. */
  readonly sort: readonly string[];
  readonly page: Page;
  /** The fields to read. */
  readonly fields: readonly string[];
  readonly count: boolean;
  /** The object below which they are; undefined: anywhere. */
  readonly parent?: { readonly propID: number; readonly id: string } | undefined;
}

export interface Found {
  readonly records: readonly ObjectRecord[];
  /** Returns the key of a record, behind which another page can begin. */
  readonly keyOf: (index: number) => string;
  /** How many there are on all pages, where it was asked for. */
  readonly total: number | undefined;
}

const filterName = /^(\w+)\[(\w+)\]$/;

/** Finds the objects that a search asks for, in its order, then in that of their creation. Throws `invalid-parameters`. */
export async function searchObjects(
  main: Database,
  kind: ObjectKind,
  source: ObjectSource,
  search: Search,
): Promise<Found> {
  const { conditions, parameters } = conditionsOf(search.where);
  const { parent, sort } = search;
  if (parent !== undefined) conditions.unshift(source.isBelow);
  const order = orderOf(kind, source, sort);
  const { after } = search.page;
  const behind = after === undefined ? undefined : behindKey(sort, order, after);
  const count = `SELECT COUNT(*) AS total FROM ${source.from} ${whereClause(conditions)};`;
  const [found, counted] = await main
    .query(
      `${source.select(search.fields, keyColumns(order))} ${whereClause([...conditions, ...(behind === undefined ? [] : [behind.condition])])}
ORDER BY ${order.map(({ expression, isDescending }) => expression + (isDescending ? ' DESC' : '')).join(', ')} OFFSET @offset ROWS FETCH NEXT @limit ROWS ONLY;
${search.count ? count : ''}`,
      {
        ...parameters,
        ...behind?.parameters,
        ...parentParameters(parent),
        offset: int(search.page.offset),
        limit: int(search.page.limit),
      },
      { name: `search ${kind.collection}` },
    )
    .catch(explainSource(kind));
  const [row] = rowsOf(counted);
  const rows = rowsOf(found);
  return {
    records: rows.map((item) => toObjectRecord(kind, item, search.fields)),
    keyOf: (index) => keyOf(sort, order, rows[index] ?? {}),
    total: row === undefined ? undefined : integer(row, 'total'),
  };
}

function whereClause(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

function parentParameters(parent: Search['parent']): Parameters {
  if (parent === undefined) return {};
  return { parentPropID: int(parent.propID), parentID: nvarchar(parent.id, objectIdLength) };
}

function conditionsOf(where: Fields): { conditions: string[]; parameters: Parameters } {
  checkSpelledOnce(where);
  const filters = Object.entries(where).map(toFilter);
  const errors = filters.flatMap(({ errors }) => errors);
  if (errors.length > 0) throw invalidQuery(errors);
  return {
    conditions: filters.map(({ column, operator, isText }, index) =>
      operators[operator](`t.${column}`, `@f${index}`, isText),
    ),
    parameters: Object.fromEntries(filters.map(({ parameter }, index) => [`f${index}`, parameter])),
  };
}

/** Throws `invalid-parameters` for a field that is given with one digit and with two. */
function checkSpelledOnce(where: Fields): void {
  const entries = Object.entries(where).filter(([name]) => !filterName.test(name));
  toColumns(Object.fromEntries(entries), 'query');
}

function toFilter([written, value]: [string, BkValue]) {
  const [, name = written, operator = 'equals'] = filterName.exec(written) ?? [];
  const [column = ''] = Object.keys(withTwoDigits({ [name]: value }).columns);
  const isText = searchTypeOf(column) === 'Str';
  const isPart = operator === 'contains' || operator === 'startsWith';
  return {
    column,
    isText,
    operator: operator as Operator,
    parameter: parameterOf(column, value, isPart),
    errors: textErrors(column, value, titleLength).map((detail) => ({ pointer: `query:${written}`, detail })),
  };
}

function parameterOf(column: string, value: BkValue, isPart: boolean) {
  if (searchTypeOf(column) === 'Int') return int(value as number);
  if (searchTypeOf(column) !== 'Str') return bkParameter(column, value);
  if (!isPart) return nvarchar(String(value), titleLength);
  // Each character may have an escape.
  return nvarchar(String(value).replaceAll(/[\\%_[]/g, String.raw`\$&`), 2 * titleLength);
}

function invalidQuery(errors: readonly FieldError[]): CodedError {
  return new CodedError('invalid-parameters', 'Cannot read the request: its parameters are not valid.', {
    errors,
  });
}

/** Returns the order of a list; what is equal in it is in that of creation. */
function orderOf(kind: ObjectKind, source: ObjectSource, sort: readonly string[]): OrderColumn[] {
  const sortable = new Set(['title', 'createdAt', 'updatedAt', ...kind.ownFields, ...bkFieldNames(kind)]);
  const errors: FieldError[] = [];
  const order = sort.map((written) => {
    const name = written.replace(/^-/, '');
    const [column = ''] = Object.keys(withTwoDigits({ [name]: null }).columns);
    if (!sortable.has(column))
      errors.push({ pointer: 'query:sort', detail: `"${name}" is not a field to sort by` });
    return { column, isDescending: written.startsWith('-') };
  });
  const repeatedColumn = order.find(
    ({ column }, index) => order.findIndex((item) => item.column === column) < index,
  );
  if (repeatedColumn !== undefined)
    errors.push({ pointer: 'query:sort', detail: `names ${repeatedColumn.column} twice` });
  if (errors.length > 0) throw invalidQuery(errors);
  return [
    ...order.map(({ column, isDescending }) => ({
      expression: source.sorted(column),
      type: keyTypeOf(column),
      isDescending,
    })),
    ...source.key.map((column) => ({ ...column, isDescending: false })),
  ];
}
