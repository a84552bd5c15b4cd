/** The views of schema sys about keys, indexes and constraints. */
import type { Table } from '../catalog.ts';
import type { FunctionContext } from '../functions/definition.ts';
import { constraintRows, shapeOfObject, tablesOf } from './objects.ts';
import { type Cell, view } from './view.ts';

function keyRows(context: FunctionContext): Cell[][] {
  return tablesOf(context).flatMap((table) => [
    ...(table.keys.some(({ clustered }) => clustered)
      ? []
      : [[table.id, null, 0, 0, 'HEAP', 0, 0, 0, 0, null]]),
    ...table.keys.map((key): Cell[] => [
      table.id,
      key.name,
      indexId(table, key.id),
      key.clustered ? 1 : 2,
      key.clustered ? 'CLUSTERED' : 'NONCLUSTERED',
      Number(key.unique),
      Number(key.form === 'PRIMARY KEY'),
      Number(key.form === 'UNIQUE KEY'),
      Number(key.filter !== undefined),
      key.filter ?? null,
    ]),
  ]);
}

function indexId(table: Table, id: number): number {
  const ordered = [...table.keys].sort((a, b) => Number(b.clustered) - Number(a.clustered));
  const place = ordered.findIndex((key) => key.id === id);
  return ordered[0]?.clustered ? place + 1 : place + 2;
}

/** The views of schema sys about keys, indexes and constraints. */
export const keyViews = [
  view(
    'sys.indexes',
    'object_id:int name:sysname? index_id:int type:tinyint type_desc:nvarchar? is_unique:bit? is_primary_key:bit? is_unique_constraint:bit? has_filter:bit? filter_definition:text?',
    keyRows,
  ),
  view('sys.key_constraints', shapeOfObject, (context) =>
    tablesOf(context).flatMap((table) =>
      constraintRows(context, table).filter((row) => row[5] === 'PK' || row[5] === 'UQ'),
    ),
  ),
  view('sys.check_constraints', `${shapeOfObject} definition:text? is_disabled:bit`, (context) =>
    tablesOf(context).flatMap((table) =>
      table.checks.map((check): Cell[] => [
        ...(constraintRows(context, table).find((row) => row[1] === check.id) ?? []),
        check.text,
        0,
      ]),
    ),
  ),
  view('sys.default_constraints', `${shapeOfObject} parent_column_id:int definition:text?`, (context) =>
    tablesOf(context).flatMap((table) =>
      table.columns.flatMap((column) =>
        column.default
          ? [
              [
                ...(constraintRows(context, table).find((row) => row[0] === column.default?.name) ?? []),
                column.id,
                `(${column.default.text})`,
              ],
            ]
          : [],
      ),
    ),
  ),
  view('sys.foreign_keys', `${shapeOfObject} referenced_object_id:int?`, (context) =>
    tablesOf(context).flatMap((table) =>
      table.foreignKeys.map((key): Cell[] => [
        ...(constraintRows(context, table).find((row) => row[1] === key.id) ?? []),
        key.table,
      ]),
    ),
  ),
];
