/** Connections to SQLite. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { SqlType, SqlValue } from '../session.ts';
import type { Database } from '../storage/database.ts';
import { withFailures } from '../storage/failures.ts';
import { registerAggregates } from '../storage/sqlite-aggregates.ts';
import { type ConnectionContext, registerFunctions } from '../storage/sqlite-functions.ts';
import { wholeText } from '../storage/whole-text.ts';

const maxStatements = 200;

export type Row = readonly SqlValue[];

/** One session's connection to one database, with its prepared statements (the least recently used go first). */
export class Connection {
  readonly database: Database;
  readonly #context: ConnectionContext;
  #sqlite: DatabaseSync | undefined;
  readonly #statements = this.#prepared(false);
  readonly #bigintStatements = this.#prepared(true);

  constructor(database: Database, context: ConnectionContext) {
    this.database = database;
    this.#context = context;
  }

  /** Opened on first use: drivers open sessions only to see whether they can. */
  get sqlite(): DatabaseSync {
    this.#sqlite ??= this.#open();
    return this.#sqlite;
  }

  #open(): DatabaseSync {
    const sqlite = this.database.connect();
    registerFunctions(sqlite, this.#context);
    registerAggregates(sqlite);
    return sqlite;
  }

  /** All rows of a query, each value as its column's type wants it. */
  query(sql: string, parameters: readonly SqlValue[], types: readonly SqlType[]): readonly Row[] {
    const hasBigint = types.some(isBigint);
    const statement = this.#prepare(sql, hasBigint);
    const rows = this.#exclusive(statement, () =>
      withFailures(() => statement.all(...bindable(parameters)) as unknown as SQLOutputValue[][]),
    );
    return hasBigint ? rows.map((row) => plainValues(row, types)) : rows;
  }

  /** The rows one at a time, so that work between them can change what the next one sees. */
  *iterate(sql: string, parameters: readonly SqlValue[], types: readonly SqlType[]): IterableIterator<Row> {
    const rows = this.#prepare(sql, types.some(isBigint)).iterate(...bindable(parameters));
    for (;;) {
      const { done, value } = withFailures(() => rows.next());
      if (done) return;
      yield plainValues(value as unknown as SQLOutputValue[], types);
    }
  }

  run(sql: string, parameters: readonly SqlValue[] = []): void {
    withFailures(() => this.#prepare(sql, false).run(...bindable(parameters)));
  }

  exec(sql: string): void {
    this.sqlite.exec(sql);
  }

  close(): void {
    this.#statements.clear();
    this.#bigintStatements.clear();
    this.#sqlite?.close();
  }

  /** Integers are read as bigints only where a column is one: that is slower, and needs a separate statement. */
  #prepared(readsBigints: boolean): LRUCache<string, StatementSync> {
    return new LRUCache({
      max: maxStatements,
      memoMethod: (sql) => prepared(this.sqlite, sql, readsBigints),
    });
  }

  /** A statement that is running already, as in a function that calls itself, is prepared once more. */
  #prepare(sql: string, readsBigints: boolean): StatementSync {
    const statements = readsBigints ? this.#bigintStatements : this.#statements;
    const statement = statements.memo(sql);
    return this.#running.has(statement) ? prepared(this.sqlite, sql, readsBigints) : statement;
  }

  readonly #running = new Set<StatementSync>();

  #exclusive<Result>(statement: StatementSync, run: () => Result): Result {
    this.#running.add(statement);
    try {
      return run();
    } finally {
      this.#running.delete(statement);
    }
  }
}

function prepared(sqlite: DatabaseSync, sql: string, readsBigints: boolean): StatementSync {
  const statement = sqlite.prepare(sql);
  statement.setReturnArrays(true);
  statement.setReadBigInts(readsBigints);
  return statement;
}

function bindable(values: readonly SqlValue[]): SQLInputValue[] {
  return values.map(wholeText) as SQLInputValue[];
}

function isBigint(type: SqlType): boolean {
  return type.name === 'bigint';
}

function plainValues(row: readonly SQLOutputValue[], types: readonly SqlType[]): Row {
  return row.map((value, index) => plainValue(value, types[index]));
}

/** Where integers came as bigints, only those of bigint columns stay so; small ones may have been stored as floats. */
function plainValue(value: SQLOutputValue, type: SqlType | undefined): SqlValue {
  if (typeof value === 'bigint') return type?.name === 'bigint' ? value : Number(value);
  return typeof value === 'number' && type?.name === 'bigint' ? BigInt(value) : value;
}
