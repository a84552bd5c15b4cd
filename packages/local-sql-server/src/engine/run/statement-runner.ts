/** What every statement needs to run. */
import type { Expression } from '../../tsql/ast.ts';
import { messageFor } from '../../tsql/messages.ts';
import { SqlError, sqlError } from '../../tsql/sql-error.ts';
import type { Statement } from '../../tsql/statement-ast.ts';
import type { SqlType, SqlValue } from '../session.ts';
import type { Context } from './context.ts';
import { conditionPlan, type ValuePlan, valuePlan } from './plans.ts';
import type { Outcome } from './statement-kinds.ts';

/** Errors after which SQL Server says that a change has been terminated (3621). */
const announced = new Set([515, 547, 2601, 2627, 2628, 8115, 8134, 220, 232, 512, 544]);

/** What every statement needs: values, reads and writes under their locks, and reports to the client. */
export abstract class StatementRunner {
  readonly context: Context;

  constructor(context: Context) {
    this.context = context;
  }

  /** Runs a batch or the body of a module, whose statements may call further ones. */
  abstract runAll(statements: readonly Statement[]): Promise<Outcome>;

  /** Sends an error to the client, and the information 3621 where the statement was a change of rows. */
  report(error: SqlError, isChange = false): void {
    const { context } = this;
    context.lastErrorNumber = error.number;
    context.rowCount = 0;
    context.frame.returnValue = 10 - error.class;
    this.send(error);
    if (isChange && announced.has(error.number)) this.inform(3621, messageFor(3621, []).text, error.line);
    context.emit({ kind: 'statementDone', insideProcedure: this.insideProcedure, failed: true });
  }

  /** Sends an error that arose outside of any statement: in parsing, or in the call of a procedure. */
  reportAtEnd(error: SqlError): void {
    const { context } = this;
    if (error.line <= 0) error.line = 1;
    if (context.options.get('XACT_ABORT') === 'ON' && context.transaction.count > 0) context.rollback();
    this.report(error);
  }

  /** A transaction that can only be rolled back is rolled back at the end of the batch. */
  reportDoomed(): void {
    this.context.rollback();
    this.reportAtEnd(sqlError(3998));
  }

  /** Sends information of the statement that runs. */
  inform(number: number, message: string, line: number): void {
    this.send(new SqlError(number, 0, 1, message, line), this.context.frame.procedure?.name);
  }

  /** Sends a message: up to class 10 it is information. */
  protected send(error: SqlError, procedure = error.procedure, immediate = false): void {
    const { number, state, class: severity, message, line } = error;
    const place = procedure === undefined ? { line } : { line, procedure };
    this.context.emit({
      kind: 'message',
      message: { number, state, class: severity, message, ...place },
      immediate,
    });
  }

  protected get insideProcedure(): boolean {
    return this.context.frame.level > 0;
  }

  /** Informs the client that a statement is done; its count only when it has one, and NOCOUNT is off. */
  done(count?: number): void {
    const { context } = this;
    const isCounted = count !== undefined && context.options.get('NOCOUNT') !== 'ON';
    context.emit({
      kind: 'statementDone',
      insideProcedure: this.insideProcedure,
      ...(isCounted ? { count } : {}),
    });
  }

  /** Runs a write under the database's write lock; alone it is its own transaction, else a failure undoes only it. */
  async writing<Result>(write: () => Result): Promise<Result> {
    const { transaction } = this.context;
    await transaction.beforeWrite();
    try {
      const result = transaction.count > 0 ? this.atomic(write) : write();
      transaction.afterStatement(false);
      return result;
    } catch (error) {
      transaction.afterStatement(true);
      throw error;
    }
  }

  /** Runs a change of a table: table variables take no part in transactions; #temp tables need no lock, but a transaction undoes them. */
  async changing<Result>(table: string, change: () => Result): Promise<Result> {
    const isOwn = table.startsWith('@') || (table.startsWith('#') && this.context.transaction.count === 0);
    return isOwn ? this.atomic(change) : this.writing(change);
  }

  atomic<Result>(write: () => Result): Result {
    const { connection } = this.context;
    connection.exec('SAVEPOINT statement');
    try {
      const result = write();
      connection.exec('RELEASE statement');
      return result;
    } catch (error) {
      if (connection.sqlite.isTransaction) connection.exec('ROLLBACK TO statement; RELEASE statement');
      throw error;
    }
  }

  async value(expression: Expression, type?: SqlType): Promise<SqlValue> {
    return this.#read(valuePlan(this.context, expression, type));
  }

  protected async condition(expression: Expression): Promise<boolean> {
    const value = await this.#read(conditionPlan(this.context, expression));
    this.context.rowCount = 0;
    return Number(value ?? 0) !== 0;
  }

  async #read({ sql, type, compilation }: ValuePlan): Promise<SqlValue> {
    const { connection, transaction } = this.context;
    await transaction.beforeRead(compilation.readLock, false);
    return connection.query(sql, this.context.values(compilation.parameters), [type])[0]?.[0] ?? null;
  }
}
