/** A session's temporary tables and table variables. */
import { LRUCache } from 'lru-cache';
import { quoteName, type Table } from '../catalog.ts';
import { buildStorage } from '../definitions/table-indexes.ts';
import { type StoredRow, storedRows } from '../storage/table-storage.ts';
import type { TranslationContext } from '../translate/compilation.ts';
import type { Connection } from './connection.ts';
import type { Frame } from './frame.ts';
import type { Identities } from './identities.ts';

interface Owner {
  readonly connection: Connection;
  readonly frames: readonly Frame[];
  readonly frame: Frame;
  readonly translationContext: TranslationContext;
  readonly identities: Identities;
}

const maxRemembered = 500;
const versions = new WeakMap<Table, number>();
let lastVersion = 0;

function versionOf(table: Table): number {
  const version = versions.get(table) ?? ++lastVersion;
  versions.set(table, version);
  return version;
}

/**
 * The #temp tables and table variables of a session. Each call has its own, and sees the #temp tables of its callers.
 * They are in SQLite's temporary schema, with a catalog of the #temp tables beside them, so that a rollback undoes both.
 */
export class TemporaryTables {
  readonly #owner: Owner;
  /** By storage and definition: a table that is made again is the same object, so that plans for it still fit. */
  readonly #remembered = new LRUCache<string, Table>({ max: maxRemembered });

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  find(name: string): Table | undefined {
    const { frame, frames } = this.#owner;
    const folded = name.toLowerCase();
    if (name.startsWith('@')) return frame.tables.get(folded);
    return frames.findLast(({ tables }) => tables.has(folded))?.tables.get(folded);
  }

  /** Whether the call that runs has made a table of this name itself. */
  isTaken(name: string): boolean {
    return this.#owner.frame.tables.has(name.toLowerCase());
  }

  /** Where a new table goes. The storage is named by the level of the call. */
  home(name: string): Pick<Table, 'storage' | 'temporary'> {
    const storage = `temp.${quoteName(`${name.toLowerCase()}:${this.#owner.frame.level}`)}`;
    return { storage, temporary: name.startsWith('@') ? 'variable' : 'temp' };
  }

  remembered(storage: string, definition: unknown, make: () => Table): Table {
    const key = `${storage} ${JSON.stringify(definition)}`;
    const table = this.#remembered.get(key) ?? make();
    this.#remembered.set(key, table);
    this.#owner.identities.forget(this.#owner.connection, table);
    return table;
  }

  /** Takes a new table, or the new form of one that is there. */
  keep(table: Table): void {
    const { frame, frames, connection } = this.#owner;
    const name = table.name.toLowerCase();
    const owner = frames.find(({ tables }) => tables.get(name)?.id === table.id) ?? frame;
    owner.tables.set(name, table);
    if (table.temporary !== 'temp') return;
    connection.exec(
      'CREATE TABLE IF NOT EXISTS temp."%catalog" (id INTEGER PRIMARY KEY, call INTEGER, definition TEXT)',
    );
    connection.run('INSERT OR REPLACE INTO temp."%catalog" VALUES (?1, ?2, ?3)', [
      table.id,
      owner.id,
      JSON.stringify(table),
    ]);
  }

  drop(table: Table): void {
    const { connection, frames } = this.#owner;
    connection.exec(`DROP TABLE IF EXISTS ${table.storage}`);
    if (table.temporary === 'temp') connection.run('DELETE FROM temp."%catalog" WHERE id = ?1', [table.id]);
    forget(frames, table);
  }

  /** Distinguishes plans that were made for other temporary tables. */
  get signature(): string {
    return this.#owner.frames.flatMap(({ tables }) => [...tables.values()].map(versionOf)).join();
  }

  /** Runs a rollback, and reloads the temporary tables that it restored. Table variables take no part in it: they keep their rows. */
  across(rollback: () => void): void {
    const variables = this.#all('variable').map((table) => ({
      table,
      rows: storedRows(this.#owner.connection, table),
    }));
    rollback();
    this.#reload();
    for (const { table, rows } of variables) this.#restore(table, rows);
  }

  #all(kind: Table['temporary']): Table[] {
    return this.#owner.frames.flatMap(({ tables }) =>
      [...tables.values()].filter(({ temporary }) => temporary === kind),
    );
  }

  #restore(table: Table, rows: readonly StoredRow[]): void {
    const { connection, translationContext } = this.#owner;
    buildStorage(connection, translationContext, table);
    const placeholders = ['"%row"', ...table.columns].map((_, index) => `?${index + 1}`).join(', ');
    for (const { row, values } of rows)
      connection.run(`INSERT INTO ${table.storage} VALUES (${placeholders})`, [row, ...values]);
  }

  #reload(): void {
    const { connection, frames } = this.#owner;
    const [exists] = connection.query("SELECT 1 FROM temp.sqlite_schema WHERE name = '%catalog'", [], []);
    const definitions = exists
      ? connection.query('SELECT call, definition FROM temp."%catalog"', [], [])
      : [];
    for (const table of this.#all('temp')) forget(frames, table);
    for (const [call, definition] of definitions) {
      const table = JSON.parse(String(definition)) as Table;
      frames.find(({ id }) => id === call)?.tables.set(table.name.toLowerCase(), table);
    }
  }
}

function forget(frames: readonly Frame[], table: Table): void {
  const name = table.name.toLowerCase();
  for (const { tables } of frames) if (tables.get(name) === table) tables.delete(name);
}
