/** WAITFOR, transactions, EXECUTE AS, USE and CREATE DATABASE. */
import { messageFor } from '../../tsql/messages.ts';
import { sqlError, sqlErrorAt, unsupported } from '../../tsql/sql-error.ts';
import type { Statement } from '../../tsql/statement-ast.ts';
import { sameName } from '../catalog.ts';
import { database } from '../security/access.ts';
import { dbo, principalNamed } from '../security/principals.ts';
import type { SqlValue, TransactionRequest } from '../session.ts';
import { serverCollation, sysname } from '../types.ts';
import { comparisonOf, isUtf8 } from '../values/collation.ts';
import { readMoment, ticksPerSecond } from '../values/datetime.ts';
import type { Context } from './context.ts';
import type { StatementRunner } from './statement-runner.ts';
import { Cancelled } from './transaction.ts';

/** How often a wait looks whether it was cancelled, in milliseconds. */
const interval = 20;

type Kinds = 'waitfor' | 'transaction' | 'executeAs' | 'revert' | 'use' | 'createDatabase';

/** Runs a statement about the session itself. */
export async function runSessionStatement(
  runner: StatementRunner,
  statement: Statement & { kind: Kinds },
): Promise<void> {
  const { context } = runner;
  switch (statement.kind) {
    case 'waitfor':
      return waitFor(context, await runner.value(statement.delay, { name: 'time', scale: 3 }));
    case 'transaction':
      return controlTransaction(context, statement.action, transactionName(context, statement.name));
    case 'use':
      return useDatabase(runner, statement);
    case 'createDatabase':
      return createDatabase(context, statement);
    default:
      return changeUser(runner, statement);
  }
}

/** WAITFOR DELAY: waits for a time, given as canonical text. */
async function waitFor(context: Context, delay: SqlValue): Promise<void> {
  if (delay === null) return;
  const end = performance.now() + (readMoment(String(delay)).ticks / ticksPerSecond) * 1000;
  for (let left = end - performance.now(); left > 0; left = end - performance.now()) {
    if (context.isCancelled) throw new Cancelled('The request was cancelled');
    const wait = Math.min(left, interval);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** The name of a transaction or savepoint, which a variable may have. */
function transactionName(context: Context, written: string | undefined): string | undefined {
  return written?.startsWith('@') ? String(context.variable(written)?.value ?? '') : written;
}

/** A request of the protocol about the transaction. */
export async function requestTransaction(context: Context, request: TransactionRequest): Promise<void> {
  if (request.action === 'begin' && request.isolation) context.transaction.isolation = request.isolation;
  await controlTransaction(context, request.action, request.name || undefined);
  if ('next' in request && request.next) await requestTransaction(context, request.next);
}

/** BEGIN, COMMIT, ROLLBACK and SAVE TRANSACTION. */
async function controlTransaction(
  context: Context,
  action: TransactionRequest['action'],
  name: string | undefined,
): Promise<void> {
  if (action === 'begin') context.transaction.begin(name);
  else if (action === 'commit') context.transaction.commit();
  else if (action === 'save') await context.transaction.save(name ?? '');
  else if (context.capture) throw sqlError(3915);
  else context.rollback(name);
  if (action !== 'rollback') context.rowCount = 0;
}

/** EXECUTE AS USER: all that follows runs as this user, up to REVERT or the end of the call, and no further than that. Throws 15517. */
async function changeUser(
  runner: StatementRunner,
  statement: Statement & { kind: 'executeAs' | 'revert' },
): Promise<void> {
  const { context } = runner;
  const { impersonated, frame } = context;
  if (statement.kind === 'revert') {
    if (impersonated.length > frame.impersonations) context.impersonated = impersonated.slice(0, -1);
    return;
  }
  const name = String(await runner.value(statement.user, sysname));
  const found = principalNamed(context.wholeCatalog, name);
  if (!found || found.type === 'R' || !context.may('CONTROL', database)) throw sqlError(15_517, name);
  context.impersonated = [...impersonated, found.id];
}

/** USE of the session's own database, as tools send it. Throws 40508 for another one, as Azure SQL does. */
function useDatabase(runner: StatementRunner, { database: name, at }: Statement & { kind: 'use' }): void {
  const { context } = runner;
  if (!sameName(name, context.database)) throw sqlErrorAt(at, 40508);
  context.emit({ kind: 'database', name: context.database });
  runner.inform(5701, messageFor(5701, [context.database]).text, at.line);
}

/** CREATE DATABASE. Throws 226 in a transaction, 1801 when it is there, 911 when there is nothing to copy, and 40517 for collations by which names or code pages would differ. */
async function createDatabase(
  context: Context,
  { database: name, collation = serverCollation, source, at }: Statement & { kind: 'createDatabase' },
): Promise<void> {
  if (context.user !== dbo) throw sqlError(262, 'CREATE DATABASE', 'master');
  if (context.transaction.count > 0) throw sqlError(226, 'CREATE DATABASE');
  if (!comparisonOf(collation).includes('ci_') || isUtf8(collation))
    throw unsupported(`CREATE DATABASE with the collation ${collation}`, at);
  if (context.server.databases.has(name.toLowerCase())) throw sqlError(1801, name);
  if (source === undefined) return context.server.createDatabase(name, collation);
  const original = context.server.databases.get(source.toLowerCase());
  if (original === undefined) throw sqlError(911, source);
  await context.server.copyDatabase(name, original);
}
