import type { Delete, Expression, Insert, Query, Statement, Update } from '../../tsql/ast.ts';
import { messageFor } from '../../tsql/messages.ts';
import { SqlError, sqlError } from '../../tsql/sql-error.ts';
import { convertRows, runInsert } from '../changes/insert.ts';
import type { ChangeResult } from '../changes/runtime.ts';
import { runDelete, runUpdate } from '../changes/update-delete.ts';
import type { SqlType, SqlValue } from '../session.ts';
import { resolveType } from '../types.ts';
import { readMoment, ticksPerDay } from '../values/datetime.ts';
import { Call } from './calls.ts';
import type { Context } from './context.ts';
import { defineObject } from './define.ts';
import { raiseError, throwError } from './errors.ts';
import { setOption } from './options.ts';
import { aroseInCompiling, changePlan, conditionPlan, insertPlan, queryPlan, valuePlan } from './plans.ts';
import { selectInto, sendQuery } from './queries.ts';
import { createTemporary } from './temporary-tables.ts';
import { Cancelled, fromSqlite } from './transaction.ts';

/** What a statement leaves for the list that it stands in. */
type Outcome = 'next' | 'break' | 'continue' | 'return';

/** Thrown to end the batch, after its error was sent. */
export class BatchEnd extends Error {}

/** Errors that end the batch and its transaction, rather than only their statement: conversions, deadlocks. */
const endsBatch = new Set([241, 242, 244, 245, 248, 295, 1205, 3998, 8114, 8169, 9807]);
/** Errors after which SQL Server says that the statement has been terminated (3621). */
const announced = new Set([515, 547, 2601, 2627, 2628, 8115, 8134, 220, 232, 512, 544]);
/** How long a loop may run before other sessions get a turn, in milliseconds. */
const turn = 20;

/** Runs statements one after the other, and decides what an error ends. */
export class Interpreter {
  readonly context: Context;
  /** How many TRY blocks are around the statement, in all calls. */
  #tries = 0;
  #turnEnds = 0;

  constructor(context: Context) {
    this.context = context;
  }

  async run(statements: readonly Statement[]): Promise<Outcome> {
    for (const statement of statements) {
      const outcome = await this.statement(statement);
      if (outcome !== 'next') return outcome;
    }
    return 'next';
  }

  async statement(statement: Statement): Promise<Outcome> {
    await this.#takeTurns();
    const { context } = this;
    if (context.isCancelled) throw new Cancelled('The request was cancelled');
    context.beginStatement();
    try {
      const outcome = await this.#execute(statement);
      if (!structural.has(statement.kind)) context.lastErrorNumber = 0;
      return outcome;
    } catch (error) {
      this.#failed(statement, error);
      return 'next';
    }
  }

  /** Decides what follows an error: a TRY around it takes it; else it is sent, and ends the statement or the batch. */
  #failed(statement: Statement, thrown: unknown): void {
    const { context } = this;
    const error = fromSqlite(thrown, context.database);
    if (!(error instanceof SqlError)) throw error;
    if (error.line === 0) error.line = statement.at.line;
    error.procedure ??= context.frame.procedure?.name;
    const isFatal = endsBatch.has(error.number) || aroseInCompiling(error) || error.endsBatch;
    if (error.number === 1205 && context.transaction.count > 0) context.rollback();
    const aborts = context.options.get('XACT_ABORT') === 'ON' && !error.isRaised;
    if (context.transaction.count > 0 && (aborts || (endsBatch.has(error.number) && error.number !== 1205)))
      context.transaction.doomed = true;
    if (this.#tries > 0) throw error;
    this.report(error);
    if (!isFatal && !aborts) return;
    if (context.transaction.doomed) context.rollback();
    throw new BatchEnd(error.message);
  }

