/** The interpreter of statements. */
import type { Query } from '../../tsql/ast.ts';
import { SqlError, sqlError } from '../../tsql/sql-error.ts';
import type { Statement } from '../../tsql/statement-ast.ts';
import { resolveType } from '../type-names.ts';
import { Call } from './calls.ts';
import { runChange } from './changes.ts';
import { checkIdentity } from './check-identity.ts';
import { declareTable, defineObject } from './define.ts';
import { raiseError, throwError } from './errors.ts';
import type { Variable } from './frame.ts';
import { setOption } from './options.ts';
import { compiledIn, queryPlan } from './plans.ts';
import { selectInto, sendQuery } from './queries.ts';
import { runSessionStatement } from './session-statements.ts';
import { changes, declarationsIn, type Outcome, structural } from './statement-kinds.ts';
import { StatementRunner } from './statement-runner.ts';
import { Cancelled, fromSqlite } from './transaction.ts';

/** Thrown to end the batch, after its error was sent. */
export class BatchEnd extends Error {}

/** Errors that end the batch and its transaction, rather than only their statement: conversions, deadlocks. */
const endsBatch = new Set([241, 242, 244, 245, 248, 295, 1205, 3998, 8114, 8169, 9807]);
/** No error of SQL Server, so that no CATCH may take it. */
const UNSUPPORTED = 40_517;
/** Milliseconds that a loop may run before other sessions get a turn. */
const turnMs = 20;

/** Runs statements one after the other, and decides what an error ends. */
export class Interpreter extends StatementRunner {
  /** How many TRY blocks are around the statement, in all calls. */
  #tries = 0;
  #turnEnds = 0;

  /** Runs a batch or body: what it declares in branches is declared, whether they are taken or not. */
  override async runAll(statements: readonly Statement[]): Promise<Outcome> {
    for (const statement of declarationsIn(statements)) {
      if (statement.kind === 'declareTable') declareTable(this, statement);
      else this.#variable(statement);
    }
    return this.run(statements);
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
      const outcome = (await this.#execute(statement)) ?? 'next';
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
    const isFatal =
      error.number === UNSUPPORTED ||
      endsBatch.has(error.number) ||
      compiledIn(error) !== undefined ||
      error.endsBatch;
    if (error.number === 1205 && context.transaction.count > 0) context.rollback();
    const aborts = context.options.get('XACT_ABORT') === 'ON' && !error.isRaised;
    if (context.transaction.count > 0 && (aborts || (endsBatch.has(error.number) && error.number !== 1205)))
      context.transaction.doomed = true;
    if (this.#tries > 0) throw error;
    this.report(error, changes.has(statement.kind));
    if (!isFatal && !aborts) return;
    if (context.transaction.doomed) context.rollback();
    throw new BatchEnd(error.message);
  }

  /** A long loop lets other sessions and a cancellation in. */
  async #takeTurns(): Promise<void> {
    const time = performance.now();
    if (this.#turnEnds === 0) this.#turnEnds = time + turnMs;
    if (time < this.#turnEnds) return;
    await new Promise(setImmediate);
    this.#turnEnds = performance.now() + turnMs;
  }

  /** Runs one statement; one that does not decide what follows continues with the next. */
  async #execute(statement: Statement): Promise<Outcome | undefined> {
    const { context } = this;
    if (context.options.get('FMTONLY') === 'ON' && changes.has(statement.kind)) return undefined;
    switch (statement.kind) {
      case 'if':
        return this.#if(statement);
      case 'while':
        return this.#while(statement);
      case 'block':
        return this.run(statement.statements);
      case 'try':
        return this.#try(statement);
      case 'return':
        return this.#return(statement);
      case 'break':
      case 'continue':
        return statement.kind;
      case 'empty':
        break;
      case 'select':
        await this.#select(statement.query);
        break;
      case 'insert':
      case 'update':
      case 'delete':
      case 'merge':
        await runChange(this, statement);
        break;
      case 'declare':
        await this.#declare(statement);
        break;
      case 'declareTable':
        declareTable(this, statement);
        break;
      case 'set':
        await this.#set(statement);
        break;
      case 'setOption':
        setOption(context, statement);
        context.rowCount = 0;
        break;
      case 'throw':
        throw await throwError(this, statement);
      case 'raiserror':
        await this.#raiserror(statement);
        break;
      case 'print':
        await this.#print(statement);
        break;
      case 'execute':
        await new Call(this).execute(statement);
        break;
      case 'checkIdentity':
        await checkIdentity(this, statement);
        break;
      case 'waitfor':
      case 'transaction':
      case 'executeAs':
      case 'revert':
      case 'use':
      case 'createDatabase':
        await runSessionStatement(this, statement);
        break;
      default:
        await defineObject(this, statement);
        context.rowCount = 0;
        this.done();
    }
    return undefined;
  }

  async #set({ variable, value }: Statement & { kind: 'set' }): Promise<void> {
    const { context } = this;
    context.assign(variable, await this.value(value, context.variable(variable)?.type));
    context.rowCount = 1;
  }

  async #select(query: Query): Promise<void> {
    const { context } = this;
    if (query.body.kind === 'select' && query.body.into) {
      context.otherDatabases.attachNamed(query, context.translationContext);
      const count = await this.changing(query.body.into.parts.at(-1) ?? '', () => selectInto(context, query));
      context.rowCount = count;
      this.done(count);
      return;
    }
    const plan = queryPlan(context, query);
    const { readLock, noWait } = plan.compilation;
    await context.transaction.beforeRead(readLock, noWait);
    context.rowCount = sendQuery(context, plan);
    if (!plan.assigned.length && !context.capture) this.done(context.rowCount);
  }

  /** A variable lives from its DECLARE on; without a value it is NULL, also in the next round of a loop. */
  #variable({ name, type }: Statement & { kind: 'declare' }): Variable {
    const { variables } = this.context.frame;
    const found = variables.get(name.toLowerCase());
    const variable = found ?? { type: resolveType(type), value: null };
    variables.set(name.toLowerCase(), variable);
    return variable;
  }

  async #declare(statement: Statement & { kind: 'declare' }): Promise<void> {
    const variable = this.#variable(statement);
    if (!statement.value) return;
    variable.value = await this.value(statement.value, variable.type);
    this.context.rowCount = 1;
  }

  async #if({ condition, consequent, otherwise }: Statement & { kind: 'if' }): Promise<Outcome> {
    const isTrue = await this.condition(condition);
    this.context.lastErrorNumber = 0;
    if (isTrue) return this.statement(consequent);
    return otherwise ? this.statement(otherwise) : 'next';
  }

  async #while({ condition, body }: Statement & { kind: 'while' }): Promise<Outcome> {
    while (await this.condition(condition)) {
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
      const isTaken =
        thrown instanceof SqlError &&
        thrown.number !== UNSUPPORTED &&
        compiledIn(thrown) !== frames[depth - 1];
      if (!isTaken) throw thrown;
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
    context.rowCount = 0;
    try {
      return await this.run(handler);
    } finally {
      context.caughtError = outer;
    }
  }

  async #raiserror(statement: Statement & { kind: 'raiserror' }): Promise<void> {
    const error = await raiseError(this, statement);
    if (error.class > 10) throw error;
    error.line = statement.at.line;
    this.send(error, error.procedure, statement.options.includes('NOWAIT'));
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
    this.context.rowCount = 1;
    return 'return';
  }
}
