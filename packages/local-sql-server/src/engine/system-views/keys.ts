/** The views of schema sys about keys, indexes and constraints. */
import { sameName, type Table } from '../catalog.ts';
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

function columnId(table: Table, name: string): number {
  return table.columns.find((column) => sameName(column.name, name))?.id ?? 0;
}

function indexColumnRows(context: FunctionContext): Cell[][] {
  return tablesOf(context).flatMap((table) =>
    table.keys.flatMap(({ id, columns, include }) => {
      const given = [
        ...columns.map(({ name, descending }, index) => [name, index + 1, Number(descending), 0] as const),
        ...include.map((name) => [name, 0, 0, 1] as const),
      ];
      return given.map(([name, ...facts], index) => [
        table.id,
        indexId(table, id),
        index + 1,
        columnId(table, name),
        ...facts,
      ]);
    }),
  );
}

function foreignKeyColumnRows(context: FunctionContext): Cell[][] {
  return tablesOf(context).flatMap((table) =>
    table.foreignKeys.flatMap(({ id, columns, table: parentId, references }) => {
      const parent = context.wholeCatalog.byId(parentId);
      return columns.map((name, index): Cell[] => [
        id,
        index + 1,
        table.id,
        columnId(table, name),
        parentId,
        parent?.kind === 'table' ? columnId(parent, references[index] ?? '') : 0,
      ]);
    }),
  );
}

const actions = ['NO ACTION', 'CASCADE', 'SET NULL', 'SET DEFAULT'];

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
      given ? [[table.id * 1000 + id, [id, defaultDefinition(given.text)]] as const] : [],
    ),
  ),
  constraintView(
    'sys.foreign_keys',
    'referenced_object_id:int? is_disabled:bit delete_referential_action:tinyint? delete_referential_action_desc:nvarchar? update_referential_action:tinyint? update_referential_action_desc:nvarchar?',
    (table) =>
      table.foreignKeys.map(({ id, table: parent, onDelete, onUpdate = 'NO ACTION' }) => {
        const cells = [onDelete, onUpdate].flatMap((action) => [
          actions.indexOf(action),
          action.replace(' ', '_'),
        ]);
        return [id, [parent, 0, ...cells]];
      }),
  ),
  view(
    'sys.index_columns',
    'object_id:int index_id:int index_column_id:int column_id:int key_ordinal:tinyint is_descending_key:bit? is_included_column:bit?',
    indexColumnRows,
  ),
  view(
    'sys.foreign_key_columns',
    'constraint_object_id:int constraint_column_id:int parent_object_id:int parent_column_id:int referenced_object_id:int referenced_column_id:int',
    foreignKeyColumnRows,
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

/** The text of a default as SQL Server shows it: a number in two pairs of parentheses, functions in lower case. */
function defaultDefinition(text: string): string {
  const inner = withoutParentheses(text);
  if (/^[+-]?[\d.]+$/.test(inner)) return `((${inner}))`;
  if (/^\w+\(\s*\)$/.test(inner)) return `(${inner.toLowerCase()})`;
  return /^CURRENT_TIMESTAMP$/i.test(inner) ? '(getdate())' : `(${inner})`;
}

function withoutParentheses(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text;
  let depth = 0;
  for (const [index, sign] of [...text].entries()) {
    depth += Number(sign === '(') - Number(sign === ')');
    if (depth === 0 && index < text.length - 1) return text;
  }
  return withoutParentheses(text.slice(1, -1).trim());
}
