/** The columns of a customer's view as those of our tables: other types are converted, and columns that it lacks are NULL. */

import { quoteName } from '../../sql/transaction.ts';
import { columnsOf, searchTypeOf } from './fields.ts';
import type { ObjectKind } from './kinds.ts';

type Form = 'text' | 'integer' | 'date' | 'float' | 'moment';

/** The columns of a view by the names of fields, in lower case. */
export type ViewColumns = ReadonlyMap<string, { readonly name: string; readonly type: string }>;

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

/** Returns the names of the identifiers of a kind: its own, and that of its parent. */
export function viewFields({ parent }: ObjectKind): string[] {
  return parent === undefined ? ['id'] : ['id', 'parentId'];
}

/** Returns the expressions of all columns of a kind, from a view `v` with these columns. */
export function viewColumns(kind: ObjectKind, columns: ViewColumns): string[] {
  const ids = viewFields(kind).map((name) =>
    column(name, name.replace(/id$/i, name === 'id' ? 'objectID' : 'ID'), 'text', columns),
  );
  const fields = columnsOf(kind).map((name) =>
    column(name, name, formsOfTypes[searchTypeOf(name) ?? 'Str'], columns),
  );
  const moments = ['createdAt', 'updatedAt'].map((name) => column(name, name, 'moment', columns));
  return [...ids, ...fields, ...moments];
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
  return `TRY_CONVERT(${wanted}, ${source})`;
}