  /** Sends an error to the client. */
  report(error: SqlError): void {
    const { context } = this;
    context.lastErrorNumber = error.number;
    const { number, state, message, line, procedure } = error;
    context.emit({
      kind: 'message',
      message: {
        number,
        state,
        class: error.class,
        message,
        line,
        ...(procedure === undefined ? {} : { procedure }),
      },
    });
    if (announced.has(number)) this.inform(3621, messageFor(3621, []).text, line);
    context.emit({ kind: 'statementDone', insideProcedure: this.#insideProcedure, failed: true });
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
    this.report(sqlError(3998));
  }

  inform(number: number, message: string, line: number): void {
    const { procedure } = this.context.frame;
    this.context.emit({
      kind: 'message',
      message: {
        number,
        state: 1,
        class: 0,
        message,
        line,
        ...(procedure ? { procedure: procedure.name } : {}),
      },
    });
  }

  get #insideProcedure(): boolean {
    return this.context.frame.level > 0;
  }

  /** A long loop lets other sessions and a cancellation in. */
  async #takeTurns(): Promise<void> {
    const time = performance.now();
    if (this.#turnEnds === 0) this.#turnEnds = time + turn;
    if (time < this.#turnEnds) return;
    await new Promise(setImmediate);
    this.#turnEnds = performance.now() + turn;
  }

  async #execute(statement: Statement): Promise<Outcome> {
    const { context } = this;
    switch (statement.kind) {
      case 'select':
        await this.#select(statement.query);
        return 'next';
      case 'insert':
      case 'update':
      case 'delete':
        await this.#change(statement);
        return 'next';
      case 'declare':
        await this.#declare(statement);
        return 'next';
      case 'declareTable':
        createTemporary(context.connection, context.frame, statement.name, 'variable', statement.table);
        return 'next';
      case 'set':
        context.assign(
          statement.variable,
          await this.value(statement.value, context.variable(statement.variable)?.type),
        );
        context.rowCount = 1;
        return 'next';
      case 'setOption':
        setOption(context, statement);
        context.rowCount = 0;
        return 'next';
      case 'if':
        return this.#if(statement);
      case 'while':
        return this.#while(statement);
      case 'block':
        return this.run(statement.statements);
      case 'try':
        return this.#try(statement);
      case 'throw':
        throw await throwError(this, statement);
      case 'raiserror':
        return this.#raiserror(statement);
      case 'print':
        await this.#print(statement);
        return 'next';
      case 'return':
        return this.#return(statement);
      case 'break':
      case 'continue':
        return statement.kind;
      case 'empty':
        return 'next';
      case 'waitfor':
        await this.#waitfor(statement);
        return 'next';
      case 'execute':
        await new Call(this).execute(statement);
        return 'next';
      case 'transaction':
        await this.#transaction(statement);
        return 'next';
      case 'use':
        this.#use(statement);
        return 'next';
      default:
        await defineObject(this, statement);
        context.rowCount = 0;
        this.done();
        return 'next';
    }
  }

  /** Tells the client that a statement is done; its count only when it has one, and NOCOUNT is off. */
  done(count?: number): void {
    const { context } = this;
    const isCounted = count !== undefined && context.options.get('NOCOUNT') !== 'ON';
    context.emit({
      kind: 'statementDone',
      insideProcedure: this.#insideProcedure,
      ...(isCounted ? { count } : {}),
    });
  }

  async #select(query: Query): Promise<void> {
    const { context } = this;
    if (query.body.kind === 'select' && query.body.into) {
      const count = await this.writing(() => selectInto(context, query));
      context.rowCount = count;
      this.done(count);
      return;
    }
    const plan = queryPlan(context, query);
    const { readLock, noWait } = plan.compilation;
    await this.reading(readLock, noWait, () => {
      context.rowCount = sendQuery(context, query, plan);
    });
    if (!plan.assigned.length && !context.capture) this.done(context.rowCount);
  }

  /** Runs a read under the locks that it needs. */
  async reading(hint: 'none' | 'wait' | 'hold', noWait: boolean, read: () => void): Promise<void> {
    const { transaction } = this.context;
    await transaction.beforeRead(hint, noWait);
    read();
  }

