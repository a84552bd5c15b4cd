/** Statements that define, change or drop objects. */
import type { Name } from '../../tsql/ast.ts';
import { unsupported } from '../../tsql/sql-error.ts';
import type { Statement } from '../../tsql/statement-ast.ts';
import { alterTable } from '../definitions/alter-table.ts';
import { checkFunction, checkProcedure, checkView } from '../definitions/check-module.ts';
import { Definer } from '../definitions/definer.ts';
import { definePrincipal } from '../security/define-principals.ts';
import { checkDefinitionRights } from '../security/definition-rights.ts';
import type { Context } from './context.ts';
import type { StatementRunner } from './statement-runner.ts';

/** Runs a statement that defines, changes or drops objects. */
export async function defineObject(runner: StatementRunner, statement: Statement): Promise<void> {
  const { context } = runner;
  checkDefinitionRights(context, statement);
  if (statement.kind === 'createView') checkView(context.translationContext, statement);
  if (statement.kind === 'createProcedure') checkProcedure(context.translationContext, statement);
  if (statement.kind === 'createFunction') checkFunction(context.translationContext, statement);
  await runner.changing(tableNamed(statement), () => define(definerOf(context), context, statement));
}

export function definerOf({
  connection,
  transaction,
  translationContext,
  temporaryTables,
}: Context): Definer {
  return new Definer(connection, transaction, translationContext, temporaryTables);
}

function define(definer: Definer, context: Context, statement: Statement): void {
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
    case 'checkObject':
      definer.checkObject(statement.table, statement.index);
      return;
    case 'createView':
    case 'createProcedure':
    case 'createFunction':
      definer.createModule(statement);
      return;
    case 'createSchema':
      definer.createSchema(statement.name, statement.at);
      return;
    case 'drop':
      for (const name of statement.names) definer.drop(statement.object, name, statement.ifExists);
      return;
    case 'alterTable':
      alterTable(definer, context, statement);
      return;
    case 'truncate':
      definer.truncate(statement.table, context);
      return;
    default:
      if (!definePrincipal(context, statement)) throw unsupported(statement.kind, statement.at);
  }
}

/** DECLARE of a table variable. One in a loop is declared once: it keeps its rows in the next round. */
export function declareTable(
  { context }: StatementRunner,
  statement: Statement & { kind: 'declareTable' },
): void {
  const { name, table, at } = statement;
  if (!context.temporaryTables.isTaken(name)) definerOf(context).createTable({ parts: [name], at }, table);
}

/** The name of the first table that a statement defines, changes or drops; empty for other objects. */
function tableNamed(statement: Statement): string {
  const { name, table, names } = statement as { name?: Name; table?: Name; names?: readonly Name[] };
  const found = [name, table, names?.[0]].find((part) => part?.parts);
  return found?.parts.at(-1) ?? '';
}
