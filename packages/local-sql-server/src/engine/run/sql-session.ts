/** Sessions. */
import { SqlError } from '../../tsql/sql-error.ts';
import { splitName } from '../functions/system.ts';
import {
  EngineFault,
  type Event,
  type Parameter,
  type Session,
  type SqlType,
  type SqlValue,
  type TransactionRequest,
} from '../session.ts';
import type { Database } from '../storage/database.ts';
import { parsedBatch } from './batches.ts';
import { bindBatch } from './bind.ts';
import { Call } from './calls.ts';
import { Context, type Login, type Server } from './context.ts';
import { Frame } from './frame.ts';
import type { GivenArgument } from './given-argument.ts';
import { BatchEnd, Interpreter } from './interpreter.ts';
import { callScalarFunction } from './scalar-functions.ts';
import { requestTransaction } from './session-statements.ts';
import { Cancelled, fromSqlite } from './transaction.ts';

/** A session of the engine; see `Session`. */
export class SqlSession implements Session {
  readonly #server: Server;
  readonly #login: Login;
  readonly #first: Database;
  readonly #processId: number;
  readonly #user: number;
  #context: Context;
  #events: Event[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;

  constructor(server: Server, login: Login, database: Database, processId: number, user: number) {
    this.#server = server;
    this.#login = login;
    this.#first = database;
    this.#processId = processId;
    this.#user = user;
    this.#context = this.#newContext();
  }

  #newContext(): Context {
    const emit = (event: Event): void => {
      this.#events.push(event);
      this.#wake?.();
    };
    const context: Context = new Context(
      this.#server,
      this.#login,
      this.#first,
      this.#processId,
      this.#user,
      emit,
      (module, given) => callScalarFunction(context, module, given),
    );
    return context;
  }

  get database(): string {
    return this.#context.database;
  }

  batch(sql: string): AsyncIterable<Event> {
    return this.#request(async (interpreter) => {
      this.#forgetVariables();
      const statements = parsedBatch(sql);
      bindBatch(interpreter.context, statements);
      await interpreter.runAll(statements);
    });
  }

  procedure(name: string, parameters: readonly Parameter[]): AsyncIterable<Event> {
    return this.#request(async (interpreter) => {
      this.#forgetVariables();
      const returned: Event[] = [];
      const given = parameters.map((parameter) =>
        toArgument(parameter, (value, type) =>
          returned.push({ kind: 'returnValue', name: parameter.name, type, value }),
        ),
      );
      const result = await new Call(interpreter).procedure(splitName(name), given);
      this.#context.emit({ kind: 'returnStatus', value: result });
      for (const event of returned) this.#context.emit(event);
    });
  }

  transaction(request: TransactionRequest): AsyncIterable<Event> {
    return this.#request(({ context }) => requestTransaction(context, request));
  }

  cancel(): void {
    this.#context.isCancelled = true;
    this.#server.locks.cancel(this.#context);
  }

  reset({ keepsTransaction = false } = {}): void {
    if (keepsTransaction && this.#context.transaction.count > 0) {
      this.#forgetVariables();
      this.#releaseApplicationLocks();
      this.#context.forgetSettings();
      return;
    }
    this.#end();
    this.#context = this.#newContext();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#end();
  }

  /** Rolls back, gives all locks back and closes the connection. */
  #end(): void {
    const context = this.#context;
    this.cancel();
    if (context.transaction.count > 0) context.transaction.rollback();
    this.#releaseApplicationLocks();
    context.connection.close();
  }

  #releaseApplicationLocks(): void {
    const context = this.#context;
    for (const resource of context.applicationLocks.splice(0)) this.#server.locks.release(context, resource);
  }

  /** Variables live for one batch; #temp tables of the outermost level for the session. */
  #forgetVariables(): void {
    const { frame, temporaryTables } = this.#context;
    for (const table of frame.tables.values())
      if (table.temporary === 'variable') temporaryTables.drop(table);
    frame.variables.clear();
  }

  /** Runs a request, and hands out its events while it runs. */
  async *#request(work: (interpreter: Interpreter) => Promise<void>): AsyncGenerator<Event> {
    const context = this.#context;
    context.isCancelled = false;
    this.#events = [];
    let isDone = false;
    let failure: unknown;
    const interpreter = new Interpreter(context);
    void this.#guarded(interpreter, work)
      .catch((error: unknown) => {
        failure = error;
      })
      .finally(() => {
        isDone = true;
        this.#wake?.();
      });
    for (;;) {
      const events = this.#events;
      this.#events = [];
      yield* events;
      if (this.#events.length) continue;
      if (isDone) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    if (failure !== undefined) throw failure;
  }

  /** Errors that no statement took are sent here; all else is a fault of ours, which undoes the transaction. */
  async #guarded(interpreter: Interpreter, work: (interpreter: Interpreter) => Promise<void>): Promise<void> {
    const context = this.#context;
    const [first = new Frame(0)] = context.frames;
    try {
      await work(interpreter);
      if (context.transaction.doomed) interpreter.reportDoomed();
    } catch (thrown) {
      const error = fromSqlite(thrown, context.database);
      context.frames = [first];
      context.capture = undefined;
      if (error instanceof SqlError) interpreter.reportAtEnd(error);
      else if (error instanceof Cancelled) this.#rollBackIfAborting();
      else if (!(error instanceof BatchEnd)) throw this.#faulty(error);
    }
  }

  #faulty(error: unknown): EngineFault {
    if (this.#context.transaction.count > 0) this.#context.rollback();
    return new EngineFault(error);
  }

  /** An attention leaves the transaction open, unless the session aborts on any error (SET XACT_ABORT). */
  #rollBackIfAborting(): void {
    const { options, transaction } = this.#context;
    if (options.get('XACT_ABORT') === 'ON' && transaction.count > 0) this.#context.rollback();
  }
}

/** A parameter of a remote call as an argument. */
function toArgument(
  { name, type, value, output = false, useDefault = false }: Parameter,
  give: (value: SqlValue, type: SqlType) => void,
): GivenArgument {
  return { name: name === '' ? undefined : name, type, value, output, isDefault: useDefault, give };
}
