/** A session's state. */
import { SqlError } from '../../tsql/sql-error.ts';
import type { Catalog, Module, Table } from '../catalog.ts';
import type { ChangeRuntime } from '../changes/runtime.ts';
import { newCompilation, noScope, TableWriter } from '../changes/writer.ts';
import type { FunctionContext } from '../functions/definition.ts';
import { parsedView } from '../modules.ts';
import { denied, isAllowed, type Need, type Securable, visibleCatalog } from '../security/access.ts';
import { dbo } from '../security/principals.ts';
import type { Event, SqlType, SqlValue } from '../session.ts';
import type { Database } from '../storage/database.ts';
import { systemRows } from '../system-views/system-views.ts';
import type { TranslationContext } from '../translate/compilation.ts';
import type { OutputColumn } from '../translate/typed.ts';
import { serverCollation, withCollation } from '../types.ts';
import { convert } from '../values/convert.ts';
import { type Moment, now } from '../values/datetime.ts';
import { Connection, type Row } from './connection.ts';
import { Frame } from './frame.ts';
import { Identities } from './identities.ts';
import type { LockManager } from './locks.ts';
import { OtherDatabases } from './other-databases.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { TemporaryTables } from './temporary-tables.ts';
import { Transaction } from './transaction.ts';

/** The whole server, as a session sees it. */
export interface Server {
  readonly databases: ReadonlyMap<string, Database>;
  createDatabase(name: string, collation: string): void;
  copyDatabase(name: string, source: Database): Promise<void>;
  /** SQL logins, in lower case. */
  readonly logins: ReadonlySet<string>;
  readonly locks: LockManager;
}

export interface Login {
  readonly user: string;
  readonly database: string;
  readonly application: string;
}

/** Options that every session begins with. */
const firstOptions: readonly (readonly [string, string])[] = [
  ['ANSI_NULLS', 'ON'],
  ['ANSI_PADDING', 'ON'],
  ['ANSI_WARNINGS', 'ON'],
  ['ARITHABORT', 'ON'],
  ['CONCAT_NULL_YIELDS_NULL', 'ON'],
  ['QUOTED_IDENTIFIER', 'ON'],
  ['NUMERIC_ROUNDABORT', 'OFF'],
  ['NOCOUNT', 'OFF'],
  ['XACT_ABORT', 'OFF'],
];

/** All that a session remembers between statements, and the door through which functions and changes see it. */
export class Context implements ChangeRuntime, FunctionContext {
  readonly server: Server;
  readonly login: Login;
  readonly processId: number;
  /** The user that the login is in this database. */
  readonly #ownUser: number;
  /** Users of EXECUTE AS, the last of which is the one of the moment. */
  impersonated: readonly number[] = [];
  /** Settings of SET. A change makes a new map, so that a call can go back to those of its caller. */
  options: ReadonlyMap<string, string> = new Map(firstOptions);
  frames: Frame[] = [new Frame(0)];
  readonly connection: Connection;
  readonly transaction: Transaction;
  rowCount = 0;
  lastErrorNumber = 0;
  caughtError: SqlError | undefined;
  #statementTime: Moment | undefined;
  identityInsert: number | undefined;
  /** Application locks that the session itself owns. */
  readonly applicationLocks: string[] = [];
  isCancelled = false;
  /** Rows that INSERT ... EXEC collects instead of sending them. */
  capture: { columns: readonly SqlType[]; rows: Row[] } | undefined;
  readonly #emit: (event: Event) => void;
  /** Runs a scalar function of a schema in this session. */
  readonly #callFunction: (module: Module, given: readonly SqlValue[]) => SqlValue;
  readonly identities = new Identities();
  readonly prepared = new PreparedStatements();
  readonly otherDatabases = new OtherDatabases(this);
  readonly temporaryTables = new TemporaryTables(this);
  readonly #writers = new WeakMap<Table, { readonly signature: string; readonly writer: TableWriter }>();

  constructor(
    server: Server,
    login: Login,
    database: Database,
    processId: number,
    user: number,
    emit: (event: Event) => void,
    callFunction: (module: Module, given: readonly SqlValue[]) => SqlValue,
  ) {
    this.server = server;
    this.login = login;
    this.processId = processId;
    this.#ownUser = user;
    this.#emit = emit;
    this.#callFunction = callFunction;
    this.connection = new Connection(database, this.#connectionContext(database.catalog.collation));
    this.transaction = new Transaction(this.connection, server.locks, this, emit, this.otherDatabases);
  }

  setOption(name: string, value: string): void {
    this.options = new Map(this.options).set(name, value);
  }

  /** Forgets what a session has set, and its #temp tables; its transaction stays. */
  forgetSettings(): void {
    for (const table of this.frame.tables.values()) this.temporaryTables.drop(table);
    this.options = new Map(firstOptions);
    this.impersonated = [];
    this.identityInsert = undefined;
    this.transaction.lockTimeout = -1;
    this.prepared.clear();
  }

  /** The clock stands still from its first use in a statement on. */
  get statementTime(): Moment {
    this.#statementTime ??= now();
    return this.#statementTime;
  }

  beginStatement(): void {
    this.#statementTime = undefined;
  }

  /** Sends an event, with the collation of the database by its name. */
  emit(event: Event): void {
    const { collation } = this.wholeCatalog;
    if (event.kind === 'columns') {
      const columns = event.columns.map((column) => ({
        ...column,
        type: withCollation(column.type, collation),
      }));
      this.#emit({ kind: 'columns', columns });
    } else if (event.kind === 'returnValue')
      this.#emit({ ...event, type: withCollation(event.type, collation) });
    else this.#emit(event);
  }

  #connectionContext(collation: string) {
    return {
      collation,
      functions: this,
      variable: (name: string): SqlValue => this.variable(name)?.value ?? null,
      systemRows: (view: string) => systemRows(view, this),
      callFunction: (id: number, given: readonly SqlValue[]): SqlValue => {
        const module = this.wholeCatalog.byId(id);
        if (module?.kind !== 'function') throw new RangeError(`No function has the id ${id}`);
        return this.#callFunction(module, given);
      },
    };
  }

