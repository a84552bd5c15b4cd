/** The views of schema sys about keys, indexes and constraints. */
import type { Table } from '../catalog.ts';
import type { FunctionContext } from '../functions/definition.ts';
import { constraintRows, shapeOfObject, tablesOf } from './objects.ts';
import { type Cell, type SystemView, view } from './view.ts';

function keyRows(context: FunctionContext): Cell[][] {
  return tablesOf(context).flatMap((table) => {
    const heap: Cell[] = [table.id, null, 0, 0, 'HEAP', 0, 0, 0, 0, null];
    const rows = table.keys.map(({ id, name, form, unique, clustered, filter }): Cell[] => {
      const type = clustered ? [1, 'CLUSTERED'] : [2, 'NONCLUSTERED'];
      const is = [unique, form === 'PRIMARY KEY', form === 'UNIQUE KEY', filter !== undefined].map(Number);
      return [table.id, name, indexId(table, id), ...type, ...is, filter ?? null];
    });
    return table.keys.some(({ clustered }) => clustered) ? rows : [heap, ...rows];
  });
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
  constraintView('sys.key_constraints', '', (table) =>
    table.keys.filter(({ form }) => form !== 'INDEX').map(({ id }) => [id, []]),
  ),
  constraintView('sys.check_constraints', 'definition:text? is_disabled:bit', (table) =>
    table.checks.map(({ id, text }) => [id, [text, 0]]),
  ),
  constraintView('sys.default_constraints', 'parent_column_id:int definition:text?', (table) =>
    table.columns.flatMap(({ id, default: given }) =>
      given ? [[table.id * 1000 + id, [id, `(${given.text})`]] as const] : [],
    ),
  ),
  constraintView('sys.foreign_keys', 'referenced_object_id:int?', (table) =>
    table.foreignKeys.map((key) => [key.id, [key.table]]),
  ),
];

/** A view of one kind of constraints, with columns that only this kind has: their cells by the id of the constraint. */
function constraintView(
  name: string,
  shape: string,
  more: (table: Table) => readonly (readonly [id: number, cells: readonly Cell[]])[],
): SystemView {
  return view(name, `${shapeOfObject} ${shape}`, (context) =>
    tablesOf(context).flatMap((table) => {
      const all = constraintRows(context, table);
      return more(table).map(([id, cells]) => [...(all.find((row) => row[1] === id) ?? []), ...cells]);
    }),
  );
}
