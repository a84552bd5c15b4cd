/** Finds objects of a kind by the values of their bk-fields. */

import { CodedError, type FieldError } from '../../errors.ts';
import type { Database } from '../../sql/database.ts';
import { int, integer, nvarchar, type Parameters, rowsOf } from '../../sql/values.ts';
import { explainContract } from '../database-contract.ts';
import { type BkValue, bkFieldNames, bkParameter, bkTypeOf, withTwoDigits } from './bk-fields.ts';
import { type Fields, type ObjectRecord, selectObjects, toColumns, toObjectRecord } from './fields.ts';
import type { ObjectKind } from './kinds.ts';
import type { Page } from './store.ts';

/**
 * Parts of texts are found without regard to case, alike on every server: under a Danish collation `aa` holds no `a`, and under a Turkish
 * one `I` is no `i`.
 */
const letters = 'COLLATE Latin1_General_100_CI_AS';

/** How a value is compared, by the word in brackets behind the name of the field. */
export const operators = {
  contains: (column: string, parameter: string) =>
    `${column} ${letters} LIKE N'%' + ${parameter} + N'%' ESCAPE N'\\'`,
  startsWith: (column: string, parameter: string) =>
    `${column} ${letters} LIKE ${parameter} + N'%' ESCAPE N'\\'`,
  from: (column: string, parameter: string) => `${column} >= ${parameter}`,
  to: (column: string, parameter: string) => `${column} <= ${parameter}`,
} as const;

export type Operator = keyof typeof operators;

export interface Search {
  /** By name of a field, or `name[operator]`; all of them must hold. */
  readonly where: Fields;
  /** Names of fields, with `-` before them for descending. */
  readonly sort: readonly string[];
  readonly page: Page;
  readonly total: boolean;
}

export interface Found {
  readonly records: readonly ObjectRecord[];
  /** How many there are on all pages, where it was asked for. */
  readonly total: number | undefined;
}

const filterName = /^(\w+)\[(\w+)\]$/;

/** Finds the objects that a search asks for, in its order, then in that of their creation. Throws `invalid-parameters`. */
export async function searchObjects(main: Database, kind: ObjectKind, search: Search): Promise<Found> {
  const { conditions, parameters } = conditionsOf(search.where);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const count = `SELECT COUNT(*) AS total FROM dbo.${kind.table} t ${where};`;
  const [found, counted] = await main
    .query(
      `${selectObjects(kind)} ${where}
ORDER BY ${[...orderOf(kind, search.sort), 't.propID'].join(', ')} OFFSET @offset ROWS FETCH NEXT @limit ROWS ONLY;
${search.total ? count : ''}`,
      { ...parameters, offset: int(search.page.offset), limit: int(search.page.limit) },
      { name: `search ${kind.collection}` },
    )
    .catch(explainContract);
  const [row] = rowsOf(counted);
  return {
    records: rowsOf(found).map((item) => toObjectRecord(kind, item)),
    total: row === undefined ? undefined : integer(row, 'total'),
  };
}

function conditionsOf(where: Fields): { conditions: string[]; parameters: Parameters } {
  const entries = Object.entries(where);
  const equal = toColumns(Object.fromEntries(entries.filter(([name]) => !filterName.test(name))), 'query');
  const filters = entries.filter(([name]) => filterName.test(name)).map(toFilter);
  return {
    conditions: [
      ...Object.keys(equal).map(equality),
      ...filters.map(({ column, operator }, index) => operators[operator](`t.${column}`, `@f${index}`)),
    ],
    parameters: Object.fromEntries([
      ...Object.entries(equal).map(([name, value]) => [name, bkParameter(name, value)] as const),
      ...filters.map(({ column, value }, index) => [`f${index}`, filterParameter(column, value)] as const),
    ]),
  };
}

function toFilter([written, value]: [string, BkValue]) {
  const [, name = '', operator = ''] = filterName.exec(written) ?? [];
  const [column = ''] = Object.keys(withTwoDigits({ [name]: value }).columns);
  // Checks the value itself: what no column can hold is in none.
  toColumns({ [column]: value }, 'query');
  return { column, value, operator: operator as Operator };
}

/** Characters of a text, at most, with an escape for each. */
const patternLength = 1_000;

function filterParameter(column: string, value: BkValue) {
  if (bkTypeOf(column) !== 'Str') return bkParameter(column, value);
  return nvarchar(String(value).replaceAll(/[\\%_[]/g, String.raw`\$&`), patternLength);
}

/** Texts are equal character by character, in any collation of the database, in which an index is looked for. */
function equality(name: string): string {
  const equal = `t.${name} = @${name}`;
  return bkTypeOf(name) === 'Str' ? `${equal} AND t.${name} COLLATE Latin1_General_BIN2 = @${name}` : equal;
}

function orderOf(kind: ObjectKind, sort: readonly string[]): string[] {
  const sortable = new Set(['title', 'createdAt', 'updatedAt', ...kind.ownFields, ...bkFieldNames(kind)]);
  const errors: FieldError[] = [];
  const order = sort.map((written) => {
    const name = written.replace(/^-/, '');
    const [column = ''] = Object.keys(withTwoDigits({ [name]: null }).columns);
    if (!sortable.has(column)) errors.push({ pointer: 'query:sort', detail: `cannot be by "${name}"` });
    return { column, direction: written.startsWith('-') ? ' DESC' : '' };
  });
  const twice = order.find(({ column }, index) => order.findIndex((item) => item.column === column) < index);
  if (twice !== undefined) errors.push({ pointer: 'query:sort', detail: `names ${twice.column} twice` });
  if (errors.length > 0)
    throw new CodedError('invalid-parameters', 'Cannot read the request: its parameters are not valid.', {
      errors,
    });
  return order.map(({ column, direction }) => `t.${column}${direction}`);
}