  get frame(): Frame {
    const frame = this.frames.at(-1);
    if (!frame) throw new RangeError('A session always has a frame');
    return frame;
  }

  get translationContext(): TranslationContext {
    const { frame, temporaryTables } = this;
    return {
      catalog: this.wholeCatalog,
      database: this.database,
      defaultSchema: 'dbo',
      otherDatabases: this.otherDatabases,
      variableType: (name) => frame.variables.get(name.toLowerCase())?.type,
      temporaryTable: (name) => temporaryTables.find(name),
    };
  }

  /** What compiled statements depend on besides their text. */
  get signature(): string {
    return `${this.wholeCatalog.version} ${this.temporaryTables.signature} ${this.otherDatabases.signature}`;
  }

  variable(name: string) {
    return this.frame.variables.get(name.toLowerCase());
  }

  assign(name: string, value: SqlValue): void {
    const variable = this.variable(name);
    if (!variable) throw new RangeError(`Variable ${name} is not declared`);
    variable.value = value;
  }

  assignConverted(name: string, value: SqlValue, type: SqlType): void {
    const variable = this.variable(name);
    if (variable) variable.value = convert(value, type, variable.type, undefined, 'implicit');
  }

  values(names: readonly string[]): SqlValue[] {
    return names.map((name) => this.variable(name)?.value ?? null);
  }

  writer(table: Table): TableWriter {
    const cached = this.#writers.get(table);
    const { signature } = this;
    if (cached && cached.signature === signature) return cached.writer;
    const writer = new TableWriter(table, this.connection, this.translationContext);
    this.#writers.set(table, { signature, writer });
    return writer;
  }

  nextIdentity(table: Table): bigint {
    this.frame.scopeIdentity = this.identities.next(this.connection, table);
    return this.frame.scopeIdentity;
  }

  noteIdentity(table: Table, value: bigint): void {
    this.identities.note(this.connection, table, value);
    this.frame.scopeIdentity = value;
  }

  allowsIdentity(table: Table): boolean {
    return this.identityInsert === table.id;
  }

  /** Rolls back, all or to a savepoint; table variables keep their rows. */
  rollback(name?: string): void {
    this.temporaryTables.across(() => this.transaction.rollback(name));
  }

  resetIdentity(table: Table): void {
    this.identities.forget(this.connection, table);
  }

  forgetApplicationLock(resource: string): void {
    const index = this.applicationLocks.indexOf(resource);
    if (index >= 0) this.applicationLocks.splice(index, 1);
    else this.transaction.forgetApplicationLock(resource);
  }

  /** The objects that the user may see. */
  get catalog(): Catalog {
    return visibleCatalog(this.wholeCatalog, this.user);
  }

  get wholeCatalog(): Catalog {
    return this.transaction.catalog;
  }

  get user(): number {
    return this.impersonated.at(-1) ?? this.#ownUser;
  }

  may(right: string, securable: Securable): boolean {
    return isAllowed(this.wholeCatalog, this.user, right, securable);
  }

  /** Throws 229 where the user lacks a right. Statements of a procedure need none: all objects here have one owner (ownership chaining). */
  mustBeAllowed(needs: readonly Need[]): void {
    if (this.user === dbo || this.frame.procedure !== undefined) return;
    for (const need of needs)
      if (!this.may(need.right, { on: 'OBJECT', id: need.object.id })) throw denied(this.database, need);
  }

  get database(): string {
    return this.connection.database.name;
  }

  get databases(): readonly string[] {
    return [...this.server.databases.values()].map(({ name }) => name);
  }

  collationOf(database: string): string {
    return this.server.databases.get(database.toLowerCase())?.catalog.collation ?? serverCollation;
  }

  currentIdentity(table: number): bigint | null {
    return this.connection.database.identities.get(table) ?? null;
  }

  temporaryTableId(name: string): number | null {
    return this.temporaryTables.find(name)?.id ?? null;
  }

  viewColumns(view: Module): readonly OutputColumn[] {
    try {
      const { query, columns } = parsedView(view);
      const translated = newCompilation(this.translationContext).query(query, noScope);
      return translated.columns.map((column, index) => ({
        ...column,
        name: columns?.[index] ?? column.name,
      }));
    } catch (error) {
      if (error instanceof SqlError) return [];
      throw error;
    }
  }
}
