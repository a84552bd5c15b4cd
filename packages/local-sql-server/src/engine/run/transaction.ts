/** Transactions. */
import { SqlError, sqlError } from '../../tsql/sql-error.ts';
import type { Catalog } from '../catalog.ts';
import type { Event, IsolationLevel } from '../session.ts';
import { loadCatalog } from '../storage/database.ts';
import type { Connection } from './connection.ts';
import type { LockManager, LockMode, LockOwner, LockResult } from './locks.ts';

let descriptors = 0n;

/** Thrown when a request is cancelled by its client; it is no error of SQL. */
export class Cancelled extends Error {}

/**
 * The transaction of one session. A T-SQL transaction becomes a SQLite one with its first write, once it has the database's write lock.
 * Until then each statement reads the last committed state (read committed snapshot).
 */
export class Transaction {
  /** `@@TRANCOUNT`. */
  count = 0;
  /** After some errors it can only be rolled back (`XACT_STATE()` is -1). */
  doomed = false;
  /** The name of the outermost BEGIN TRANSACTION. */
  #name = '';
  isolation: IsolationLevel = 'read committed';
  lockTimeout = -1;
  #descriptor = 0n;
  #isOpen = false;
  #catalog: Catalog | undefined;
  readonly #savepoints: string[] = [];
  readonly #applicationLocks: string[] = [];
  readonly #connection: Connection;
  readonly #locks: LockManager;
  readonly #owner: LockOwner;
  readonly #emit: (event: Event) => void;
  readonly #otherDatabases: { readonly areRead: boolean };

  constructor(
    connection: Connection,
    locks: LockManager,
    owner: LockOwner,
    emit: (event: Event) => void,
    otherDatabases: { readonly areRead: boolean },
  ) {
    this.#otherDatabases = otherDatabases;
    this.#connection = connection;
    this.#locks = locks;
    this.#owner = owner;
    this.#emit = emit;
  }

  /** `CURRENT_TRANSACTION_ID()`: outside of a transaction each statement is one of its own. */
  get id(): bigint {
    return this.count === 0 ? ++descriptors : this.#descriptor;
  }

  /** The catalog with this transaction's own changes. */
  get catalog(): Catalog {
    return this.#catalog ?? this.#connection.database.catalog;
  }

  set catalog(catalog: Catalog) {
    this.#catalog = catalog;
  }

  begin(name = ''): void {
    if (this.count++ > 0) return;
    this.#name = name.toLowerCase();
    this.#descriptor = ++descriptors;
    this.#emit({ kind: 'transaction', change: 'begin', descriptor: this.#descriptor });
  }

  commit(): void {
    if (this.count === 0) throw sqlError(3902);
    if (this.doomed) throw sqlError(3930);
    if (this.count-- > 1) return;
    try {
      this.#commitSqlite();
    } catch (error) {
      // Without space for it nothing is stored, and nobody waits for its locks.
      this.#rollbackSqlite();
      this.#end('rollback');
      throw error;
    }
    this.#end('commit');
  }

