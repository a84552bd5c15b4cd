/** Where the metadata of a kind is read from: our tables, or a view of the customer over the tables of an existing product. */

import { createCache, loadThrough } from '../../../shared/cache.ts';
import type { Database } from '../../../shared/sql/database.ts';
import { contractBroken, explainContract, missingRight } from '../../../shared/sql/database-contract.ts';
import { SqlFailure } from '../../../shared/sql/failure.ts';
import type { OrderColumn } from '../../../shared/sql/keyset.ts';
import { explainTimeout, timeoutOf } from '../../../shared/sql/slow-statement.ts';
import { quoteName } from '../../../shared/sql/transaction.ts';
import { nvarchar, type Row, rowsOf, text } from '../../../shared/sql/values.ts';
import { withTwoDigits } from './bk-fields.ts';
import { columnOf, columnsOf, idColumns, searchTypeOf, selectObjects } from './fields.ts';
import type { ObjectKind } from './kinds.ts';
import { keyTypes } from './list-key.ts';

/** Parts of a SELECT. Its rows are those that `toObjectRecord` turns into objects. */
export interface ObjectSource {
  /** Returns the SELECT of fields, and of further expressions. */
  readonly select: (fields: readonly string[], expressions?: readonly string[]) => string;
  /** What the rows come from, under the name `t`. */
  readonly from: string;
  /** The expression of the propID of an object. */
  readonly propID: string;
  /** The condition for an object with the parameters `@propID` and `@objectID`. */
  readonly isObject: string;
  /** The condition for what is below an object with the parameters `@parentPropID` and `@parentID`. */
  readonly isBelow: string;
  /** The expressions by which rows are in order without a sort; together they are different for each. */
  readonly key: readonly Pick<OrderColumn, 'expression' | 'type'>[];
  /** Returns the expression by which a field is sorted. */
  readonly sorted: (field: string) => string;
}

/** Milliseconds after which a view is looked at again. */
const lifetime = 5_000;

/** The sources of all kinds. They look at the columns of views. */
export class ObjectSources {
  readonly #views = createCache<string, Promise<ObjectSource>>({ maxEntries: 4, ttl: lifetime });