  async #change(statement: Insert | Update | Delete): Promise<void> {
    const { context } = this;
    const captured =
      statement.kind === 'insert' && statement.source.kind === 'execute'
        ? await this.#captured(statement)
        : undefined;
    const table =
      statement.kind === 'insert'
        ? insertPlan(context, statement).target.table
        : changePlan(context, statement).table;
    const run = (): ChangeResult => this.#runChange(statement, captured);
    const isOwn =
      table.temporary === 'variable' || (table.temporary === 'temp' && context.transaction.count === 0);
    const result = isOwn ? this.#atomic(run) : await this.writing(run);
    context.rowCount = result.count;
    if (result.output) {
      const { columns, rows } = result.output;
      if (context.capture) context.capture.rows.push(...rows);
      else {
        context.emit({ kind: 'columns', columns });
        for (const values of rows) context.emit({ kind: 'row', values });
      }
    }
    this.done(result.count);
  }

  #runChange(
    statement: Insert | Update | Delete,
    captured: { types: readonly SqlType[]; rows: readonly (readonly SqlValue[])[] } | undefined,
  ): ChangeResult {
    const { context } = this;
    if (statement.kind !== 'insert') {
      const plan = changePlan(context, statement);
      return statement.kind === 'update' ? runUpdate(context, plan) : runDelete(context, plan);
    }
    const plan = insertPlan(context, statement);
    if (captured) return runInsert(context, plan, convertRows(captured.rows, captured.types, plan.target));
    const { source } = plan;
    const rows = source
      ? context.connection.query(source.sql, context.values(source.compilation.parameters), source.types)
      : [];
    return runInsert(context, plan, rows);
  }

  /** The rows that the procedure of INSERT ... EXEC gives. Throws 8164 when such statements nest, 213 for rows of another width. */
  async #captured(
    statement: Insert,
  ): Promise<{ types: readonly SqlType[]; rows: readonly (readonly SqlValue[])[] }> {
    const { context } = this;
    if (statement.source.kind !== 'execute') throw new TypeError('Only EXEC is captured');
    if (context.capture) throw sqlError(8164);
    const width = insertPlan(context, statement).target.places.length;
    const capture = { columns: [] as readonly SqlType[], rows: [] as (readonly SqlValue[])[] };
    context.capture = capture;
    try {
      await new Call(this).execute(statement.source.execute);
    } finally {
      context.capture = undefined;
    }
    if (capture.columns.length && capture.columns.length !== width) throw sqlError(213);
    return { types: capture.columns, rows: capture.rows };
  }

  /** Runs a write under the database's write lock; alone it is its own transaction, else a failure undoes only it. */
  async writing<Result>(write: () => Result): Promise<Result> {
    const { transaction } = this.context;
    await transaction.beforeWrite();
    try {
      const result = transaction.count > 0 ? this.#atomic(write) : write();
      transaction.afterStatement(false);
      return result;
    } catch (error) {
      transaction.afterStatement(true);
      throw error;
    }
  }

  #atomic<Result>(write: () => Result): Result {
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
    const { context } = this;
    const plan = valuePlan(context, expression, type);
    let value: SqlValue = null;
    await this.reading(plan.compilation.readLock, false, () => {
      value =
        context.connection.query(plan.sql, context.values(plan.compilation.parameters), [
          plan.type,
        ])[0]?.[0] ?? null;
    });
    return value;
  }

  async #condition(expression: Expression): Promise<boolean> {
    const { context } = this;
    const plan = conditionPlan(context, expression);
    let result = false;
    await this.reading(plan.compilation.readLock, false, () => {
      result =
        Number(
          context.connection.query(plan.sql, context.values(plan.compilation.parameters), [
            plan.type,
          ])[0]?.[0] ?? 0,
        ) !== 0;
    });
    context.rowCount = 0;
    return result;
  }

  /** A variable lives from its DECLARE on; without a value it is NULL, also in the next round of a loop. */
  async #declare({ name, type, value }: Statement & { kind: 'declare' }): Promise<void> {
    const { variables } = this.context.frame;
    const resolved = resolveType(type);
    const known = variables.get(name.toLowerCase());
    const variable = known ?? { type: resolved, value: null };
    variables.set(name.toLowerCase(), variable);
    if (!value) return;
    variable.value = await this.value(value, resolved);
    this.context.rowCount = 1;
  }

  async #if({ condition, consequent, otherwise }: Statement & { kind: 'if' }): Promise<Outcome> {
    if (await this.#condition(condition)) return this.statement(consequent);
    return otherwise ? this.statement(otherwise) : 'next';
  }

  async #while({ condition, body }: Statement & { kind: 'while' }): Promise<Outcome> {
    while (await this.#condition(condition)) {
      const outcome = await this.statement(body);
      if (outcome === 'return') return outcome;
      if (outcome === 'break') break;
    }
    return 'next';
  }

  async #try({ body, handler }: Statement & { kind: 'try' }): Promise<Outcome> {
    const { context } = this;
    const { frames } = context;
    const depth = frames.length;
    this.#tries++;
    let error: SqlError;
    try {
      return await this.run(body);
    } catch (thrown) {
      if (!(thrown instanceof SqlError)) throw thrown;
      error = thrown;
    } finally {
      this.#tries--;
    }
    frames.length = depth;
    return this.#handle(error, handler);
  }

  async #handle(error: SqlError, handler: readonly Statement[]): Promise<Outcome> {
    const { context } = this;
    const outer = context.caughtError;
    context.caughtError = error;
    context.lastErrorNumber = error.number;
    try {
      return await this.run(handler);
    } finally {
      context.caughtError = outer;
    }
  }

  async #raiserror(statement: Statement & { kind: 'raiserror' }): Promise<Outcome> {
    const error = await raiseError(this, statement);
    if (error.class > 10) throw error;
    this.context.emit({
      kind: 'message',
      message: {
        number: error.number,
        state: error.state,
        class: error.class,
        message: error.message,
        line: statement.at.line,
      },
    });
    return 'next';
  }

  async #print({ value, at }: Statement & { kind: 'print' }): Promise<void> {
    const text = await this.value(value, { name: 'nvarchar', length: 4000 });
    this.inform(0, text === null ? '' : String(text), at.line);
    this.context.rowCount = 0;
  }

  async #return({ value }: Statement & { kind: 'return' }): Promise<Outcome> {
    const { frame } = this.context;
    if (value && !frame.procedure) throw sqlError(178);
    if (value) frame.returnValue = Number((await this.value(value, { name: 'int' })) ?? 0);
    return 'return';
  }

  async #waitfor({ delay }: Statement & { kind: 'waitfor' }): Promise<void> {
    const text = await this.value(delay, { name: 'time', scale: 3 });
    if (text === null) return;
    const end = performance.now() + (readMoment(String(text)).ticks / ticksPerDay) * 86_400_000;
    while (performance.now() < end) {
      if (this.context.isCancelled) throw new Cancelled('The request was cancelled');
      await new Promise((resolve) => setTimeout(resolve, Math.min(end - performance.now(), turn)));
    }
  }

  async #transaction({ action, name }: Statement & { kind: 'transaction' }): Promise<void> {
    const { context } = this;
    if (action === 'begin') context.transaction.begin();
    else if (action === 'commit') context.transaction.commit();
    else if (action === 'save') await context.transaction.save(name ?? '');
    else if (context.capture) throw sqlError(3915);
    else context.rollback(name);
    if (action !== 'rollback') context.rowCount = 0;
  }

  #use({ database }: Statement & { kind: 'use' }): void {
    const { context } = this;
    const found = context.server.databases.get(database.toLowerCase());
    if (!found) throw sqlError(911, database);
    const from = context.database;
    if (context.transaction.count > 0 && found !== context.connection.database)
      throw sqlError(40517, 'USE inside a transaction', 1, 1);
    if (found !== context.connection.database) context.use(found);
    context.emit({ kind: 'database', from, to: found.name });
    this.context.emit({
      kind: 'message',
      message: { number: 5701, state: 2, class: 0, message: messageFor(5701, [found.name]).text, line: 1 },
    });
  }
}

const structural = new Set<Statement['kind']>([
  'if',
  'while',
  'block',
  'try',
  'declare',
  'empty',
  'return',
  'break',
  'continue',
]);