  /** Rolls back the transaction, or to the savepoint that `name` names. Throws 3903, or 6401 when `name` is neither. */
  rollback(name?: string): void {
    if (name !== undefined && this.#savepoints.includes(name.toLowerCase())) {
      this.#rollbackTo(name.toLowerCase());
      return;
    }
    if (this.count === 0) throw sqlError(3903);
    if (name !== undefined && name.toLowerCase() !== this.#name) throw sqlError(6401, name);
    this.count = 0;
    this.#rollbackSqlite();
    this.#end('rollback');
  }

  async save(name: string): Promise<void> {
    if (this.count === 0) throw sqlError(628);
    await this.beforeWrite();
    this.#connection.exec(`SAVEPOINT "save ${name.toLowerCase().replaceAll('"', '""')}"`);
    this.#savepoints.push(name.toLowerCase());
  }

  #rollbackTo(name: string): void {
    if (this.doomed) throw sqlError(3931);
    this.#connection.exec(`ROLLBACK TO "save ${name.replaceAll('"', '""')}"`);
    this.#savepoints.length = this.#savepoints.lastIndexOf(name) + 1;
    if (this.#catalog) this.#catalog = loadCatalog(this.#connection.sqlite);
  }

  /** Lets a statement write: waits for the lock and opens the SQLite transaction. Throws 1205, 1222, 3930. */
  async beforeWrite(noWait = false): Promise<void> {
    if (this.doomed) throw sqlError(3930);
    if (this.#isOpen) return;
    await this.lock(this.#resource, 'Exclusive', noWait ? 0 : this.lockTimeout);
    // IMMEDIATE would lock other databases too; our own lock keeps other writers out.
    this.#connection.exec(this.#otherDatabases.areRead ? 'BEGIN' : 'BEGIN IMMEDIATE');
    this.#isOpen = true;
  }

  /** Lets a statement read as its isolation level and lock hints want. */
  async beforeRead(hint: 'none' | 'wait' | 'hold', noWait: boolean): Promise<void> {
    const isInside = this.count > 0;
    const holds =
      hint === 'hold' || this.isolation === 'serializable' || this.isolation === 'repeatable read';
    if (isInside && holds) return this.beforeWrite(noWait);
    if ((hint === 'none' && !holds) || this.#isOpen) return;
    await this.lock(this.#resource, 'Shared', noWait ? 0 : this.lockTimeout);
    this.#locks.release(this.#owner, this.#resource, 'Shared');
  }

  /** Ends what a statement outside of a transaction began. */
  afterStatement(failed: boolean): void {
    if (this.count > 0 || !this.#isOpen) return;
    try {
      if (failed) this.#rollbackSqlite();
      else this.#commitSqlite();
    } catch (error) {
      this.#rollbackSqlite();
      throw error;
    } finally {
      this.#releaseAll();
    }
  }

  async lock(resource: string, mode: LockMode, timeout: number): Promise<void> {
    mustBeGranted(await this.#locks.acquire(this.#owner, resource, mode, timeout), this.#owner);
  }

  /** Application locks that end with the transaction. */
  keepApplicationLock(resource: string): void {
    this.#applicationLocks.push(resource);
  }

  forgetApplicationLock(resource: string): void {
    const index = this.#applicationLocks.indexOf(resource);
    if (index >= 0) this.#applicationLocks.splice(index, 1);
  }

  get #resource(): string {
    return `database ${this.#connection.database.name.toLowerCase()}`;
  }

  #commitSqlite(): void {
    if (this.#isOpen) this.#connection.exec('COMMIT');
    if (this.#catalog) this.#connection.database.catalog = this.#catalog;
    this.#closed();
  }

  #rollbackSqlite(): void {
    // Some failures of SQLite (a full disk) have rolled back already.
    if (this.#isOpen && this.#connection.sqlite.isTransaction) this.#connection.exec('ROLLBACK');
    this.#closed();
  }

  #closed(): void {
    this.#isOpen = false;
    this.#catalog = undefined;
  }

  #end(change: 'commit' | 'rollback'): void {
    this.doomed = false;
    this.#savepoints.length = 0;
    this.#releaseAll();
    for (const resource of this.#applicationLocks.splice(0)) this.#locks.release(this.#owner, resource);
    this.#emit({ kind: 'transaction', change, descriptor: this.#descriptor });
  }

  #releaseAll(): void {
    while (this.#locks.release(this.#owner, this.#resource));
  }
}

function mustBeGranted(result: LockResult, owner: LockOwner): void {
  if (result === 'timeout') throw sqlError(1222);
  if (result === 'deadlock') throw sqlError(1205, owner.processId);
  if (result === 'cancelled') throw new Cancelled('The request was cancelled');
}

/** SQLITE_FULL, and SQLITE_IOERR_WRITE, which is what a limit of the size of files becomes. */
const withoutSpace = new Set([13, 778]);

const tooDeep =
  /Recursion limit|Expression tree is too large|parser stack overflow|too many (terms|columns|SQL variables|arguments)/;

/** Turns failures of SQLite, and of too deep a recursion, into errors of SQL Server, where one says the same. */
export function fromSqlite(error: unknown, database: string): unknown {
  if (error instanceof RangeError && /call stack/.test(error.message)) return sqlError(191);
  if (error instanceof SqlError || !(error instanceof Error) || !('errcode' in error)) return error;
  if (tooDeep.test(error.message)) return sqlError(191);
  if (withoutSpace.has(Number(error.errcode))) return sqlError(1105, database);
  return error;
}
