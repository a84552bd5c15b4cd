/** Identity values. */
import type { Table } from '../catalog.ts';
import type { Connection } from './connection.ts';

/**
 * Hands out identity values. Those of tables are shared by all sessions and never given twice; those of temporary tables belong to the
 * session.
 */
export class Identities {
  /** The last value given in the session (`@@IDENTITY`). */
  last: bigint | null = null;
  readonly #temporary = new Map<number, bigint>();

  next(connection: Connection, table: Table): bigint {
    const { seed = '1', increment = '1' } = table.columns.find(({ identity }) => identity)?.identity ?? {};
    const last = this.#of(connection, table).get(table.id);
    const value = last === undefined ? BigInt(seed) : last + BigInt(increment);
    this.#keep(connection, table, value);
    this.last = value;
    return value;
  }

  /** A value that was given by hand moves the counter on when it is further. */
  note(connection: Connection, table: Table, value: bigint): void {
    const last = this.#of(connection, table).get(table.id);
    const isUpwards = !table.columns.find(({ identity }) => identity)?.identity?.increment.startsWith('-');
    if (last === undefined || (isUpwards ? value > last : value < last)) this.#keep(connection, table, value);
    this.last = value;
  }

  /** Sets the value that was given last, so that the next one follows; the first row of a new table gets the value itself. */
  reseed(connection: Connection, table: Table, value: bigint): void {
    const { increment = '1' } = table.columns.find(({ identity }) => identity)?.identity ?? {};
    const isNew = this.#of(connection, table).get(table.id) === undefined;
    this.#keep(connection, table, isNew ? value - BigInt(increment) : value);
  }

  /** Begins anew: a temporary table is made again, or a table is truncated. */
  forget(connection: Connection, table: Table): void {
    this.#of(connection, table).delete(table.id);
    if (!table.temporary) connection.run('DELETE FROM "%identity" WHERE id = ?1', [table.id]);
  }

  #keep(connection: Connection, table: Table, value: bigint): void {
    this.#of(connection, table).set(table.id, value);
    if (table.temporary) return;
    connection.run('INSERT INTO "%identity" VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET value = ?2', [
      table.id,
      value,
    ]);
  }

  #of(connection: Connection, table: Table): Map<number, bigint> {
    return table.temporary ? this.#temporary : connection.database.identities;
  }
}
