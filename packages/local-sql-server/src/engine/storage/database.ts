/** One database: its SQLite file and its stored catalog. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { Catalog, type CatalogObject, type Principal, quoteName, stamp } from '../catalog.ts';
import { serverCollation } from '../types.ts';

/** The schemas of a new database; their ids are SQL Server's. */
const firstSchemas = [
  { id: 1, name: 'dbo' },
  { id: 2, name: 'guest' },
  { id: 3, name: 'INFORMATION_SCHEMA' },
  { id: 4, name: 'sys' },
];
const firstObjectId = 1_000_000;
const firstRowVersion = 2000n;
/** Where the catalog keeps what is said of the database itself. */
const factsId = -1;

interface DatabaseFacts {
  readonly kind: 'database';
  readonly collation: string;
}
const extension = '.sqlite';
/** Pages that are copied at once: all. */
const maxPages = 2 ** 30;

/** Names of the databases that a folder keeps, in lower case. */
export function databasesIn(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(extension));
  return files.map((file) => decodeURIComponent(file.slice(0, -extension.length)));
}

/** One database: a SQLite file, the catalog as it was last committed, and the identity values that were given out. */
export class Database {
  readonly name: string;
  readonly created = stamp();
  catalog: Catalog;
  /** Last values of identity columns by table id. They are never given twice, also when a transaction is rolled back. */
  readonly identities = new Map<number, bigint>();
  readonly #path: string;
  readonly #isKept: boolean;
  /** Open for as long as the database is: SQLite sets up its log again for the first connection, and clears it away after the last one. */
  readonly #first: DatabaseSync;
  #nextId: number;
  #rowVersion: bigint;

  /** Opens the database, or makes it with a collation. */
  constructor(name: string, folder: string, isKept: boolean, collation = serverCollation) {
    this.name = name;
    this.#path = pathOf(name, folder);
    this.#isKept = isKept;
    this.#first = this.connect();
    this.#first.exec(`
      CREATE TABLE IF NOT EXISTS "%catalog" (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, definition TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS "%identity" (id INTEGER PRIMARY KEY, value INTEGER NOT NULL);`);
    const facts: DatabaseFacts = { kind: 'database', collation };
    this.#first
      .prepare('INSERT OR IGNORE INTO "%catalog" VALUES (?, ?, ?)')
      .run(factsId, facts.kind, JSON.stringify(facts));
    this.catalog = loadCatalog(this.#first);
    this.#nextId = Math.max(firstObjectId, ...this.catalog.objects.map(largestId)) + 1;
    this.#loadIdentities(this.#first);
    this.#rowVersion = this.#lastRowVersion();
  }

  /** A separate connection for one session. Writers queue in our locks, so that SQLite never has to wait. */
  connect(): DatabaseSync {
    const connection = new DatabaseSync(this.#path, { enableForeignKeyConstraints: false, timeout: 2000 });
    // First how it waits for the disk: a new file becomes one with a log at once then, which it would wait for else.
    connection.exec(
      `PRAGMA synchronous = ${this.#isKept ? 'NORMAL' : 'OFF'}; PRAGMA journal_mode = WAL; PRAGMA temp_store = MEMORY;`,
    );
    return connection;
  }

  /** Attaches the file to a connection of another database, to be read there. */
  attachTo(connection: DatabaseSync, schema: string): void {
    connection.exec(`ATTACH ${quoteText(this.#path)} AS ${schema}`);
  }

  /** Makes a database of another name that holds what is committed in this one. */
  async copy(name: string, folder: string, isKept: boolean): Promise<Database> {
    await backup(this.#first, pathOf(name, folder), { rate: maxPages });
    const copy = new Database(name, folder, isKept);
    for (const [id, value] of this.identities) copy.identities.set(id, value);
    return copy;
  }

  /** Closes it, once no session has a connection to it. */
  close(): void {
    if (this.#first.isOpen) this.#first.close();
  }

  /** Returns the next value of a rowversion, 8 bytes. */
  nextRowVersion(): Uint8Array {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(++this.#rowVersion);
    return Uint8Array.from(bytes);
  }

  /** The last rowversion of the tables that are there. */
  #lastRowVersion(): bigint {
    const last = this.catalog.objects.flatMap((object) => {
      const column = object.kind === 'table' && object.columns.find(({ rowVersion }) => rowVersion);
      if (!column) return [];
      const sql = `SELECT max(${quoteName(column.name)}) AS last FROM ${object.storage}`;
      const value = this.#first.prepare(sql).get()?.['last'];
      return value instanceof Uint8Array ? [Buffer.from(value).readBigUInt64BE()] : [];
    });
    return last.reduce((largest, value) => (value > largest ? value : largest), firstRowVersion);
  }

  nextId(): number {
    return this.#nextId++;
  }

  #loadIdentities(connection: DatabaseSync): void {
    const statement = connection.prepare('SELECT id, value FROM "%identity"');
    statement.setReadBigInts(true);
    for (const { id, value } of statement.all()) this.identities.set(Number(id), BigInt(value as bigint));
  }
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function pathOf(name: string, folder: string): string {
  return join(folder, encodeURIComponent(name.toLowerCase()) + extension);
}

function largestId(object: CatalogObject): number {
  if (object.kind !== 'table') return object.id;
  const inner = [...object.keys, ...object.checks, ...object.foreignKeys].map(({ id }) => id);
  return Math.max(object.id, ...inner);
}

/** The catalog as a connection sees it, inside or outside of a transaction. */
export function loadCatalog(connection: DatabaseSync): Catalog {
  const rows = connection.prepare('SELECT id, kind, definition FROM "%catalog" ORDER BY id').all();
  const ofKinds = (...kinds: readonly string[]) =>
    rows
      .filter(({ kind }) => kinds.includes(String(kind)))
      .map(({ definition }) => JSON.parse(String(definition)) as unknown);
  const [facts] = ofKinds('database') as DatabaseFacts[];
  return new Catalog({
    collation: facts?.collation ?? serverCollation,
    schemas: [...firstSchemas, ...(ofKinds('schema') as { id: number; name: string }[])],
    objects: ofKinds('table', 'view', 'procedure', 'function') as CatalogObject[],
    principals: ofKinds('principal') as Principal[],
  });
}

/** Writes one object of the catalog, or takes it away. */
export function storeObject(
  connection: DatabaseSync,
  id: number,
  object:
    | CatalogObject
    | Principal
    | { readonly kind: 'schema'; readonly id: number; readonly name: string }
    | undefined,
): void {
  connection.prepare('DELETE FROM "%catalog" WHERE id = ?').run(id);
  if (object)
    connection
      .prepare('INSERT INTO "%catalog" VALUES (?, ?, ?)')
      .run(id, object.kind, JSON.stringify(object));
}
