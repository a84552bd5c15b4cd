/** Foreign keys, as constraints describe them. */
import { type Position, sqlErrorAt } from '../../tsql/sql-error.ts';
import type { Constraint } from '../../tsql/statement-ast.ts';
import { type Catalog, columnOf, type ForeignKey, sameName, type Table } from '../catalog.ts';
import { typeText } from '../types.ts';
import { generatedName } from './build-table.ts';

/** The foreign key that a constraint describes. Throws 1767, 1769, 1770, 1776, 1778, 1785. */
export function buildForeignKey(
  table: Table,
  constraint: Constraint & { kind: 'foreign' },
  catalog: Catalog,
  id: number,
): ForeignKey {
  const { at, columns, onDelete, onUpdate } = constraint;
  const name = constraint.name ?? generatedName('FK', table.name, columns[0]);
  const schema = constraint.table.parts.at(-2) || table.schema;
  const target = constraint.table.parts.at(-1) ?? '';
  const isSelf = sameName(schema, table.schema) && sameName(target, table.name);
  const parent = isSelf ? table : catalog.find(schema, target);
  if (parent?.kind !== 'table') throw sqlErrorAt(at, 1767, name, constraint.table.parts.join('.'));
  const references = constraint.references ?? primaryColumns(parent);
  if (!references) throw sqlErrorAt(at, 1773, name, parent.name);
  for (const column of columns)
    if (!columnOf(table, column)) throw sqlErrorAt(at, 1769, name, column, table.name);
  for (const column of references)
    if (!columnOf(parent, column)) throw sqlErrorAt(at, 1770, name, column, parent.name);
  if (columns.length !== references.length) throw sqlErrorAt(at, 8139, parent.name);
  if (!isCandidateKey(parent, references)) throw sqlErrorAt(at, 1776, parent.name, name);
  columns.forEach((column, index) => {
    const from = columnOf(table, column);
    const to = columnOf(parent, references[index] ?? '');
    if (from && to && typeText(from.type) !== typeText(to.type))
      throw sqlErrorAt(at, 1778, `${parent.name}.${to.name}`, `${table.name}.${from.name}`, name);
  });
  const key: ForeignKey = { id, name, columns, table: parent.id, references, onDelete, onUpdate };
  checkActions(table, key, at);
  if (acts(key) && hasTwoPaths({ ...table, foreignKeys: [...table.foreignKeys, key] }, catalog))
    throw sqlErrorAt(at, 1785, name, table.name);
  return key;
}

/** Whether a change of the parent changes rows of the table. */
function acts({ onDelete, onUpdate }: ForeignKey): boolean {
  return onDelete !== 'NO ACTION' || onUpdate !== 'NO ACTION';
}

/** Throws 1761 for SET NULL of a column that is never NULL. */
function checkActions(table: Table, { name, columns, onDelete, onUpdate }: ForeignKey, at: Position): void {
  if (onDelete !== 'SET NULL' && onUpdate !== 'SET NULL') return;
  if (columns.some((column) => columnOf(table, column)?.nullable === false)) throw sqlErrorAt(at, 1761, name);
}

/** Whether cascades from some table reach a table twice, itself included. */
function hasTwoPaths(changed: Table, catalog: Catalog): boolean {
  const otherTables = catalog.objects.filter((object) => object.kind === 'table' && object.id !== changed.id);
  const tables = [changed, ...(otherTables as readonly Table[])];
  const reaches = (root: number, seen: Set<number>): boolean =>
    tables.some((table) =>
      table.foreignKeys.some((key) => {
        if (key.table !== root || !acts(key)) return false;
        if (seen.has(table.id)) return true;
        seen.add(table.id);
        return reaches(table.id, seen);
      }),
    );
  return tables.some(({ id }) => reaches(id, new Set([id])));
}

function primaryColumns(table: Table): readonly string[] | undefined {
  return table.keys.find(({ form }) => form === 'PRIMARY KEY')?.columns.map(({ name }) => name);
}

function isCandidateKey(table: Table, names: readonly string[]): boolean {
  return table.keys.some(
    (key) =>
      key.unique &&
      key.filter === undefined &&
      key.columns.length === names.length &&
      key.columns.every(({ name }) => names.some((other) => sameName(other, name))),
  );
}
