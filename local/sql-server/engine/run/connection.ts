import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { SqlType, SqlValue } from '../session.ts';
import type { Database } from '../storage/database.ts';
import { registerAggregates, takeAggregateFailure } from '../storage/sqlite-aggregates.ts';
import { type ConnectionContext, registerFunctions } from '../storage/sqlite-functions.ts';

const mostStatements = 200;

export type Row = readonly SqlValue[];

/** One session's connection to one database, with its prepared statements (the least recently used go first). */
export class Connection {
  readonly database: Database;
  readonly sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: Database, context: ConnectionContext) {
    this.database = database;
    this.sqlite = database.connect();
    registerFunctions(this.sqlite, context);
    registerAggregates(this.sqlite);
  }

  /** All rows of a query, each value as its column's type wants it. */
  query(sql: string, parameters: readonly SqlValue[], types: readonly SqlType[]): Row[] {
    const rows = this.#prepare(sql).all(...bindable(parameters)) as unknown as SQLOutputValue[][];
    const failure = takeAggregateFailure();
    if (failure !== undefined) throw failure;
    const fixes = types.map((type) => (type.name === 'bigint' ? BigInt : undefined));
    if (!fixes.some(Boolean)) return rows.map((row) => row.map(plainValue));
    return rows.map((row) =>
      row.map((value, index) =>
        value !== null && fixes[index] ? BigInt(value as bigint) : plainValue(value),
      ),
    );
  }

  /** The rows one at a time, so that work between them can change what the next one sees. */
  *iterate(sql: string, parameters: readonly SqlValue[]): IterableIterator<Row> {
    for (const row of this.#prepare(sql).iterate(...bindable(parameters)))
      yield (row as unknown as SQLOutputValue[]).map(plainValue);
  }

  run(sql: string, parameters: readonly SqlValue[] = []): void {
    this.#prepare(sql).run(...bindable(parameters));
  }

  exec(sql: string): void {
    this.sqlite.exec(sql);
  }

  close(): void {
    this.#statements.clear();
    this.sqlite.close();
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    const statement = this.sqlite.prepare(sql);
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    this.#statements.set(sql, statement);
    if (this.#statements.size > mostStatements)
      this.#statements.delete(this.#statements.keys().next().value ?? '');
    return statement;
  }
}

function bindable(values: readonly SqlValue[]): SQLInputValue[] {
  return values as SQLInputValue[];
}

/** SQLite's integers come as bigints, so that none loses digits; only bigint columns keep them so. */
function plainValue(value: SQLOutputValue): SqlValue {
  return typeof value === 'bigint' ? Number(value) : value;
}
