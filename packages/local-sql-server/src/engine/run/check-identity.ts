/** DBCC CHECKIDENT. */
import { messageFor } from '../../tsql/messages.ts';
import { sqlErrorAt } from '../../tsql/sql-error.ts';
import type { Statement } from '../../tsql/statement-ast.ts';
import { quoteName } from '../catalog.ts';
import { splitName } from '../functions/system.ts';
import { findObject } from '../translate/compilation.ts';
import type { StatementRunner } from './statement-runner.ts';

/** Reports the identity of a table and the largest value of its column, and sets the identity. Throws 2501, 7997. */
export async function checkIdentity(
  runner: StatementRunner,
  { table: name, reseed, isSilent, at }: Statement & { kind: 'checkIdentity' },
): Promise<void> {
  const { context } = runner;
  const table = findObject(context.translationContext, splitName(name), at);
  if (table?.kind !== 'table') throw sqlErrorAt(at, 2501, name);
  const column = table.columns.find(({ identity }) => identity);
  if (!column) throw sqlErrorAt(at, 7997, table.name);
  const current = table.temporary ? null : context.currentIdentity(table.id);
  const sql = `SELECT max(${quoteName(column.name)}) FROM ${table.storage}`;
  const largest = context.connection.query(sql, [], [column.type])[0]?.[0] ?? null;
  if (reseed !== undefined)
    await runner.changing(table.name, () =>
      context.identities.reseed(context.connection, table, BigInt(reseed)),
    );
  context.rowCount = 0;
  if (!isSilent) {
    const values = [String(current ?? 'NULL'), ...(reseed === undefined ? [String(largest ?? 'NULL')] : [])];
    const number = reseed === undefined ? 7998 : 7999;
    runner.inform(number, messageFor(number, values).text, at.line);
    runner.inform(2528, messageFor(2528, []).text, at.line);
  }
  runner.done();
}
