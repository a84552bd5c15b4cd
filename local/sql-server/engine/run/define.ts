import { sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import type { Statement } from '../../tsql/statement-ast.ts';
import type { ChangeRuntime } from '../changes/runtime.ts';
import { newCompilation, noScope } from '../changes/writer.ts';
import { alterTable } from '../definitions/alter-table.ts';
import { Definer } from '../definitions/definer.ts';
import type { Interpreter } from './interpreter.ts';
import { createTemporary, dropTemporary, findTemporary } from './temporary-tables.ts';

/** Runs a statement that defines, changes or drops objects. */
export async function defineObject(interpreter: Interpreter, statement: Statement): Promise<void> {
  const { context } = interpreter;
  if (temporary(interpreter, statement)) return;
  checkModule(interpreter, statement);
  await interpreter.writing(() =>
    define(new Definer(context.connection, context.transaction, context.surroundings), context, statement),
  );
}

function define(definer: Definer, runtime: ChangeRuntime, statement: Statement): void {
  switch (statement.kind) {
    case 'createTable':
      definer.createTable(statement.name, statement.table);
      return;
    case 'createIndex':
      definer.createIndex(statement.table, statement.index);
      return;
    case 'dropIndex':
      definer.dropIndex(statement.name, statement.table, statement.ifExists);
      return;
    case 'createView':
    case 'createProcedure':
      definer.createModule(statement);
      return;
    case 'createSchema':
      definer.createSchema(statement.name, statement.at);
      return;
    case 'drop':
      for (const name of statement.names) definer.drop(statement.object, name, statement.ifExists);
      return;
    case 'alterTable':
      alterTable(definer, runtime, statement);
      return;
    case 'truncate':
      definer.truncate(statement.table);
      return;
    default:
      throw unsupported(statement.kind, statement.at);
  }
}

/** A view must make sense when it is created; a procedure may name tables that come later. */
function checkModule({ context }: Interpreter, statement: Statement): void {
  if (statement.kind !== 'createView') return;
  const { query, columns, name } = statement;
  const { body, order, at } = query;
  if (order.length && !query.offset && !(body.kind === 'select' && body.top)) throw sqlErrorAt(at, 1033);
  const translated = newCompilation(context.surroundings).query(query, noScope);
  const names = translated.columns.map((column, index) => columns?.[index] ?? column.name);
  if (columns && columns.length !== names.length)
    throw sqlErrorAt(at, columns.length > names.length ? 8159 : 8158, name.parts.at(-1) ?? '');
  names.forEach((column, index) => {
    if (column === '') throw sqlErrorAt(at, 4511, index + 1);
    const isTwice = names.findIndex((other) => other.toLowerCase() === column.toLowerCase()) < index;
    if (isTwice) throw sqlErrorAt(at, 4506, column, name.parts.at(-1) ?? '');
  });
}

/** #temp tables are the session's own: they need no lock, and are in no catalog. */
function temporary({ context }: Interpreter, statement: Statement): boolean {
  if (statement.kind === 'createTable') {
    const name = statement.name.parts.at(-1) ?? '';
    if (!name.startsWith('#')) return false;
    if (name.startsWith('##')) throw unsupported('a global temporary table', statement.at);
    if (context.frame.temporaryTables.has(name.toLowerCase())) throw sqlErrorAt(statement.at, 2714, name);
    createTemporary(context.connection, context.frame, name, 'temp', statement.table);
    return true;
  }
  if (
    statement.kind === 'drop' &&
    statement.object === 'TABLE' &&
    statement.names.every(({ parts }) => parts.at(-1)?.startsWith('#'))
  ) {
    for (const { parts, at } of statement.names) dropOne(context, parts.at(-1) ?? '', statement.ifExists, at);
    return true;
  }
  const table =
    'table' in statement && statement.table && 'parts' in statement.table
      ? statement.table
      : 'name' in statement && typeof statement.name === 'object'
        ? statement.name
        : undefined;
  if (table?.parts.at(-1)?.startsWith('#'))
    throw unsupported(`${statement.kind} on a temporary table`, statement.at);
  return false;
}

function dropOne(
  context: Interpreter['context'],
  name: string,
  ifExists: boolean,
  at: { line: number; column: number },
): void {
  const table = findTemporary(context.frames, name);
  if (!table) {
    if (ifExists) return;
    throw sqlErrorAt(at, 3701, 'drop', 'table', name);
  }
  dropTemporary(context.connection, table);
  for (const frame of context.frames)
    if (frame.temporaryTables.get(name.toLowerCase()) === table)
      frame.temporaryTables.delete(name.toLowerCase());
}
