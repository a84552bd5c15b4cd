/** Finds objects of a kind by their title, their number and the values of their bk-fields. */

import { CodedError, type FieldError } from '../../../shared/errors.ts';
import { type Comparison, comparisons, isOfPart, likePart } from '../../../shared/sql/comparisons.ts';
import type { Database } from '../../../shared/sql/database.ts';
import { behindKey, keyColumns, keyOf, type OrderColumn, orderBy } from '../../../shared/sql/keyset.ts';
import { int, integer, nvarchar, type Parameters, rowsOf, text } from '../../../shared/sql/values.ts';
import { type BkValue, bkFieldNames, bkParameter, withTwoDigits } from './bk-fields.ts';
import {
  columnsOf,
  type Fields,
  type ObjectRecord,
  recordFields,
  searchTypeOf,
  textErrors,
  titleLength,
  toColumns,
  toObjectRecord,
} from './fields.ts';
import { objectIdLength } from './find.ts';
import type { ObjectKind } from './kinds.ts';
import { keyTypeOf } from './list-key.ts';
import { explainSource, type ObjectSource } from './source.ts';
import type { Page } from './store.ts';

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
  /** The propIDs of those that count, as a JSON array; undefined: all. */
  readonly among?: string | undefined;
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
  const { conditions, parameters } = conditionsOf(source, search);
  const { sort } = search;
  const order = orderOf(kind, source, sort);
  const { after } = search.page;
  const behind = after === undefined ? undefined : behindKey(sort, order, after);
  const count = `SELECT COUNT(*) AS total FROM ${source.from} ${whereClause(conditions)};`;
  const [found, counted] = await main
    .query(
      `${source.select(search.fields, keyColumns(order))} ${whereClause([...conditions, ...(behind === undefined ? [] : [behind.condition])])}
ORDER BY ${orderBy(order)} OFFSET @offset ROWS FETCH NEXT @limit ROWS ONLY;
${search.count ? count : ''}`,
      {
        ...parameters,
        ...behind?.parameters,
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

/** What the objects of a search have to meet. */
type Conditions = Pick<Search, 'where' | 'parent' | 'among'>;

/** Returns the propIDs of the objects that meet conditions, as a JSON array, and how many they are: one more than `max` where there are more. Throws `invalid-parameters`. */
export async function listPropIDs(
  main: Database,
  kind: ObjectKind,
  source: ObjectSource,
  search: Conditions,
  max: number,
): Promise<{ readonly propIDs: string; readonly count: number }> {
  const { conditions, parameters } = conditionsOf(source, search);
  const [found] = await main
    .query(
      `SELECT COUNT(*) AS found, ISNULL(N'[' + STRING_AGG(CONVERT(nvarchar(max), propID), N',') + N']', N'[]') AS propIDs
FROM (SELECT TOP (${max + 1}) ${source.propID} AS propID FROM ${source.from} ${whereClause(conditions)}) m;`,
      parameters,
      { name: `list ${kind.collection}` },
    )
    .catch(explainSource(kind));
  const [row = {}] = rowsOf(found);
  return { propIDs: text(row, 'propIDs'), count: integer(row, 'found') };
}

/** Returns the fields that any of the objects that meet conditions has something in, in the order of the record; identifiers always. */
export async function filledFields(
  main: Database,
  kind: ObjectKind,
  source: ObjectSource,
  search: Conditions,
): Promise<readonly string[]> {
  const { conditions, parameters } = conditionsOf(source, search);
  const counted = [...columnsOf(kind), 'createdAt', 'updatedAt'];
  const counts = counted.map((field) => {
    const isText = searchTypeOf(field) === 'Str';
    return `COUNT(CASE WHEN ${isText ? `DATALENGTH(t.${field}) > 0` : `t.${field} IS NOT NULL`} THEN 1 END) AS ${field}`;
  });
  const [found] = await main
    .query(`SELECT ${counts.join(',\n')} FROM ${source.from} ${whereClause(conditions)};`, parameters, {
      name: `find filled fields of ${kind.collection}`,
    })
    .catch(explainSource(kind));
  const [row = {}] = rowsOf(found);
  const isCounted = new Set(counted);
  return recordFields(kind).filter((field) => !isCounted.has(field) || integer(row, field) > 0);
}

function conditionsOf(
  source: ObjectSource,
  { where, parent, among }: Conditions,
): { conditions: string[]; parameters: Parameters } {
  checkSpelledOnce(where);
  const filters = Object.entries(where).map(toFilter);
  const errors = filters.flatMap(({ errors }) => errors);
  if (errors.length > 0) throw invalidQuery(errors);
  const isAmong = `${source.propID} IN (SELECT propID FROM OPENJSON(@among) WITH (propID int '$'))`;
  return {
    conditions: [
      ...(parent === undefined ? [] : [source.isBelow]),
      ...(among === undefined ? [] : [isAmong]),
      ...filters.map(({ column, comparison, isText }, index) =>
        comparisons[comparison](`t.${column}`, `@f${index}`, isText),
      ),
    ],
    parameters: {
      ...Object.fromEntries(filters.map(({ parameter }, index) => [`f${index}`, parameter])),
      ...parentParameters(parent),
      ...(among === undefined ? {} : { among: nvarchar(among) }),
    },
  };
}

/** Throws `invalid-parameters` for a field that is given with one digit and with two. */
function checkSpelledOnce(where: Fields): void {
  const entries = Object.entries(where).filter(([name]) => !filterName.test(name));
  toColumns(Object.fromEntries(entries), 'query');
}

function toFilter([written, value]: [string, BkValue]) {
  const [, name = written, word = 'equals'] = filterName.exec(written) ?? [];
  const [column = ''] = Object.keys(withTwoDigits({ [name]: value }).columns);
  const isText = searchTypeOf(column) === 'Str';
  const comparison = word as Comparison;
  return {
    column,
    isText,
    comparison,
    parameter: parameterOf(column, value, isOfPart(comparison)),
    errors: textErrors(column, value, titleLength).map((detail) => ({ pointer: `query:${written}`, detail })),
  };
}

function parameterOf(column: string, value: BkValue, isPart: boolean) {
  if (searchTypeOf(column) === 'Int') return int(value as number);
  if (searchTypeOf(column) !== 'Str') return bkParameter(column, value);
  if (!isPart) return nvarchar(String(value), titleLength);
  return nvarchar(likePart(String(value)), 2 * titleLength);
}

function invalidQuery(errors: readonly FieldError[]): CodedError {
  return new CodedError('invalid-parameters', 'Cannot read the request: its parameters are not valid.', {
    errors,
  });
}

/** Returns the names of the fields that lists of a kind are sorted by. */
export function sortableFields(kind: ObjectKind): ReadonlySet<string> {
  return new Set(['title', 'createdAt', 'updatedAt', ...kind.ownFields, ...bkFieldNames(kind)]);
}

/** Returns the order of a list; what is equal in it is in that of creation. */
function orderOf(kind: ObjectKind, source: ObjectSource, sort: readonly string[]): OrderColumn[] {
  const sortable = sortableFields(kind);
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
