/** System views. */
import type { FunctionContext } from '../functions/definition.ts';
import type { SqlType } from '../session.ts';
import { bit, datetime, int, nvarchar, sysname, varchar } from '../types.ts';

export type Cell = string | number | null;

/** A view of the catalog: its columns, and its rows at the moment. */
export interface SystemView {
  /** Schema and name, in lower case. */
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: SqlType; readonly nullable: boolean }[];
  rows(context: FunctionContext): readonly (readonly Cell[])[];
}

const types: Readonly<Record<string, SqlType>> = {
  sysname,
  int,
  bit,
  datetime,
  smallint: { name: 'smallint' },
  tinyint: { name: 'tinyint' },
  char2: { name: 'char', length: 2, collation: 'Latin1_General_CI_AS_KS_WS' },
  char1: { name: 'char', length: 1, collation: 'Latin1_General_CI_AS_KS_WS' },
  char4: { name: 'char', length: 4, collation: 'Latin1_General_CI_AS_KS_WS' },
  /** Hexadecimal digits in its cells. */
  sid: { name: 'varbinary', length: 85 },
  nvarchar: nvarchar(128),
  text: nvarchar('max'),
  varchar: varchar(60),
  description: nvarchar(60),
  decimal: { name: 'decimal', precision: 38, scale: 0 },
};

/** A view from a line of `name:type` words (a question mark after the type allows NULL). */
export function view(name: string, shape: string, rows: SystemView['rows']): SystemView {
  const columns = shape
    .trim()
    .split(/\s+/)
    .map((word) => {
      const [column = '', kind = ''] = word.split(':');
      const type = types[kind.replace('?', '')];
      if (!type) throw new TypeError(`System view ${name} has no type for ${word}`);
      return { name: column, type, nullable: kind.endsWith('?') };
    });
  return { name, columns, rows };
}