  /** Returns the source of a kind. Throws `database-contract` for a view that is missing or lacks a column that it must have. */
  async of(main: Database, kind: ObjectKind): Promise<ObjectSource> {
    if (kind.isView !== true) return tableSource(kind);
    return loadThrough(this.#views, kind.table, () => readView(main, kind));
  }
}

function tableSource(kind: ObjectKind): ObjectSource {
  return {
    select: (fields, expressions) => selectObjects(kind, fields, expressions),
    from: `dbo.${kind.table} t`,
    propID: 't.propID',
    isObject: 't.propID = @propID',
    isBelow: 't.parentPropID = @parentPropID',
    key: [{ expression: 't.propID', type: keyTypes.Int }],
    sorted: (field) => `t.${field}`,
  };
}

const selectColumns = `
SELECT c.name, ISNULL(t.name, N'') AS type,
    CASE WHEN t.name IN (N'varchar', N'char') AND c.collation_name LIKE N'SQL[_]%' THEN 1 ELSE 0 END AS hasOldOrder
FROM sys.columns c LEFT JOIN sys.types t ON t.user_type_id = c.system_type_id
WHERE c.object_id = OBJECT_ID(N'dbo.' + QUOTENAME(@view), N'V');`;

async function readView(main: Database, kind: ObjectKind): Promise<ObjectSource> {
  const [found] = await main
    .query(selectColumns, { view: nvarchar(kind.table, 128) }, { name: 'read columns of a view' })
    .catch(explainContract);
  return viewSource(kind, toColumns(rowsOf(found)));
}

/** Returns columns by their names in lower case, bk-fields with two digits. */
function toColumns(rows: readonly Row[]): ViewColumns {
  const columns = rows.map((row) => ({
    name: text(row, 'name'),
    type: text(row, 'type'),
    hasOldOrder: row['hasOldOrder'] === 1,
  }));
  const byName = Object.fromEntries(columns.map((column) => [column.name, column] as const));
  return new Map(
    Object.entries(withTwoDigits(byName).columns).map(([name, column]) => [name.toLowerCase(), column]),
  );
}

/** Returns what explains the failure of a statement on the source of a kind: it throws `database-contract` for a view that fails, too. */
export function explainSource({ collection, table, isView }: ObjectKind): (error: unknown) => never {
  const slow = { action: `read ${collection.replaceAll('-', ' ')}`, name: `the view ${table}` };
  return (error) => {
    if (isView === true && timeoutOf(error) !== undefined) return explainTimeout(slow)(error);
    if (isView !== true || !(error instanceof SqlFailure) || missingRight(error) !== undefined)
      return explainContract(error);
    const { number } = error;
    throw contractBroken(`the view ${table} failed with SQL error ${number}`, {
      cause: error,
      facts: { number },
    });
  };
}

const invalidObject = 208;
const invalidColumn = 207;

/** Returns the source of a view with these columns. Columns that it lacks are NULL, but for those of identifiers and titles. */
function viewSource(kind: ObjectKind, columns: ViewColumns): ObjectSource {
  if (columns.size === 0)
    throw contractBroken(`the view ${kind.table} is missing`, { facts: { number: invalidObject } });
  const check = (name: string) => {
    if (columns.has(name.toLowerCase())) return;
    const meaning = `the column ${name} of the view ${kind.table} is missing`;
    throw contractBroken(meaning, { facts: { number: invalidColumn } });
  };
  check('objectID');
  check('title');
  const sorted = (field: string, name = field) =>
    columns.get(name.toLowerCase())?.hasOldOrder ? `CONVERT(nvarchar(4000), t.${field})` : `t.${field}`;
  const from = `(SELECT ${viewColumns(kind, columns).join(', ')} FROM dbo.${kind.table} v) t`;
  return {
    select: (fields, expressions = []) =>
      `SELECT ${[...fields.map((field) => `t.${columnOf(kind, field)}`), ...expressions].join(', ')} FROM ${from}`,
    from,
    propID: `(SELECT TOP (1) i.propID FROM dbo.tObjProperties i
    WHERE i.objectID = t.id COLLATE DATABASE_DEFAULT AND i.objectID + N'.' COLLATE Latin1_General_BIN2 = t.id + N'.')`,
    isObject: exactly('t.id', '@objectID'),
    get isBelow() {
      check('parentID');
      return exactly('t.parentId', '@parentID');
    },
    // Identifiers are exact, whatever their collation.
    key: [
      { expression: sorted('id', 'objectID'), type: keyTypes.Str },
      { expression: "t.id + N'.' COLLATE Latin1_General_BIN2", type: keyTypes.Str },
    ],
    sorted,
  };
}

/** Identifiers are exact, blanks at their end included; an index is looked for in the collation of the column. */
function exactly(column: string, parameter: string): string {
  return `${column} = ${parameter} AND ${column} + N'.' COLLATE Latin1_General_BIN2 = ${parameter} + N'.'`;
}

type Form = 'text' | 'integer' | 'date' | 'float' | 'moment';

/** The columns of a view by the names of fields, in lower case. */
type ViewColumns = ReadonlyMap<string, ViewColumn>;

interface ViewColumn {
  readonly name: string;
  readonly type: string;
  /** Whether it has a collation that puts texts of a code page in another order than those of Unicode, which parameters are. */
  readonly hasOldOrder: boolean;
}

interface Conversion {
  /** The type of SQL Server that the service reads. */
  readonly type: string;
  /** Types that are read as they are. */
  readonly unchanged: readonly string[];
}

const conversions: Readonly<Record<Form, Conversion>> = {
  text: { type: 'nvarchar(max)', unchanged: ['nvarchar', 'varchar'] },
  integer: { type: 'int', unchanged: ['int', 'smallint', 'tinyint'] },
  date: { type: 'date', unchanged: ['date'] },
  float: { type: 'float', unchanged: ['float', 'int', 'smallint', 'tinyint'] },
  moment: { type: 'datetime2(3)', unchanged: ['datetime2', 'datetime', 'smalldatetime'] },
};

const formsOfTypes = { Str: 'text', Int: 'integer', Date: 'date', Float: 'float' } as const;

/**
 * Returns the expressions of all columns of a kind, from a view `v` with these columns: other types than those of our tables are converted,
 * and columns that it lacks are NULL.
 */
function viewColumns(kind: ObjectKind, columns: ViewColumns): string[] {
  const id = column(idColumns.id, 'objectID', 'text', columns);
  const parent = kind.parent === undefined ? [] : [column(idColumns.parent, 'parentID', 'text', columns)];
  const fields = columnsOf(kind).map((name) =>
    column(name, name, formsOfTypes[searchTypeOf(name) ?? 'Str'], columns),
  );
  const moments = ['createdAt', 'updatedAt'].map((name) => column(name, name, 'moment', columns));
  return [id, ...parent, ...fields, ...moments];
}

function column(name: string, source: string, form: Form, columns: ViewColumns): string {
  const viewColumn = columns.get(source.toLowerCase());
  return `${expression(`v.${quoteName(viewColumn?.name ?? '')}`, form, viewColumn?.type)} AS ${name}`;
}

function expression(source: string, form: Form, type: string | undefined): string {
  const { type: wanted, unchanged } = conversions[form];
  if (type === undefined) return `CAST(NULL AS ${wanted})`;
  if (unchanged.includes(type)) return source;
  if (form === 'text' && /^n?char$/.test(type)) return `RTRIM(${source})`;
  // Style 126 is ISO 8601, in every language of the session.
  if (form === 'text' && /^(date|small)/.test(type) && type !== 'smallint' && type !== 'smallmoney')
    return `CONVERT(${wanted}, ${source}, 126)`;
  // A value that does not fit is NULL, so that the other objects can be read.
  const converted = `TRY_CONVERT(${wanted}, ${source})`;
  if (form === 'integer' && fractional.has(type))
    return `CASE WHEN ${converted} = ${source} THEN ${converted} END`;
  return converted;
}

/** Types of which a conversion to an integer would cut off the decimals. */
const fractional = new Set(['decimal', 'numeric', 'float', 'real', 'money', 'smallmoney']);
